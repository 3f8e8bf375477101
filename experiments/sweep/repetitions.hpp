#pragma once

#include "wormcast/experiments/sweep/run_table.hpp"
#include "wormcast/experiments/sweep/statistics.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// Whether runs of the table differ in their seed.
bool has_repetitions(const RunTable& table);

/// Runs that differ in nothing but their seed.
struct RepeatedRuns {
  std::vector<std::string> setting; ///< cells of the axes but run.seed
  std::vector<std::size_t> rows;    ///< of the table
};

/// All rows in groups, in the order in which the table first has them.
std::vector<RepeatedRuns> repeated_runs(const RunTable& table);

/// The numbers in a column of the runs that are done.
std::vector<double> values_of(const RunTable& table, const RepeatedRuns& runs, std::size_t column);

/// The text of statistics.csv: for each setting and each quantity that is a number, how many runs have it, how many
/// runs are not done, and the statistics.
std::string statistics_csv(const RunTable& table);

/// The latencies' statistics for people: a line for each setting, at most 40.
std::string statistics_listing(const RunTable& table);

/// The numbers of one rival by seed; none: not done.
using BySeed = std::map<std::string, std::optional<double>>;

/// Two rivals that ran under the same setting with the same seeds.
struct PairedDifference {
  std::vector<std::string> setting; ///< cells of the axes that tell neither rivals nor seeds
  std::string first;                ///< "scatter_collect"
  std::string second;
  std::optional<Statistics>
      difference;           ///< shown_latency of the second minus that of the first, us; none: no common seed
  double first_mean = 0;    ///< of the runs that were paired, us
  std::size_t unpaired = 0; ///< seeds of which one or both are not done
};

/// The difference of two rivals, without their names and setting.
PairedDifference paired_difference(const BySeed& first, const BySeed& second);

/// Which of the two is faster.
enum class Faster { not_decided, first, second };

/// By the interval of the mean difference: the one on whose side all of it lies. Where there is no interval, by the
/// sign test: the one that is faster with every seed, of at least 6 (2 * 2^-6 < 5 %).
Faster faster_of(const PairedDifference& paired);

/// The rivals of a sweep with repetitions, each pair in the order of the sweep. None where one has no rival.
std::vector<PairedDifference> paired_differences(const RunTable& table);

/// The text of differences.csv.
std::string differences_csv(const RunTable& table, const std::vector<PairedDifference>& differences);

/// The same for people; at most 40 lines.
std::string differences_listing(const RunTable& table, const std::vector<PairedDifference>& differences);

} // namespace wormcast
