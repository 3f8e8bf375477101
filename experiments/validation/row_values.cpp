#include "wormcast/experiments/validation/row_values.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

namespace wormcast {

namespace {

using TimesByBytes = std::map<std::uint64_t, Time>;

constexpr std::string_view row_placeholders = "{bytes}, {ports}, {nodes}, {log2_nodes}, {dims}, {reversed_dims}";

/// The sizes of "4x4x8".
std::vector<std::uint64_t> sizes_of(const std::string& shape)
{
  std::vector<std::uint64_t> sizes;
  const char* at = shape.data();
  const char* const end = at + shape.size();
  while (true) {
    std::uint64_t size = 0;
    const auto [behind, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size == 0 || (behind != end && *behind != 'x')) {
      throw InputError(fmt::format("shape: found \"{}\", expected sizes such as 4x4x8", printable(shape)));
    }
    sizes.push_back(size);
    if (behind == end) {
      return sizes;
    }
    at = behind + 1;
  }
}

std::uint64_t node_count(const std::string& shape)
{
  std::uint64_t nodes = 1;
  for (const std::uint64_t size : sizes_of(shape)) {
    if (nodes > std::numeric_limits<std::uint32_t>::max() / size) {
      throw InputError(fmt::format("shape: found \"{}\", expected fewer than 2^32 nodes", printable(shape)));
    }
    nodes *= size;
  }
  return nodes;
}

std::string list_text(const std::vector<std::uint64_t>& numbers)
{
  return fmt::format("[{}]", fmt::join(numbers, ","));
}

/// The number that a name stands for, or a number itself; none: neither.
std::optional<std::uint64_t> number_of(std::string_view name, const MeasuredRow& row)
{
  if (name == "bytes") {
    return row.of.bytes;
  }
  if (name == "ports") {
    if (!row.ports) {
      throw InputError("ports: not known of this row");
    }
    return *row.ports;
  }
  if (name == "nodes") {
    return node_count(row.of.shape);
  }
  if (name == "log2_nodes") {
    return std::bit_width(node_count(row.of.shape) - 1);
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

/// "bytes", "bytes/ports/64*ports": from the left, what is behind a slash divides what is before, rounded up. None: it
/// is no such text.
std::optional<std::uint64_t> number_value(std::string_view text, const MeasuredRow& row)
{
  const std::size_t sign = text.find_last_of("*/");
  if (sign == std::string_view::npos) {
    return number_of(text, row);
  }
  const std::optional<std::uint64_t> left = number_value(text.substr(0, sign), row);
  const std::optional<std::uint64_t> right = number_of(text.substr(sign + 1), row);
  if (!left || !right) {
    return std::nullopt;
  }
  if (text[sign] == '*') {
    if (*right != 0 && *left > std::numeric_limits<std::int64_t>::max() / *right) {
      throw InputError(fmt::format("found {{{}}}, expected a number below 2^63", printable(text)));
    }
    return *left * *right;
  }
  if (*right == 0) {
    return std::nullopt;
  }
  return *left / *right + (*left % *right == 0 ? 0 : 1);
}

constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max() / 2; // ps

[[noreturn]] void refuse_time(std::string_view text)
{
  throw InputError(fmt::format("found {{{}}}, expected a time of at most 2^62 ps", printable(text)));
}

/// `time` times `factor`; `text` has both.
Time times(Time time, std::uint64_t factor, std::string_view text)
{
  if (factor != 0 && static_cast<std::uint64_t>(time.picoseconds) > longest / factor) {
    refuse_time(text);
  }
  return Time{time.picoseconds * static_cast<std::int64_t>(factor)};
}

/// `time` through `divisor`, rounded up to picoseconds.
Time divided(Time time, std::uint64_t divisor)
{
  const auto picoseconds = static_cast<std::uint64_t>(time.picoseconds);
  return Time{static_cast<std::int64_t>(picoseconds / divisor + (picoseconds % divisor == 0 ? 0 : 1))};
}

/// The sum of two times; `text` has both.
Time plus(Time one, Time other, std::string_view text)
{
  if (one.picoseconds > longest - other.picoseconds) {
    refuse_time(text);
  }
  return one + other;
}

/// A constant that is multiplied and divided from the left, rounded up to picoseconds: "peer*log2_nodes", "threads/2".
std::optional<Time> product(std::string_view text, const MeasuredRow& row, const FittedValues& fitted)
{
  const std::size_t sign = text.find_last_of("*/");
  if (sign == std::string_view::npos) {
    const auto found = fitted.times.find(std::string(text));
    return found == fitted.times.end() ? std::nullopt : std::optional(found->second);
  }
  const std::optional<Time> time = product(text.substr(0, sign), row, fitted);
  const std::optional<std::uint64_t> number = number_of(text.substr(sign + 1), row);
  if (!time || !number || (text[sign] == '/' && *number == 0)) {
    return std::nullopt;
  }
  return text[sign] == '*' ? times(*time, *number, text) : divided(*time, *number);
}

/// "call+peer*log2_nodes".
std::optional<Time> sum(std::string_view text, const MeasuredRow& row, const FittedValues& fitted)
{
  const std::size_t sign = text.rfind('+');
  const std::optional<Time> last = product(sign == std::string_view::npos ? text : text.substr(sign + 1), row, fitted);
  if (sign == std::string_view::npos || !last) {
    return last;
  }
  const std::optional<Time> first = sum(text.substr(0, sign), row, fitted);
  return first ? std::optional(plus(*first, *last, text)) : std::nullopt;
}

/// A table whose times are multiplied and divided from the left, rounded up to picoseconds: "copy*log2_nodes/ports".
std::optional<TimesByBytes> table_product(std::string_view text, const MeasuredRow& row, const FittedValues& fitted)
{
  const std::size_t sign = text.find_last_of("*/");
  if (sign == std::string_view::npos) {
    const auto found = fitted.tables.find(std::string(text));
    return found == fitted.tables.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<TimesByBytes> table = table_product(text.substr(0, sign), row, fitted);
  const std::optional<std::uint64_t> number = number_value(text.substr(sign + 1), row);
  if (!table || !number || (text[sign] == '/' && *number == 0)) {
    return std::nullopt;
  }
  for (auto& [bytes, time] : *table) {
    time = text[sign] == '*' ? times(time, *number, text) : divided(time, *number);
  }
  return table;
}

/// "copy*2+copy*log2_nodes", of tables with entries for the same bytes.
std::optional<TimesByBytes> table_sum(std::string_view text, const MeasuredRow& row, const FittedValues& fitted)
{
  const std::size_t sign = text.rfind('+');
  std::optional<TimesByBytes> last =
      table_product(sign == std::string_view::npos ? text : text.substr(sign + 1), row, fitted);
  if (sign == std::string_view::npos || !last) {
    return last;
  }
  std::optional<TimesByBytes> sum = table_sum(text.substr(0, sign), row, fitted);
  if (!sum) {
    return std::nullopt;
  }
  if (!std::ranges::equal(
          *sum, *last, {}, [](const auto& entry) { return entry.first; },
          [](const auto& entry) { return entry.first; })) {
    throw InputError(fmt::format("found {{{}}}, expected tables with entries for the same bytes", printable(text)));
  }
  for (auto& [bytes, time] : *sum) {
    time = plus(time, last->at(bytes), text);
  }
  return sum;
}

std::vector<std::string> constant_names(const FittedValues& fitted)
{
  std::vector<std::string> names;
  for (const auto& [name, time] : fitted.times) {
    names.push_back(fmt::format("{{{}}}", name));
  }
  for (const auto& [name, table] : fitted.tables) {
    names.push_back(fmt::format("{{{}}}", name));
  }
  return names;
}

std::string placeholder_value(std::string_view name, const MeasuredRow& row, const FittedValues& fitted)
{
  if (name == "dims" || name == "reversed_dims") {
    std::vector<std::uint64_t> sizes = sizes_of(row.of.shape);
    if (name == "reversed_dims") {
      std::ranges::reverse(sizes);
    }
    return list_text(sizes);
  }
  if (const auto table = table_sum(name, row, fitted)) {
    return fitted_table_text(*table);
  }
  if (const std::optional<std::uint64_t> number = number_value(name, row)) {
    return fmt::to_string(*number);
  }
  if (name == "per_byte" && fitted.times.contains("per_byte") && fitted.per_byte.bytes() > 1) {
    return format_byte_time(fitted.per_byte);
  }
  if (const std::optional<Time> time = sum(name, row, fitted)) {
    return format_time(*time);
  }
  std::string known = std::string(row_placeholders);
  for (const std::string& constant : constant_names(fitted)) {
    known += ", " + constant;
  }
  throw InputError(fmt::format("found {{{}}}, expected one of {}, or a number that others divide ({{bytes/ports/64}})",
                               printable(name), known));
}

/// Whether it consists of names and numbers with signs between them.
bool is_placeholder(std::string_view text)
{
  constexpr std::string_view signs = "/+*";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return signs.find(c) != std::string_view::npos || is_plain_name(std::string_view(&c, 1));
  });
}

} // namespace

std::string fitted_table_text(const std::map<std::uint64_t, Time>& table)
{
  std::vector<TimeTable::Entry> entries;
  for (const auto& [bytes, time] : table) {
    entries.push_back({.bytes = bytes, .time = time});
  }
  return time_table_text(TimeTable(std::move(entries)));
}

std::string with_row_values(const std::string& text, const MeasuredRow& row, const FittedValues& fitted)
{
  std::string replaced;
  std::vector<std::size_t> open; // where braces that are not closed yet begin
  for (const char c : text) {
    replaced += c;
    if (c == '{') {
      open.push_back(replaced.size() - 1);
    } else if (c == '}' && !open.empty()) {
      const std::size_t begin = open.back();
      open.pop_back();
      const std::string name = replaced.substr(begin + 1, replaced.size() - begin - 2);
      if (is_placeholder(name)) {
        replaced.replace(begin, std::string::npos, placeholder_value(name, row, fitted));
      }
    }
  }
  return replaced;
}

} // namespace wormcast
