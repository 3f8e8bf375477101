#include "wormcast/values/parameter.hpp"

#include "wormcast/values/flag_list.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/renamed_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

constexpr std::int64_t unlimited = std::int64_t{1} << 62;

std::string describe(const RawValue& raw)
{
  struct Describe {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
    std::string operator()(double value) const { return fmt::format("{:#}", value); } // 8.0 is not 8
    std::string operator()(const std::string& value) const { return fmt::format("\"{}\"", value); }
    std::string operator()(const std::vector<std::int64_t>& value) const { return fmt::format("{}", value); }
    std::string operator()(const std::vector<double>& value) const { return fmt::format("{}", value); }
    std::string operator()(const std::vector<std::string>& value) const { return fmt::format("{}", value); }
  };
  return std::visit(Describe{}, raw);
}

/// " from 1 to 8", " of at least 1", or nothing.
std::string range_text(std::int64_t minimum, std::int64_t maximum, std::string (*format)(std::int64_t))
{
  if (maximum < unlimited) {
    return fmt::format(" from {} to {}", format(minimum), format(maximum));
  }
  return fmt::format(" of at least {}", format(minimum));
}

/// " above 0 up to 1", " above 0".
std::string decimal_range(const Parameter& parameter)
{
  return parameter.maximum < unlimited ? fmt::format(" above 0 up to {}", parameter.maximum) : " above 0";
}

std::string format_integer(std::int64_t value)
{
  return fmt::format("{}", value);
}

/// Long limits are powers of two, which are hard to read: "0s", "1ps", "2305843s (2^61 ps)".
std::string format_picoseconds(std::int64_t value)
{
  constexpr std::int64_t second = 1'000'000'000'000;
  const auto bits = static_cast<std::uint64_t>(value);
  return std::has_single_bit(bits) && value > second
             ? fmt::format("{}s (2^{} ps)", value / second, std::countr_zero(bits))
             : format_time({value});
}

std::string quoted_list(std::span<const std::string> names)
{
  std::vector<std::string> quoted;
  for (const std::string& name : names) {
    quoted.push_back(fmt::format("\"{}\"", name));
  }
  return fmt::format("{}", fmt::join(quoted, ", "));
}

/// Returns whether it is a number above all values of a parameter without a limit of its own.
bool is_beyond_all(const RawValue& raw)
{
  constexpr auto largest = static_cast<double>(unlimited);
  if (const auto* whole = std::get_if<std::int64_t>(&raw)) {
    return *whole > unlimited;
  }
  if (const auto* number = std::get_if<double>(&raw)) {
    return *number > largest;
  }
  const auto* text = std::get_if<std::string>(&raw); // more than 64 bits
  return text != nullptr && !text->empty() && text->find_first_not_of("0123456789") == std::string::npos &&
         std::strtod(text->c_str(), nullptr) > largest;
}

[[noreturn]] void throw_unexpected(const Parameter& parameter, const RawValue& raw, std::string_view remark = {})
{
  const bool names_limit = parameter.maximum == unlimited && is_beyond_all(raw);
  throw InputError(fmt::format("found {}{}, expected {}{}", describe(raw), remark, expectation(parameter),
                               names_limit ? fmt::format(", and of at most 2^62 ({})", unlimited) : std::string()));
}

bool in_range(const Parameter& parameter, std::int64_t value)
{
  return value >= parameter.minimum && value <= parameter.maximum;
}

ParameterValue read_integer(const Parameter& parameter, const RawValue& raw)
{
  if (const auto* value = std::get_if<std::int64_t>(&raw); value != nullptr && in_range(parameter, *value)) {
    return *value;
  }
  const auto* word = std::get_if<std::string>(&raw);
  if (word == nullptr ||
      std::find(parameter.choices.begin(), parameter.choices.end(), *word) == parameter.choices.end()) {
    throw_unexpected(parameter, raw);
  }
  return *word;
}

