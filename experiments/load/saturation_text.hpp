#pragma once

#include "wormcast/experiments/load/measure_curves.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace wormcast {

/// "saturation" of a curve in `wormcast load --json`.
nlohmann::ordered_json saturation_json(const LoadCurve& curve);

/// What is known of the saturation of a curve that was measured with one seed, for people: the two loads between which
/// it lies, or that it is not bracketed and where it lies, or that the verdicts are not monotone in the load; then what
/// undecided points need. Lines with their ends.
std::string saturation_text(const LoadCurve& curve);

} // namespace wormcast
