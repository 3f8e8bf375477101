#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/sweep/sweep.hpp"
#include "wormcast/simulator/traffic/load_run.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace wormcast {

/// One point of a curve: an element of "points" of `wormcast load --json`, its quantities, the histograms of its
/// latencies, and the figures of its nodes and pairs where they are asked for.
nlohmann::ordered_json load_point_json(const LoadExperiment& experiment, const LoadResult& result);

/// The same of a load at which the network came to a stop, or at which nothing was measured.
nlohmann::ordered_json saturated_point_json(double load);

/// Simulates one point and reports it. A network that stops has the state deadlock.
ComputedPoint compute_load_point(const LoadExperiment& experiment, double load);

/// The effective configuration of one point of a curve: that of the curve with traffic.load, without [load].
nlohmann::ordered_json load_point_config(nlohmann::ordered_json curve, double load);

} // namespace wormcast
