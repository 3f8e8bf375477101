#include "wormcast/experiments/tuning_files/exact_rules.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace wormcast {

namespace {

/// The run of the row of this title at a length; none where there is none.
const CollectiveRun* find_run(const CollectiveTable& table, const std::string& title, std::uint64_t bytes)
{
  const auto length = std::ranges::find(table.lengths, bytes);
  const auto row = std::ranges::find(table.rows, title, &CollectiveRow::title);
  return length == table.lengths.end() || row == table.rows.end() ? nullptr
                                                                  : &row->runs[length - table.lengths.begin()];
}

/// The rows of `table` at its lengths and at those of `more`, whose runs count where both have one.
CollectiveTable with_lengths(const CollectiveTable& table, const CollectiveTable& more)
{
  std::set<std::uint64_t> lengths(table.lengths.begin(), table.lengths.end());
  lengths.insert(more.lengths.begin(), more.lengths.end());
  CollectiveTable both = table;
  both.lengths.assign(lengths.begin(), lengths.end());
  for (CollectiveRow& row : both.rows) {
    const std::string title = row.title();
    row.runs.clear();
    for (const std::uint64_t bytes : both.lengths) {
      const CollectiveRun* run = find_run(more, title, bytes);
      run = run == nullptr ? find_run(table, title, bytes) : run;
      row.runs.push_back(run == nullptr ? CollectiveRun() : *run);
    }
  }
  return both;
}

/// The rows that the library has at some length, and the one that chooses as it does.
std::vector<std::string> rows_in_library(TunedLibrary library, const CollectiveTable& table, std::uint64_t ranks)
{
  std::vector<std::string> titles;
  for (const CollectiveRow& row : table.rows) {
    const bool is_there = std::ranges::any_of(table.lengths, [&](std::uint64_t bytes) {
      return library_algorithm(library, {table.collective, row.algorithm, row.values}, ranks, bytes).has_value();
    });
    if (is_there || row.algorithm == selector_of(library)) {
      titles.push_back(row.title());
    }
  }
  return titles;
}

/// The middle between each two lengths with different winners.
std::vector<std::uint64_t> open_lengths_of(const TuningRules& rules)
{
  std::vector<std::uint64_t> middles;
  for (std::size_t i = 1; i < rules.lengths.size(); ++i) {
    const TunedLength& low = rules.lengths[i - 1];
    const TunedLength& high = rules.lengths[i];
    if (low.measured.title != high.measured.title && high.bytes - low.bytes > 1) {
      middles.push_back(low.bytes + (high.bytes - low.bytes) / 2);
    }
  }
  return middles;
}

/// The first lengths of winners that are not among `lengths`.
std::vector<std::uint64_t> boundaries_of(const TuningRules& rules, const std::vector<std::uint64_t>& lengths)
{
  std::vector<std::uint64_t> boundaries;
  for (std::size_t i = 1; i < rules.lengths.size(); ++i) {
    const bool begins = rules.lengths[i - 1].measured.title != rules.lengths[i].measured.title;
    if (begins && std::ranges::find(lengths, rules.lengths[i].bytes) == lengths.end()) {
      boundaries.push_back(rules.lengths[i].bytes);
    }
  }
  return boundaries;
}

std::vector<std::string> titles_of(const CollectiveTable& table)
{
  std::vector<std::string> titles;
  for (const CollectiveRow& row : table.rows) {
    titles.push_back(row.title());
  }
  return titles;
}

} // namespace

ExactRules exact_rules(TunedLibrary library, CollectiveTable table, std::uint64_t ranks, bool ranks_are_nodes,
                       const TimeCollectives& time)
{
  const std::vector<std::uint64_t> given = table.lengths;
  const std::vector<std::string> in_library = rows_in_library(library, table, ranks);
  ExactRules result;
  const auto add = [&](const std::vector<std::string>& titles, const std::vector<std::uint64_t>& lengths) {
    const CollectiveTable more = time(titles, lengths);
    result.interrupted_by = more.interrupted_by;
    result.has_gaps = more.has_gaps;
    if (more.interrupted_by == 0 && !more.has_gaps) {
      table = with_lengths(table, more);
    }
    return more.interrupted_by == 0 && !more.has_gaps;
  };
  result.rules = rules_of_collectives(library, table, ranks, ranks_are_nodes);
  for (auto middles = open_lengths_of(result.rules); !middles.empty(); middles = open_lengths_of(result.rules)) {
    if (!add(in_library, middles)) {
      return result;
    }
    result.rules = rules_of_collectives(library, table, ranks, ranks_are_nodes);
  }
  const std::vector<std::uint64_t> boundaries = boundaries_of(result.rules, given);
  if (!boundaries.empty() && !add(titles_of(table), boundaries)) {
    return result;
  }
  result.rules = rules_of_collectives(library, table, ranks, ranks_are_nodes);
  std::erase_if(result.rules.lengths, [&](const TunedLength& one) {
    return std::ranges::find(given, one.bytes) == given.end() &&
           std::ranges::find(boundaries, one.bytes) == boundaries.end();
  });
  return result;
}

} // namespace wormcast
