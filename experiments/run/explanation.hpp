#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/traffic/series_paths.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace wormcast {

/// Returns the text of `run --explain`: the messages of the critical path in time order, each with its segments and the
/// messages for which it waited, then the sums by cause, which add up to the latency.
std::string explanation_text(const Experiment& experiment, const Schedule& schedule, const CriticalPath& path);

/// The same as the key `critical_path` of a result (docs/formats.md).
nlohmann::ordered_json explanation_json(const Experiment& experiment, const Schedule& schedule,
                                        const CriticalPath& path);

/// The same for a series: the path of its slowest broadcast, its messages named as in the records of the series, with
/// the sums of all broadcasts next to its own.
std::string explanation_text(const SeriesExperiment& experiment, const SeriesPaths& paths);

/// The same as the key `critical_path` of a result of a series (docs/formats.md).
nlohmann::ordered_json explanation_json(const SeriesExperiment& experiment, const SeriesPaths& paths);

} // namespace wormcast