ParameterValue read_choice(const Parameter& parameter, const RawValue& raw)
{
  const auto* text = std::get_if<std::string>(&raw);
  if (text == nullptr) {
    throw_unexpected(parameter, raw);
  }
  if (std::find(parameter.choices.begin(), parameter.choices.end(), *text) == parameter.choices.end()) {
    const std::string nearest = nearest_name(*text, parameter.choices);
    throw InputError(fmt::format("found {}, expected {}{}", describe(raw), expectation(parameter),
                                 nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
  }
  return *text;
}

/// Nothing where `raw` is no list of "true" and "false".
std::optional<std::vector<std::int64_t>> read_flags(const RawValue& raw)
{
  const auto* texts = std::get_if<std::vector<std::string>>(&raw);
  if (texts == nullptr) {
    return std::nullopt;
  }
  std::vector<std::int64_t> flags;
  for (const std::string& text : *texts) {
    if (text != "true" && text != "false") {
      return std::nullopt;
    }
    flags.push_back(text == "true" ? 1 : 0);
  }
  return flags;
}

ParameterValue read_integers(const Parameter& parameter, const RawValue& raw)
{
  if (is_flag_list(parameter)) {
    if (auto flags = read_flags(raw)) {
      return *std::move(flags);
    }
  }
  const auto* values = std::get_if<std::vector<std::int64_t>>(&raw);
  if (values == nullptr || values->empty()) {
    throw_unexpected(parameter, raw);
  }
  for (std::size_t i = 0; i < values->size(); ++i) {
    if (!in_range(parameter, (*values)[i])) {
      throw_unexpected(parameter, raw, fmt::format(", whose number {} is {}", i + 1, (*values)[i]));
    }
  }
  return *values;
}

ParameterValue read_texts(const Parameter& parameter, const RawValue& raw)
{
  const auto* texts = std::get_if<std::vector<std::string>>(&raw);
  if (texts == nullptr || texts->empty() || texts->front().empty()) {
    throw_unexpected(parameter, raw);
  }
  return *texts;
}

ParameterValue read_time(const Parameter& parameter, const RawValue& raw)
{
  const auto* text = std::get_if<std::string>(&raw);
  if (text == nullptr) {
    const bool number = std::holds_alternative<std::int64_t>(raw) || std::holds_alternative<double>(raw);
    throw_unexpected(parameter, raw, number ? " without a unit" : "");
  }
  const Time time = parse_time(*text);
  if (!in_range(parameter, time.picoseconds)) {
    throw_unexpected(parameter, raw);
  }
  return time;
}

ParameterValue read_byte_time(const Parameter& parameter, const RawValue& raw)
{
  const auto* text = std::get_if<std::string>(&raw);
  if (text == nullptr) {
    return read_time(parameter, raw);
  }
  const ByteTime time = parse_byte_time(*text);
  if (time.picoseconds() == 0 || time.picoseconds() / time.bytes() >= parameter.maximum + (time.bytes() == 1 ? 1 : 0)) {
    throw_unexpected(parameter, raw);
  }
  return byte_time_value(time);
}

ParameterValue read_bytes(const Parameter& parameter, const RawValue& raw)
{
  std::int64_t bytes = 0;
  if (const auto* text = std::get_if<std::string>(&raw)) {
    bytes = static_cast<std::int64_t>(parse_bytes(*text));
  } else if (const auto* number = std::get_if<std::int64_t>(&raw)) {
    bytes = *number;
  } else {
    throw_unexpected(parameter, raw);
  }
  if (!in_range(parameter, bytes)) {
    throw_unexpected(parameter, raw);
  }
  return bytes;
}

ParameterValue read_node(const Parameter& parameter, const RawValue& raw)
{
  if (const auto* id = std::get_if<std::int64_t>(&raw); id != nullptr && *id >= 0) {
    return *id;
  }
  if (const auto* coordinates = std::get_if<std::vector<std::int64_t>>(&raw);
      coordinates != nullptr && !coordinates->empty()) {
    return *coordinates;
  }
  if (const auto* name = std::get_if<std::string>(&raw); name != nullptr && !name->empty()) {
    return *name;
  }
  throw_unexpected(parameter, raw);
}

ParameterValue read_nodes(const Parameter& parameter, const RawValue& raw)
{
  const auto* names = std::get_if<std::vector<std::string>>(&raw);
  if (names != nullptr && !names->empty() && std::ranges::none_of(*names, &std::string::empty)) {
    return *names;
  }
  return read_integers(parameter, raw);
}

ParameterValue read_ports(const Parameter& parameter, const RawValue& raw)
{
  if (const auto* text = std::get_if<std::string>(&raw); text != nullptr && *text == "all") {
    return std::int64_t{0};
  }
  if (const auto* number = std::get_if<std::int64_t>(&raw);
      number != nullptr && *number >= 1 && in_range(parameter, *number)) {
    return *number;
  }
  throw_unexpected(parameter, raw);
}

/// A whole number is a decimal one as well.
std::optional<double> decimal(const RawValue& raw)
{
  if (const auto* whole = std::get_if<std::int64_t>(&raw)) {
    return static_cast<double>(*whole);
  }
  const auto* number = std::get_if<double>(&raw);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

/// Whether a parameter of decimal numbers can have it.
bool is_good_number(const Parameter& parameter, double value)
{
  return std::isfinite(value) && value > 0 && value <= static_cast<double>(parameter.maximum);
}

ParameterValue read_number(const Parameter& parameter, const RawValue& raw)
{
  const std::optional<double> value = decimal(raw);
  if (!value || !is_good_number(parameter, *value)) {
    throw_unexpected(parameter, raw);
  }
  return *value;
}

ParameterValue read_numbers(const Parameter& parameter, const RawValue& raw)
{
  if (std::holds_alternative<std::string>(raw)) {
    return read_choice(parameter, raw);
  }
  std::vector<double> numbers;
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&raw)) {
    numbers.assign(whole->begin(), whole->end());
  } else if (const auto* decimals = std::get_if<std::vector<double>>(&raw)) {
    numbers = *decimals;
  } else if (const std::optional<double> single = decimal(raw)) {
    numbers = {*single};
  }
  if (numbers.empty() ||
      !std::ranges::all_of(numbers, [&](double value) { return is_good_number(parameter, value); })) {
    throw_unexpected(parameter, raw);
  }
  return numbers;
}

ParameterValue read_extent(const Parameter& parameter, const RawValue& raw)
{
  if (const auto* messages = std::get_if<std::int64_t>(&raw); messages != nullptr && in_range(parameter, *messages)) {
    return *messages;
  }
  const auto* text = std::get_if<std::string>(&raw);
  if (text == nullptr) {
    throw_unexpected(parameter, raw);
  }
  if (std::ranges::find(parameter.choices, *text) != parameter.choices.end()) {
    return *text;
  }
  if (text->find_first_of("0123456789") == std::string::npos) {
    throw_unexpected(parameter, raw);
  }
  return parse_time(*text);
}

[[noreturn]] void throw_unknown_name(std::string_view name, std::span<const std::string> known)
{
  const std::string nearest = meant_key(name, known);
  if (!nearest.empty()) {
    throw InputError(fmt::format("unknown key \"{}\"; did you mean \"{}\"?", name, nearest));
  }
  throw InputError(known.empty() ? fmt::format("unknown key \"{}\"; there are no keys here", name)
                                 : fmt::format("unknown key \"{}\"; known are {}", name, quoted_list(known)));
}

} // namespace

