#include "wormcast/experiments/validation/fit.hpp"

#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

__extension__ using WideTime = __int128; // picoseconds, and products of them

WideTime wide(Time time)
{
  return time.picoseconds;
}

/// The nearest whole number to a quotient of a positive divisor.
WideTime divided(WideTime dividend, WideTime divisor)
{
  const WideTime twice = 2 * dividend + divisor;
  return twice >= 0 ? twice / (2 * divisor) : -((2 * divisor - 1 - twice) / (2 * divisor));
}

/// S b T_c, rounded once.
WideTime bytes_time(const FitRule& rule, std::uint64_t bytes)
{
  return divided(static_cast<WideTime>(rule.messages) * bytes * rule.per_byte.picoseconds(), rule.per_byte.bytes());
}

/// The rows of a rule by their bytes.
class RuleRows {
public:
  RuleRows(const FitRule& rule, std::span<const MeasuredRow> rows) : rule_(rule)
  {
    for (const MeasuredRow& row : rows) {
      if (row.of.collective == rule.collective && row.of.shape == rule.shape && row.of.algorithm == rule.algorithm) {
        rows_.emplace(row.of.bytes, &row);
      }
    }
  }

  MeasuredCase named(std::uint64_t bytes) const
  {
    return {.collective = rule_.collective, .shape = rule_.shape, .algorithm = rule_.algorithm, .bytes = bytes};
  }

  WideTime time(std::uint64_t bytes, std::string_view key) const
  {
    const auto found = rows_.find(bytes);
    if (found == rows_.end()) {
      fail(key, fmt::format("found no measured row {}", case_text(named(bytes))));
    }
    return wide(found->second->median);
  }

  /// The rows of at least so many bytes.
  std::vector<const MeasuredRow*> from(std::uint64_t bytes) const
  {
    std::vector<const MeasuredRow*> some;
    for (auto at = rows_.lower_bound(bytes); at != rows_.end(); ++at) {
      some.push_back(at->second);
    }
    return some;
  }

  /// As a time. Throws InputError where it is below zero.
  Time checked(WideTime picoseconds, std::string_view what, std::string_view key) const
  {
    if (picoseconds < 0) {
      fail(key,
           fmt::format("these rows give {} of -{}, which is below 0: they do not behave as the formulas of [fit] say",
                       what, format_time(Time{static_cast<std::int64_t>(-picoseconds)})));
    }
    return Time{static_cast<std::int64_t>(picoseconds)};
  }

  [[noreturn]] void fail(std::string_view key, std::string_view text) const
  {
    throw_at(rule_.origin, fmt::format("fit.{}", key), text);
  }

private:
  const FitRule& rule_;
  std::map<std::uint64_t, const MeasuredRow*> rows_;
};

void add_time(FittedConstants& constants, const std::string& name, Time value, std::vector<MeasuredCase> rows)
{
  constants.values.times.emplace(name, value);
  constants.found.push_back({.name = name, .bytes = {}, .value = value, .rows = std::move(rows)});
}

std::string cases_text(const std::vector<MeasuredCase>& cases)
{
  std::string text = cases.empty() ? "given" : "";
  for (const MeasuredCase& one : cases) {
    text += text.empty() ? case_text(one) : ", " + format_bytes(one.bytes);
  }
  return text;
}

} // namespace

FittedConstants fit_constants(const FitRule& rule, std::span<const MeasuredRow> rows)
{
  const RuleRows of(rule, rows);
  const auto messages = static_cast<WideTime>(rule.messages);
  const std::uint64_t last = rule.short_bytes.back();
  const WideTime ready_messages =
      of.time(rule.ready_bytes, "ready") - of.time(last, "short") - bytes_time(rule, rule.ready_bytes - last); // S p
  WideTime short_sum = 0;
  std::vector<MeasuredCase> short_rows;
  for (const std::uint64_t bytes : rule.short_bytes) {
    short_sum += of.time(bytes, "short");
    short_rows.push_back(of.named(bytes));
  }
  FittedConstants constants;
  add_time(constants, "startup",
           of.checked(divided(ready_messages, messages) - wide(rule.per_hop), "a start-up", "ready"),
           {of.named(last), of.named(rule.ready_bytes)});
  const Time call = of.checked(divided(short_sum, static_cast<WideTime>(rule.short_bytes.size())) - ready_messages,
                               "a call", "short");
  add_time(constants, "call", call, short_rows);
  constants.values.times.emplace("per_hop", rule.per_hop);
  constants.values.times.emplace("per_byte", time_of_bytes(rule.per_byte, 1).value());
  constants.values.per_byte = rule.per_byte;
  std::map<std::uint64_t, Time>& additions = constants.values.tables["addition"];
  additions.emplace(rule.ready_bytes, Time{0});
  const std::vector<const MeasuredRow*> longer = of.from(rule.additions_from);
  if (longer.empty()) {
    of.fail("additions_from",
            fmt::format("found no measured row {} or more", case_text(of.named(rule.additions_from))));
  }
  for (const MeasuredRow* row : longer) {
    const WideTime all = wide(row->median) - wide(call) - 2 * ready_messages - bytes_time(rule, row->of.bytes);
    const Time addition = of.checked(divided(all, messages),
                                     fmt::format("an addition of {}", format_bytes(row->of.bytes)), "additions_from");
    additions.emplace(row->of.bytes, addition);
    constants.found.push_back({.name = "addition", .bytes = row->of.bytes, .value = addition, .rows = {row->of}});
  }
  return constants;
}

std::string fitted_table(const FittedConstants& constants)
{
  if (constants.found.empty()) {
    return {};
  }
  std::vector<std::vector<std::string>> lines = {{"constant", "us"}};
  std::vector<std::string> sources = {"found from"};
  for (const FittedConstant& one : constants.found) {
    lines.push_back({one.bytes ? fmt::format("{} of {}", one.name, format_bytes(*one.bytes)) : one.name,
                     format_microseconds(one.value)});
    sources.push_back(cases_text(one.rows) + (one.is_clamped ? " (predicted to take longer even without it)" : ""));
  }
  std::string text = "\n";
  std::string table = aligned(lines);
  std::size_t at = 0;
  for (const std::string& source : sources) {
    const std::size_t end = table.find('\n', at);
    text += fmt::format("{}  {}\n", table.substr(at, end - at), source);
    at = end + 1;
  }
  return text;
}

nlohmann::ordered_json fitted_json(const FittedConstants& constants)
{
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const FittedConstant& one : constants.found) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const MeasuredCase& row : one.rows) {
      rows.push_back(
          {{"collective", row.collective}, {"shape", row.shape}, {"algorithm", row.algorithm}, {"bytes", row.bytes}});
    }
    json.push_back({{"name", one.name},
                    {"bytes", one.bytes ? nlohmann::ordered_json(*one.bytes) : nlohmann::ordered_json(nullptr)},
                    {"us", exact_microseconds(one.value)},
                    {"clamped", one.is_clamped},
                    {"rows", std::move(rows)}});
  }
  return json;
}

} // namespace wormcast
