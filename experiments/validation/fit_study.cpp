#include "wormcast/experiments/validation/fit.hpp"
#include "wormcast/experiments/validation/row_filter.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace wormcast {

namespace {

/// An entry of a table in terms of the time that is looked for.
struct ScaledEntry {
  std::uint64_t bytes = 0;
  double factor = 1;
};

[[noreturn]] void fail_constant(const ConstantRule& rule, std::string_view key, std::string_view text)
{
  throw_at(rule.origin, key.empty() ? "constant" : fmt::format("constant.{}", key),
           fmt::format("{}: {}", printable(rule.name), text));
}

std::vector<MeasuredRow> rows_of(const ConstantRule& rule, std::span<const MeasuredRow> rows)
{
  std::vector<MeasuredRow> some;
  std::ranges::copy_if(rows, std::back_inserter(some),
                       [&](const MeasuredRow& row) { return matches(rule.rows, row.of); });
  try {
    const std::vector<std::string> conditions =
        rule.bytes.empty() ? std::vector<std::string>{} : std::vector{"bytes=" + rule.bytes};
    some = filtered_rows(std::move(some), conditions);
  } catch (const InputError& error) {
    fail_constant(rule, "bytes", error.what());
  }
  std::ranges::sort(some, {}, &MeasuredRow::of);
  if (rule.entries.empty() && some.size() > 1) {
    fail_constant(rule, "",
                  fmt::format("found {} measured rows for one time, expected one: {}, {}, ...", some.size(),
                              case_text(some[0].of), case_text(some[1].of)));
  }
  return some;
}

ScaledEntry read_entry(const ConstantRule& rule, const std::string& text, const MeasuredRow& row)
{
  ScaledEntry entry;
  try {
    const std::string filled = with_row_values(text, row, {});
    const std::size_t blank = filled.find(' ');
    entry.bytes = parse_bytes(filled.substr(0, blank));
    if (blank != std::string::npos) {
      const char* const end = filled.data() + filled.size();
      const auto [behind, error] = std::from_chars(filled.data() + blank + 1, end, entry.factor);
      const bool in_range = entry.factor > 0 && entry.factor <= 1e6;
      if (error != std::errc() || behind != end || !in_range) {
        throw InputError(fmt::format("found \"{}\", expected BYTES, or BYTES FACTOR", printable(text)));
      }
    }
  } catch (const InputError& error) {
    fail_constant(rule, "entries", error.what());
  }
  if (entry.bytes == 0) {
    fail_constant(rule, "entries", fmt::format("found \"{}\", expected a number of bytes above 0", printable(text)));
  }
  return entry;
}

/// Finds the time of one rule and one row.
class ConstantSearch {
public:
  ConstantSearch(const ValidationStudy& study, const ConstantRule& rule, const MeasuredRow& row,
                 const FittedConstants& known, const PredictRow& predict)
      : study_(study), rule_(rule), row_(row), known_(known), predict_(predict)
  {
    for (const std::string& text : rule.entries) {
      entries_.push_back(read_entry(rule, text, row));
    }
  }

  /// The known constants with this one.
  FittedValues with(Time time) const
  {
    FittedValues values = known_.values;
    if (entries_.empty()) {
      if (!values.times.emplace(rule_.name, time).second || values.tables.contains(rule_.name)) {
        fail_constant(rule_, "name", "found twice");
      }
      return values;
    }
    if (values.times.contains(rule_.name)) {
      fail_constant(rule_, "name", "found twice");
    }
    for (const ScaledEntry& entry : entries_) {
      if (!values.tables[rule_.name].emplace(entry.bytes, scaled_time(time, entry)).second) {
        fail_constant(rule_, "entries",
                      fmt::format("found an entry for {}, which the table has already", format_bytes(entry.bytes)));
      }
    }
    return values;
  }

  /// The least time with which the row takes what was measured; none where it takes longer even without.
  std::optional<Time> find() const
  {
    const Time without = predicted(Time{0});
    if (without >= row_.median) {
      return without == row_.median ? std::optional(Time{0}) : std::nullopt;
    }
    Bracket bracket{.low = 0, .high = 0, .missing = (row_.median - without).picoseconds, .surplus = 0};
    const double least_factor = entries_.empty() ? 1 : std::ranges::min(entries_, {}, &ScaledEntry::factor).factor;
    bracket.high =
        static_cast<std::int64_t>(std::ceil(static_cast<double>(bracket.missing) / std::min(1.0, least_factor)));
    bracket.surplus = surplus(bracket.high);
    if (bracket.surplus < 0) {
      fail_constant(rule_, "",
                    fmt::format("{} is predicted to take {} whatever it is, measured were {}", case_text(row_.of),
                                format_time(without), format_time(row_.median)));
    }
    for (int round = 1; bracket.high - bracket.low > 1; ++round) {
      const std::int64_t tried = bracket.next(round);
      const std::int64_t above = surplus(tried);
      if (above < 0) {
        bracket.low = tried;
        bracket.missing = -above;
      } else {
        bracket.high = tried;
        bracket.surplus = above;
      }
    }
    return Time{bracket.high};
  }

