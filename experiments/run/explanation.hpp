#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/run/path_account.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/traffic/series_paths.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// How much is told of a critical path.
enum class PathDetail : std::uint8_t {
  none,    ///< nothing
  summary, ///< a screen: the sums by cause and by group, and the longest parts of the path; a short path as a whole
  all      ///< this and all messages of the path
};

/// What explanation_text shows.
struct ExplanationOptions {
  PathDetail detail = PathDetail::summary;
  std::vector<PathGrouping> groupings = {}; ///< empty: word_groupings(), or where there are none node_groupings()
};

/// Returns the text of `run --explain`: the sums by cause, which add up to the latency, then those by group and the
/// longest parts of the path, then with PathDetail::all the messages of the path in time order, each with its segments
/// and the messages for which it waited.
std::string explanation_text(const Experiment& experiment, const Schedule& schedule, const CriticalPath& path,
                             const ExplanationOptions& options = {});

/// The same as the key `critical_path` of a result (docs/formats.md), with all groups.
nlohmann::ordered_json explanation_json(const Experiment& experiment, const Schedule& schedule,
                                        const CriticalPath& path, const std::vector<PathGrouping>& groupings = {});

/// The same for a series: the path of its slowest broadcast, its messages named as in the records of the series, with
/// the sums of all broadcasts next to its own.
std::string explanation_text(const SeriesExperiment& experiment, const SeriesPaths& paths,
                             const ExplanationOptions& options = {});

/// The same as the key `critical_path` of a result of a series (docs/formats.md).
nlohmann::ordered_json explanation_json(const SeriesExperiment& experiment, const SeriesPaths& paths);

/// Returns the text of `load --explain`: the mean times of messages of a list by cause, which add up to their mean
/// latency, next to those of the slowest, and the slowest with its segments.
std::string explanation_text(const Experiment& experiment, const Schedule& schedule, const MessageTimes& times);

/// The same as the key `explanation` of a point of `load --json` (docs/load.md).
nlohmann::ordered_json explanation_json(const Experiment& experiment, const Schedule& schedule,
                                        const MessageTimes& times);

} // namespace wormcast
