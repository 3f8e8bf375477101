#include "wormcast/experiments/python/values.hpp"

#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <optional>
#include <pybind11/stl.h>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

namespace py = pybind11;

[[noreturn]] void refuse_value(py::handle value)
{
  throw InputError(fmt::format("found {}, expected a truth value, a number, a text or a list of numbers or texts",
                               py::repr(value).cast<std::string>()));
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
    throw py::error_already_set();
  }
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) {
    throw InputError(fmt::format("found {}, expected a whole number of 64 bits", py::str(index).cast<std::string>()));
  }
  return number;
}

RawValue raw_list(const py::sequence& values)
{
  std::vector<py::object> elements;
  for (py::handle element : values) {
    elements.push_back(py::reinterpret_borrow<py::object>(element));
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
    return values.cast<std::vector<double>>();
  }
  if (all([](py::handle element) { return py::isinstance<py::str>(element); })) {
    return values.cast<std::vector<std::string>>();
  }
  refuse_value(values);
}

} // namespace

RawValue raw_value(py::handle value)
{
  if (py::isinstance<py::bool_>(value)) {
    return value.cast<bool>();
  }
  if (py::hasattr(value, "tolist")) { // an array or a number of NumPy
    return raw_value(value.attr("tolist")());
  }
  if (is_whole_number(value)) {
    return whole_number(value);
  }
  if (py::isinstance<py::float_>(value)) {
    return value.cast<double>();
  }
  if (py::isinstance<py::str>(value)) {
    return value.cast<std::string>();
  }
  if (py::hasattr(value, "__fspath__")) {
    return value.attr("__fspath__")().cast<std::string>();
  }
  if (py::isinstance<py::sequence>(value) && !py::isinstance<py::bytes>(value)) {
    return raw_list(py::reinterpret_borrow<py::sequence>(value));
  }
  refuse_value(value);
}

std::map<std::string, RawValue, std::less<>> raw_values(const py::dict& values)
{
  std::map<std::string, RawValue, std::less<>> raw;
  for (const auto& [name, value] : values) {
    const auto key = name.cast<std::string>();
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
  return py::module_::import("json").attr("loads")(text);
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

void check_index(std::int64_t index, std::uint64_t count, std::string_view what)
{
  if (index < 0 || static_cast<std::uint64_t>(index) >= count) {
    throw InputError(count == 0 ? fmt::format("found {} {}, but there is none", what, index)
                                : fmt::format("found {} {}, expected 0 to {}", what, index, count - 1));
  }
}

ConfigSource config_source(const py::dict& source)
{
  return {.file = source["file"].cast<std::string>(),
          .overrides = source["overrides"].cast<std::vector<std::string>>(),
          .removals = source["removals"].cast<std::vector<std::string>>(),
          .text = source["text"].cast<std::optional<std::string>>()};
}

} // namespace wormcast
