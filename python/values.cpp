#include "wormcast/python/values.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <optional>
#include <pybind11/stl.h>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

namespace py = pybind11;

/// More elements of a list than the nodes of the largest network are a mistake.
constexpr std::size_t most_elements = std::size_t{1} << 26;

/// Returns the text of a value, at most some lines of it.
std::string shown(py::handle value)
{
  return py::module_::import("wormcast._values").attr("shown")(value).cast<std::string>();
}

[[noreturn]] void refuse_value(py::handle value)
{
  throw InputError(
      fmt::format("found {}, expected a truth value, a number, a text or a list of numbers or texts", shown(value)));
}

bool is_whole_number(py::handle value)
{
  return PyIndex_Check(value.ptr()) != 0 && !PyBool_Check(value.ptr());
}

bool is_number(py::handle value)
{
  return is_whole_number(value) || py::isinstance<py::float_>(value);
}

std::int64_t whole_number(py::handle value)
{
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index) {
    PyErr_Clear();
    refuse_value(value);
  }
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) {
    throw InputError(fmt::format("found {}, expected a whole number of 64 bits", shown(index)));
  }
  return number;
}

double number(py::handle value)
{
  const double converted = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw InputError(fmt::format("found {}, expected a number that a float of 64 bits can hold", shown(value)));
  }
  return converted;
}

RawValue raw_list(const py::sequence& values)
{
  const py::ssize_t size = PySequence_Size(values.ptr());
  if (size < 0 || static_cast<std::size_t>(size) > most_elements) {
    PyErr_Clear();
    refuse_value(values);
  }
  std::vector<py::object> elements;
  for (py::ssize_t i = 0; i < size; ++i) {
    auto element = py::reinterpret_steal<py::object>(PySequence_GetItem(values.ptr(), i));
    if (!element && PyErr_ExceptionMatches(PyExc_IndexError) != 0) { // it says that it is longer
      PyErr_Clear();
      refuse_value(values);
    }
    if (!element) {
      throw py::error_already_set();
    }
    elements.push_back(std::move(element));
  }
  const auto all = [&](bool (*fits)(py::handle)) {
    for (const py::object& element : elements) {
      if (!fits(element)) {
        return false;
      }
    }
    return true;
  };
  if (all(is_whole_number)) {
    std::vector<std::int64_t> numbers;
    for (const py::object& element : elements) {
      numbers.push_back(whole_number(element));
    }
    return numbers;
  }
  if (all(is_number)) {
    std::vector<double> numbers;
    for (const py::object& element : elements) {
      numbers.push_back(number(element));
    }
    return numbers;
  }
  if (all([](py::handle element) { return py::isinstance<py::bool_>(element); })) {
    std::vector<std::string> texts; // values/flag_list.hpp
    for (const py::object& element : elements) {
      texts.emplace_back(element.cast<bool>() ? "true" : "false");
    }
    return texts;
  }
  if (all([](py::handle element) { return py::isinstance<py::str>(element); })) {
    std::vector<std::string> texts;
    for (const py::object& element : elements) {
      texts.push_back(text_of(element, "a text"));
    }
    return texts;
  }
  refuse_value(values);
}

/// A value that is no array of NumPy's, or is what its tolist() gives.
RawValue plain_value(py::handle value)
{
  if (py::isinstance<py::bool_>(value)) {
    return value.cast<bool>();
  }
  if (is_whole_number(value)) {
    return whole_number(value);
  }
  if (py::isinstance<py::float_>(value)) {
    return value.cast<double>();
  }
  if (py::isinstance<py::str>(value)) {
    return text_of(value, "a text");
  }
  if (py::hasattr(value, "__fspath__")) {
    return path_of(value);
  }
  if (py::isinstance<py::sequence>(value) && !py::isinstance<py::bytes>(value)) {
    return raw_list(py::reinterpret_borrow<py::sequence>(value));
  }
  refuse_value(value);
}

} // namespace

