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

/// Returns the object that `run --json` writes for a series, format wormcast-series/1 (docs/formats.md), with times as
/// exact numbers for json_text. `critical_path` is explanation_json; null: not requested, or there is none.
nlohmann::ordered_json series_json(const SeriesExperiment& experiment, const SeriesResult& result,
                                   const nlohmann::ordered_json& critical_path = nullptr);

/// The same as indented text.
std::string series_text(const SeriesExperiment& experiment, const SeriesResult& result,
                        const nlohmann::ordered_json& critical_path = nullptr);

/// Returns the undone part of the broadcasts of a series run `unchecked` (Completeness::undone); empty: none.
std::string undone_of_series(const SeriesExperiment& experiment, const SeriesResult& result);

/// The same for people: rows of name and value.
std::vector<std::pair<std::string, std::string>> series_rows(const SeriesExperiment& experiment,
                                                             const SeriesResult& result);

/// The rows as the table that `run` prints.
std::string series_table(const SeriesExperiment& experiment, const SeriesResult& result);

/// Returns lines with each waiting message, its channel and the holder; result.deadlock must be set.
std::string series_deadlock(const SeriesExperiment& experiment, const SeriesResult& result);

} // namespace wormcast
