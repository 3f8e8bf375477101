#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// Runs a series (simulate_series), by the engine alone. Throws InputError as make_series_experiment does.
SeriesResult run_series(const SeriesExperiment& experiment);

/// The object that `run --json` writes of a series, format wormcast-series/1 (docs/formats.md), with times as exact
/// numbers for json_text. `critical_path` is explanation_json; null: not asked for, or there is none.
nlohmann::ordered_json series_json(const SeriesExperiment& experiment, const SeriesResult& result,
                                   const nlohmann::ordered_json& critical_path = nullptr);

/// The same as indented text.
std::string series_text(const SeriesExperiment& experiment, const SeriesResult& result,
                        const nlohmann::ordered_json& critical_path = nullptr);

/// What the broadcasts of a series that was run `unchecked` leave undone (Completeness::undone); empty: nothing.
std::string undone_of_series(const SeriesExperiment& experiment, const SeriesResult& result);

/// The same for people: rows of name and value.
std::vector<std::pair<std::string, std::string>> series_rows(const SeriesExperiment& experiment,
                                                             const SeriesResult& result);

/// The rows as the table that `run` prints.
std::string series_table(const SeriesExperiment& experiment, const SeriesResult& result);

/// Lines that say who waits for which channel, held by whom; result.deadlock is there.
std::string series_deadlock(const SeriesExperiment& experiment, const SeriesResult& result);

} // namespace wormcast
