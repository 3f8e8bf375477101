#pragma once

#include "wormcast/experiments/load/measure_curves.hpp"
#include "wormcast/experiments/output/plot.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace wormcast {

/// The object of `wormcast load --json`, format wormcast-load/1 (docs/load.md).
nlohmann::ordered_json load_json(const LoadCurves& curves);

/// The text of results.csv: one line a point, the axes first. Latencies of saturated points are empty.
std::string load_csv(const LoadCurves& curves);

/// A table for people: the points of all curves, and for each its saturation.
std::string load_listing(const LoadCurves& curves);

/// Mean latency over accepted load, each curve's stable points with their intervals, with its zero-load latency and the
/// largest accepted load as lines. Cut off at eight times the largest zero-load latency.
Figure load_figure(const LoadCurves& curves, const std::string& title);

} // namespace wormcast