std::string text_of(py::handle value, std::string_view what)
{
  if (!py::isinstance<py::str>(value)) {
    throw InputError(fmt::format("found {} for {}, expected a str", shown(value), what));
  }
  py::ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text == nullptr) {
    PyErr_Clear();
    throw InputError(
        fmt::format("found {} for {}, which has a character that no text in UTF-8 has", shown(value), what));
  }
  return {text, static_cast<std::size_t>(size)};
}

std::string path_of(py::handle file)
{
  return py::module_::import("wormcast._values").attr("file_name")(file).cast<std::string>();
}

RawValue raw_value(py::handle value)
{
  if (!py::isinstance<py::bool_>(value) && py::hasattr(value, "tolist")) { // an array or a number of NumPy
    const py::object listed = value.attr("tolist")();
    if (!py::isinstance<py::float_>(listed) && py::hasattr(listed, "__float__") && py::hasattr(listed, "tolist")) {
      return number(listed); // np.longdouble gives itself
    }
    return plain_value(listed);
  }
  return plain_value(value);
}

std::map<std::string, RawValue, std::less<>> raw_values(const py::dict& values)
{
  std::map<std::string, RawValue, std::less<>> raw;
  for (const auto& [name, value] : values) {
    const std::string key = text_of(name, "a key");
    try {
      raw.emplace(key, raw_value(value));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", key, error.what()));
    }
  }
  return raw;
}

py::object python_value(const ParameterValue& value)
{
  return std::visit(
      [](const auto& held) -> py::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, Time>) {
          return py::int_(held.picoseconds);
        } else {
          return py::cast(held);
        }
      },
      value);
}

py::object python_fraction(const Fraction& fraction)
{
  return py::module_::import("fractions").attr("Fraction")(fraction.numerator(), fraction.denominator());
}

py::object python_json(const std::string& text)
{
  return py::module_::import("json").attr("loads")(python_text(text));
}

py::int_ python_int(TotalTime time)
{
  const auto high = static_cast<std::uint64_t>(time.picoseconds >> 64);
  const auto low = static_cast<std::uint64_t>(time.picoseconds);
  return py::int_((py::int_(high) << py::int_(64)) | py::int_(low));
}

py::object python_ports(PortModel ports)
{
  return ports.count == PortModel::all ? py::object(py::str("all")) : py::object(py::int_(ports.count));
}

NodeId node_of(const Topology& topology, py::handle value)
{
  static const Parameter parameter = {.name = "node", .type = ParameterType::node};
  return resolve_node(topology, read_parameter(parameter, raw_value(value)));
}

py::str python_text(std::string_view text)
{
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
}

std::uint32_t index_of(py::handle value, std::uint64_t count, std::string_view what)
{
  const RawValue raw = raw_value(value);
  const auto* number = std::get_if<std::int64_t>(&raw);
  if (number == nullptr) {
    throw InputError(fmt::format("found {} for a {}, expected a whole number", shown(value), what));
  }
  const std::int64_t index = *number;
  if (index < 0 || static_cast<std::uint64_t>(index) >= count) {
    throw InputError(count == 0 ? fmt::format("found {} {}, but there is none", what, index)
                                : fmt::format("found {} {}, expected 0 to {}", what, index, count - 1));
  }
  return static_cast<std::uint32_t>(index);
}

ConfigSource config_source(const py::dict& source)
{
  const auto texts = [&source](const char* name) {
    std::vector<std::string> all;
    for (const py::handle text : source[name]) {
      all.push_back(text_of(text, name));
    }
    return all;
  };
  std::optional<std::string> text;
  if (!source["text"].is_none()) {
    text = text_of(source["text"], "a configuration");
  }
  return {.file = path_of(source["file"]),
          .overrides = texts("overrides"),
          .removals = texts("removals"),
          .text = std::move(text)};
}

} // namespace wormcast
