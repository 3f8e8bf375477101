#include "wormcast/experiments/tuning_files/tuning_rules.hpp"

#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace wormcast {

namespace {

/// A row of the table that the library has, at one length.
struct LibraryRow {
  std::size_t row = 0;
  LibraryAlgorithm algorithm;
};

/// The rows that the library has, in the order of its table of algorithms and with their times, at one length.
class LengthOfTable {
public:
  LengthOfTable(TunedLibrary library, const CollectiveTable& table, std::size_t length, std::uint64_t ranks,
                bool ranks_are_nodes)
      : library_(library), table_(table), length_(length), ranks_(ranks), ranks_are_nodes_(ranks_are_nodes)
  {}

  bool has_time(std::size_t row) const
  {
    return table_.rows[row].runs[length_].state == CollectiveState::done && (ranks_are_nodes_ || !table_.rows[row].own);
  }

  Time time(std::size_t row) const { return table_.rows[row].runs[length_].latency; }

  std::optional<LibraryAlgorithm> in_library(std::size_t row) const
  {
    const CollectiveRow& one = table_.rows[row];
    return library_algorithm(library_, {.collective = table_.collective, .name = one.algorithm, .values = one.values},
                             ranks_, table_.lengths[length_]);
  }

  /// Whether SMPI's own implementation of the algorithm was timed: it predicts the library's better than a schedule.
  bool is_timed_by_smpi(const LibraryAlgorithm& algorithm) const
  {
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (!table_.rows[row].own && has_time(row) && in_library(row) == algorithm) {
        return true;
      }
    }
    return false;
  }

  /// The fastest that the library has; of equal ones the one that is `before`, else the first.
  std::optional<LibraryRow> fastest(const std::optional<LibraryAlgorithm>& before) const
  {
    std::optional<LibraryRow> best;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      std::optional<LibraryAlgorithm> algorithm = has_time(row) ? in_library(row) : std::nullopt;
      if (!algorithm || (table_.rows[row].own && is_timed_by_smpi(*algorithm))) {
        continue;
      }
      if (!best || time(row) < time(best->row) || (time(row) == time(best->row) && algorithm == before)) {
        best = {.row = row, .algorithm = std::move(*algorithm)};
      }
    }
    return best;
  }

  /// SMPI's fastest, where that is faster than `used`; what only chooses among others is none.
  std::optional<TimedAlgorithm> faster_than(Time used) const
  {
    std::optional<std::size_t> best;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const CollectiveRow& one = table_.rows[row];
      if (!one.own && has_time(row) && !is_selector(one.algorithm) && time(row) < (best ? time(*best) : used)) {
        best = row;
      }
    }
    if (!best) {
      return std::nullopt;
    }
    return TimedAlgorithm{.title = table_.rows[*best].title(), .latency = time(*best)};
  }

  std::optional<Time> selectors_time() const
  {
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (table_.rows[row].algorithm == selector_of(library_) && has_time(row)) {
        return time(row);
      }
    }
    return std::nullopt;
  }

private:
  TunedLibrary library_;
  const CollectiveTable& table_;
  std::size_t length_;
  std::uint64_t ranks_;
  bool ranks_are_nodes_;
};

/// Whether the library's rules count all blocks of a rank together.
bool counts_all_blocks(const TuningRules& rules)
{
  return rules.collective == "allgather" || (rules.collective == "alltoall" && rules.library == TunedLibrary::openmpi);
}

std::string algorithm_text(const LibraryAlgorithm& algorithm)
{
  return algorithm.segment == 0 ? algorithm.name
                                : fmt::format("{}, segments of {} bytes", algorithm.name, algorithm.segment);
}

} // namespace

std::uint64_t bytes_of_rule(const TuningRules& rules, std::uint64_t bytes)
{
  if (!counts_all_blocks(rules)) {
    return bytes;
  }
  if (bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / rules.ranks) {
    throw InputError(fmt::format("--lengths: {} blocks of {} bytes are too long for a rule", rules.ranks, bytes));
  }
  return bytes * rules.ranks;
}