ByteTime byte_time_of(const ParameterValue& value)
{
  if (const auto* whole = std::get_if<Time>(&value)) {
    return *whole;
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    throw std::logic_error("the value of a parameter is no time of a byte");
  }
  return parse_byte_time(*text);
}

ParameterValue byte_time_value(ByteTime time)
{
  return time.bytes() == 1 ? ParameterValue(Time{time.picoseconds()}) : ParameterValue(format_byte_time(time));
}

ParameterValue read_parameter(const Parameter& parameter, const RawValue& raw)
{
  switch (parameter.type) {
  case ParameterType::boolean:
    if (const auto* value = std::get_if<bool>(&raw)) {
      return *value;
    }
    throw_unexpected(parameter, raw);
  case ParameterType::integer:
    return read_integer(parameter, raw);
  case ParameterType::choice:
    return read_choice(parameter, raw);
  case ParameterType::text:
    if (const auto* value = std::get_if<std::string>(&raw)) {
      return *value;
    }
    throw_unexpected(parameter, raw);
  case ParameterType::file:
    if (const auto* value = std::get_if<std::string>(&raw); value != nullptr && !value->empty()) {
      if (const std::size_t zero = value->find('\0'); zero != std::string::npos) { // the system would read up to it
        throw InputError(fmt::format("found a zero byte behind \"{}\", expected a file name", value->substr(0, zero)));
      }
      return *value;
    }
    throw_unexpected(parameter, raw);
  case ParameterType::integers:
    return read_integers(parameter, raw);
  case ParameterType::texts:
    return read_texts(parameter, raw);
  case ParameterType::time:
    return read_time(parameter, raw);
  case ParameterType::byte_time:
    return read_byte_time(parameter, raw);
  case ParameterType::bytes:
    return read_bytes(parameter, raw);
  case ParameterType::node:
    return read_node(parameter, raw);
  case ParameterType::nodes:
    return read_nodes(parameter, raw);
  case ParameterType::ports:
    return read_ports(parameter, raw);
  case ParameterType::number:
    return read_number(parameter, raw);
  case ParameterType::numbers:
    return read_numbers(parameter, raw);
  case ParameterType::extent:
    return read_extent(parameter, raw);
  }
  throw std::logic_error("a parameter type that does not exist");
}

