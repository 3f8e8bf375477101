#include "wormcast/experiments/validation/row_filter.hpp"

#include "wormcast/experiments/validation/pattern.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

using Condition = std::function<bool(const MeasuredRow&)>;

Condition matches_text(std::string MeasuredCase::* member, std::string_view pattern)
{
  return [member, pattern = std::string(pattern)](const MeasuredRow& row) {
    return matches_pattern(pattern, row.of.*member);
  };
}

Condition has_ports(std::string_view text)
{
  std::uint32_t ports = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ports);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw InputError(fmt::format("found \"{}\", expected a number of ports", printable(text)));
  }
  return [ports](const MeasuredRow& row) { return row.ports == ports; };
}

Condition has_bytes(std::string_view text)
{
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    return [bytes = parse_bytes(text)](const MeasuredRow& row) { return row.of.bytes == bytes; };
  }
  const std::string_view from = text.substr(0, dots);
  const std::string_view to = text.substr(dots + 2);
  const std::uint64_t least = from.empty() ? 0 : parse_bytes(from);
  const std::uint64_t greatest = to.empty() ? std::numeric_limits<std::uint64_t>::max() : parse_bytes(to);
  return [least, greatest](const MeasuredRow& row) { return least <= row.of.bytes && row.of.bytes <= greatest; };
}

Condition read_condition(std::string_view text)
{
  const std::size_t equals = text.find('=');
  const std::string_view column = text.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  if (!value.empty()) {
    if (column == "collective") {
      return matches_text(&MeasuredCase::collective, value);
    }
    if (column == "shape") {
      return matches_text(&MeasuredCase::shape, value);
    }
    if (column == "algorithm") {
      return matches_text(&MeasuredCase::algorithm, value);
    }
    if (column == "ports") {
      return has_ports(value);
    }
    if (column == "bytes") {
      return has_bytes(value);
    }
  }
  throw InputError(
      fmt::format("found \"{}\", expected COLUMN=VALUE with a column of collective, shape, algorithm, ports, bytes",
                  printable(text)));
}

} // namespace

std::vector<MeasuredRow> filtered_rows(std::vector<MeasuredRow> rows, std::span<const std::string> conditions)
{
  for (const std::string& condition : conditions) {
    const Condition holds = read_condition(condition);
    std::erase_if(rows, [&](const MeasuredRow& row) { return !holds(row); });
  }
  if (rows.empty()) {
    throw InputError(conditions.empty() ? "found no measured row"
                                        : fmt::format("found no measured row with {}", fmt::join(conditions, ", ")));
  }
  return rows;
}

} // namespace wormcast
