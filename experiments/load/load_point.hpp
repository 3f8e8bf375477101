#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/sweep/sweep.hpp"
#include "wormcast/simulator/traffic/load_run.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace wormcast {

/// One point of a curve: an element of "points" of `wormcast load --json` (docs/load.md). Latencies are
/// null of a saturated point and of an undecided one, unless all that it lacks is an interval.
nlohmann::ordered_json load_point_json(const LoadExperiment& experiment, const LoadResult& result);

/// Simulates one point and puts it into words. A network that comes to a stop has the state deadlock.
ComputedPoint compute_load_point(const LoadExperiment& experiment, double load);

/// The effective configuration of one point of a curve: that of the curve with traffic.load, without [load].
nlohmann::ordered_json load_point_config(nlohmann::ordered_json curve, double load);

} // namespace wormcast