  void record(Time time, bool is_clamped, std::vector<FittedConstant>& found) const
  {
    if (entries_.empty()) {
      found.push_back({.name = rule_.name, .bytes = {}, .value = time, .rows = {row_.of}, .is_clamped = is_clamped});
    }
    for (const ScaledEntry& entry : entries_) {
      found.push_back({.name = rule_.name,
                       .bytes = entry.bytes,
                       .value = scaled_time(time, entry),
                       .rows = {row_.of},
                       .is_clamped = is_clamped});
    }
  }

private:
  /// Two times, with the first of which the row is predicted to take less than was measured, with the second not.
  struct Bracket {
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::int64_t missing = 0; ///< with the first, greater than 0
    std::int64_t surplus = 0; ///< with the second

    /// A time between them. A prediction is a straight line of it in pieces, so that nearly always the line between
    /// both ends meets what was measured; every third time it is the middle, which ends the search in any case.
    std::int64_t next(int round) const
    {
      constexpr int rounds_to_middle = 3;
      if (round % rounds_to_middle == 0) {
        return low + (high - low) / 2;
      }
      __extension__ using Wide = __int128;
      const Wide step = Wide{missing} * (high - low) / (Wide{missing} + surplus);
      return low + std::clamp(static_cast<std::int64_t>(step), std::int64_t{1}, high - low - 1);
    }
  };

  /// By how much the row is predicted to take longer than was measured.
  std::int64_t surplus(std::int64_t time) const { return (predicted(Time{time}) - row_.median).picoseconds; }

  static Time scaled_time(Time time, const ScaledEntry& entry)
  {
    return Time{std::llround(entry.factor * static_cast<double>(time.picoseconds))};
  }

  Time predicted(Time time) const
  {
    try {
      const std::optional<StudiedRow> studied = configuration_changes(study_, rule_.model, row_, with(time));
      if (!studied) {
        throw InputError("no [[algorithm]] is about it");
      }
      return predict_(*studied);
    } catch (const InputError& error) {
      fail_constant(rule_, "", fmt::format("{} is not predicted: {}", case_text(row_.of), error.what()));
    }
  }

  const ValidationStudy& study_;
  const ConstantRule& rule_;
  const MeasuredRow& row_;
  const FittedConstants& known_;
  const PredictRow& predict_;
  std::vector<ScaledEntry> entries_;
};

/// A constant that the study gives.
void add_given(const ConstantRule& rule, FittedConstants& constants)
{
  if (constants.values.times.contains(rule.name) || constants.values.tables.contains(rule.name)) {
    fail_constant(rule, "name", "found twice");
  }
  try {
    if (rule.value.find(' ') == std::string::npos) {
      constants.values.times.emplace(rule.name, parse_time(rule.value));
      constants.found.push_back({.name = rule.name, .bytes = {}, .value = parse_time(rule.value), .rows = {}});
      return;
    }
    const TimeTable table = read_time_table(rule.value);
    for (const TimeTable::Entry& entry : table.entries()) {
      constants.values.tables[rule.name].emplace(entry.bytes, entry.time);
      constants.found.push_back({.name = rule.name, .bytes = entry.bytes, .value = entry.time, .rows = {}});
    }
  } catch (const InputError& error) {
    fail_constant(rule, "value", error.what());
  }
}

} // namespace

FittedConstants fit_study(const ValidationStudy& study, std::span<const MeasuredRow> rows, const PredictRow& predict)
{
  FittedConstants constants = study.fit ? fit_constants(*study.fit, rows) : FittedConstants{};
  for (const ConstantRule& rule : study.constants) {
    if (!rule.value.empty()) {
      add_given(rule, constants);
      continue;
    }
    for (const MeasuredRow& row : rows_of(rule, rows)) {
      const ConstantSearch search(study, rule, row, constants, predict);
      const std::optional<Time> time = search.find();
      search.record(time.value_or(Time{0}), !time, constants.found);
      constants.values = search.with(time.value_or(Time{0}));
    }
  }
  return constants;
}

} // namespace wormcast
