#include "wormcast/experiments/config/toml_file.hpp"

#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

constexpr std::size_t most_key_parts = 16;

/// Returns the position after the string that begins at `at`. One without an end takes up the rest of its line, or of
/// the text.
std::size_t end_of_string(std::string_view text, std::size_t at)
{
  const char quote = text[at];
  const std::string three(3, quote);
  const bool long_string = text.substr(at).starts_with(three);
  for (std::size_t i = at + (long_string ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (long_string && text.substr(i).starts_with(three)) {
      return i + 3;
    } else if (!long_string && (text[i] == quote || text[i] == '\n')) {
      return i + 1;
    }
  }
  return text.size();
}

/// The line of the first dotted key with too many parts, for the parser recurses into them; 0: there is none.
std::uint32_t line_of_deep_key(std::string_view text)
{
  std::size_t parts = 1;
  std::size_t at = 0;
  while (at < text.size() && parts <= most_key_parts) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const bool ends_key = std::string_view("=[]{},\n").find(c) != std::string_view::npos;
    parts = ends_key ? 1 : parts + (c == '.' ? 1 : 0);
    ++at;
  }
  return parts <= most_key_parts ? 0 : static_cast<std::uint32_t>(1 + std::ranges::count(text.substr(0, at), '\n'));
}

/// All elements where each is a `Value`.
template <typename Value> std::optional<std::vector<Value>> elements(const toml::array& array)
{
  std::vector<Value> values;
  for (const toml::node& element : array) {
    const auto* value = element.as<Value>();
    if (value == nullptr) {
      return std::nullopt;
    }
    values.push_back(value->get());
  }
  return values;
}

std::optional<std::vector<double>> decimal_numbers(const toml::array& array)
{
  std::vector<double> numbers;
  for (const toml::node& element : array) {
    const std::optional<double> number = element.is_number() ? element.value<double>() : std::nullopt;
    if (!number) {
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  return numbers;
}

} // namespace

toml::table parse_toml_file(const std::filesystem::path& file)
{
  return parse_toml(read_whole_file(file), file);
}

toml::table parse_toml(std::string_view text, const std::filesystem::path& file)
{
  if (const std::uint32_t line = line_of_deep_key(text); line != 0) {
    throw InputError(fmt::format("{}:{}: a key of more than {} parts", file.string(), line, most_key_parts));
  }
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw InputError(
        fmt::format("{}: not valid TOML: {}", toml_origin(file, error.source()).text(), error.description()));
  }
}

Origin toml_origin(const std::filesystem::path& file, const toml::source_region& source)
{
  return {file.string(), static_cast<std::uint32_t>(source.begin.line),
          static_cast<std::uint32_t>(source.begin.column)};
}

std::optional<RawValue> raw_value(const toml::node& node, bool decimals)
{
  switch (node.type()) {
  case toml::node_type::boolean:
    return node.as_boolean()->get();
  case toml::node_type::integer:
    return node.as_integer()->get();
  case toml::node_type::floating_point:
    return node.as_floating_point()->get();
  case toml::node_type::string:
    return node.as_string()->get();
  case toml::node_type::array:
    if (auto numbers = elements<std::int64_t>(*node.as_array())) {
      return std::move(*numbers);
    }
    if (auto numbers = decimals ? decimal_numbers(*node.as_array()) : std::nullopt) {
      return std::move(*numbers);
    }
    if (auto texts = elements<std::string>(*node.as_array())) {
      return std::move(*texts);
    }
    if (const auto flags = elements<bool>(*node.as_array())) {
      std::vector<std::string> texts; // values/flag_list.hpp
      for (const bool flag : *flags) {
        texts.emplace_back(flag ? "true" : "false");
      }
      return texts;
    }
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

const toml::node& offending_node(const toml::node& node)
{
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& element : *array) {
      if (!element.is_integer()) {
        return element;
      }
    }
  }
  return node;
}

std::string describe(const toml::node& node)
{
  switch (node.type()) {
  case toml::node_type::table:
    return "a table";
  case toml::node_type::array:
    return "a list";
  case toml::node_type::date:
    return "a date";
  case toml::node_type::time:
    return "a time of day";
  case toml::node_type::date_time:
    return "a date and time";
  case toml::node_type::string:
    return fmt::format("\"{}\"", node.as_string()->get());
  case toml::node_type::integer:
    return fmt::format("{}", node.as_integer()->get());
  case toml::node_type::floating_point:
    return fmt::format("{}", node.as_floating_point()->get());
  case toml::node_type::boolean:
    return node.as_boolean()->get() ? "true" : "false";
  default:
    return "nothing";
  }
}

RawValue parse_override_value(std::string_view text, bool decimals)
{
  if (line_of_deep_key(text) != 0) {
    return std::string(text);
  }
  try {
    const toml::table table = toml::parse(fmt::format("value = {}", text));
    if (table.size() == 1) {
      if (auto value = raw_value(*table.get("value"), decimals)) {
        return std::move(*value);
      }
    }
  } catch (const toml::parse_error&) { // not TOML: a bare text
  }
  return std::string(text);
}

} // namespace wormcast
