#pragma once

#include "wormcast/experiments/load/measure_curves.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace wormcast {

/// The object of `wormcast load --json`, format wormcast-load/1 (docs/load.md).
nlohmann::ordered_json load_json(const LoadCurves& curves);

/// The text of results.csv: one line a point, the axes first. What a point does not have is empty.
std::string load_csv(const LoadCurves& curves);

/// A table for people: the points of all curves, and for each its saturation; of curves that were measured with several
/// seeds the means over the seeds.
std::string load_listing(const LoadCurves& curves);

} // namespace wormcast