ParameterValues read_parameters(std::span<const Parameter> parameters,
                                const std::map<std::string, RawValue, std::less<>>& raw)
{
  std::vector<std::string> known;
  for (const Parameter& parameter : parameters) {
    known.push_back(parameter.name);
  }
  for (const auto& entry : raw) {
    if (std::find(known.begin(), known.end(), entry.first) == known.end()) {
      throw_unknown_name(entry.first, known);
    }
  }
  ParameterValues values;
  for (const Parameter& parameter : parameters) {
    const auto found = raw.find(parameter.name);
    if (found != raw.end()) {
      try {
        values.set(parameter.name, read_parameter(parameter, found->second));
      } catch (const InputError& error) {
        throw InputError(fmt::format("\"{}\": {}", parameter.name, error.what()));
      }
    } else if (parameter.fallback) {
      values.set(parameter.name, *parameter.fallback);
    } else if (!parameter.optional) {
      throw InputError(fmt::format("\"{}\" is missing, expected {}", parameter.name, expectation(parameter)));
    }
  }
  return values;
}

std::string expectation(const Parameter& parameter)
{
  const std::int64_t minimum = parameter.minimum;
  const std::int64_t maximum = parameter.maximum;
  switch (parameter.type) {
  case ParameterType::boolean:
    return "true or false";
  case ParameterType::integer:
    return "a whole number" + range_text(minimum, maximum, format_integer) +
           (parameter.choices.empty() ? "" : ", or " + quoted_list(parameter.choices));
  case ParameterType::choice:
    return (parameter.choices.size() > 1 ? "one of " : "") + quoted_list(parameter.choices);
  case ParameterType::text:
    return "a text";
  case ParameterType::file:
    return "a file name";
  case ParameterType::integers:
    return is_flag_list(parameter) ? "a list of true and false"
                                   : "a list of whole numbers" + range_text(minimum, maximum, format_integer);
  case ParameterType::texts:
    return "a list of texts";
  case ParameterType::time:
    return "a time with a unit, such as \"150us\"" +
           (minimum == 0 && maximum >= unlimited
                ? std::string()
                : fmt::format(",{}", range_text(minimum, maximum, format_picoseconds)));
  case ParameterType::byte_time:
    return fmt::format("a time with a unit, such as \"500ns\" or \"157.5ps\", above 0s up to {}",
                       format_picoseconds(maximum));
  case ParameterType::bytes:
    return "a whole number of bytes, such as 4096 or \"4KiB\"," + range_text(minimum, maximum, format_integer);
  case ParameterType::node:
    return "a node id (a whole number of at least 0), a list of coordinates or a name";
  case ParameterType::nodes:
    return "a list of node ids" + range_text(minimum, maximum, format_integer) + " or of names";
  case ParameterType::ports:
    return "a whole number" + range_text(std::max<std::int64_t>(minimum, 1), maximum, format_integer) + ", or \"all\"";
  case ParameterType::number:
    return "a number" + decimal_range(parameter);
  case ParameterType::numbers:
    return "a list of numbers" + decimal_range(parameter) +
           (parameter.choices.empty() ? "" : ", or " + quoted_list(parameter.choices));
  case ParameterType::extent:
    return "a time with a unit, such as \"150us\", a number of messages" +
           range_text(minimum, maximum, format_integer) +
           (parameter.choices.empty() ? "" : ", or " + quoted_list(parameter.choices));
  }
  throw std::logic_error("a parameter type that does not exist");
}

} // namespace wormcast