std::vector<TuningRule> merged_rules(const TuningRules& rules)
{
  std::vector<TuningRule> merged;
  for (std::size_t i = 0; i < rules.lengths.size(); ++i) {
    if (!merged.empty() && rules.lengths[i].algorithm == rules.lengths[i - 1].algorithm) {
      merged.back().end = i + 1;
      continue;
    }
    merged.push_back(
        {.from = merged.empty() ? 0 : bytes_of_rule(rules, rules.lengths[i].bytes), .first = i, .end = i + 1});
  }
  return merged;
}

std::string excess_text(Time slower, Time faster)
{
  if (faster == Time{}) {
    return "any factor";
  }
  constexpr double smallest = 0.1;
  const double percent =
      100 * static_cast<double>(slower.picoseconds - faster.picoseconds) / static_cast<double>(faster.picoseconds);
  return percent < smallest ? "less than 0.1 %" : fmt::format("{:.1f} %", percent);
}

TuningRules rules_of_collectives(TunedLibrary library, const CollectiveTable& table, std::uint64_t ranks,
                                 bool ranks_are_nodes)
{
  TuningRules rules;
  rules.library = library;
  rules.collective = table.collective;
  rules.ranks = ranks;
  rules.command = "collectives";
  std::optional<LibraryAlgorithm> before;
  for (std::size_t i = 0; i < table.lengths.size(); ++i) {
    const LengthOfTable length(library, table, i, ranks, ranks_are_nodes);
    const std::optional<LibraryRow> best = length.fastest(before);
    if (!best) {
      rules.without.push_back(table.lengths[i]);
      continue;
    }
    before = best->algorithm;
    rules.lengths.push_back({.bytes = table.lengths[i],
                             .algorithm = best->algorithm,
                             .measured = {.title = table.rows[best->row].title(), .latency = length.time(best->row)},
                             .usual = length.selectors_time(),
                             .lost = length.faster_than(length.time(best->row))});
  }
  if (rules.lengths.empty()) {
    throw InputError(fmt::format("--format {}: no algorithm for {} that {} has gives a time here",
                                 tuned_library_names.text(library), table.collective, library_title(library)));
  }
  return rules;
}

std::string tuning_text(const TuningRules& rules)
{
  const bool has_selector =
      std::ranges::any_of(rules.lengths, [](const TunedLength& one) { return one.usual.has_value(); });
  std::vector<std::vector<std::string>> lines = {
      {fmt::format("rules for {}", library_title(rules.library)), "measured as", "us"}};
  if (has_selector) {
    lines.front().push_back(fmt::format("SMPI's {}", selector_of(rules.library)));
  }
  lines.front().insert(lines.front().end(), {"lost", "us", "slower by"});
  for (const TunedLength& length : rules.lengths) {
    std::vector<std::string> line = {
        fmt::format("{}: {}", format_bytes(length.bytes), algorithm_text(length.algorithm)), length.measured.title,
        format_microseconds(length.measured.latency)};
    if (has_selector) {
      line.push_back(length.usual ? format_microseconds(*length.usual) : "-");
    }
    if (length.lost) {
      line.insert(line.end(), {length.lost->title, format_microseconds(length.lost->latency),
                               excess_text(length.measured.latency, length.lost->latency)});
    } else {
      line.insert(line.end(), {"-", "-", "-"});
    }
    lines.push_back(std::move(line));
  }
  return aligned(lines);
}

std::vector<std::string> lost_texts(const TuningRules& rules)
{
  std::vector<std::string> texts;
  for (const TunedLength& length : rules.lengths) {
    if (length.lost) {
      texts.push_back(fmt::format("{}: {} does not have {}, {} us; {} takes {} us, {} more", format_bytes(length.bytes),
                                  library_title(rules.library), length.lost->title,
                                  format_microseconds(length.lost->latency), length.algorithm.name,
                                  format_microseconds(length.measured.latency),
                                  excess_text(length.measured.latency, length.lost->latency)));
    }
  }
  for (const std::uint64_t bytes : rules.without) {
    texts.push_back(
        fmt::format("{}: no algorithm that {} has gives a time", format_bytes(bytes), library_title(rules.library)));
  }
  return texts;
}

} // namespace wormcast
