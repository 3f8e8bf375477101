#pragma once

#include "wormcast/values/parameter.hpp"

#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// The [load] section of a configuration: which points of a latency-load curve are measured (docs/load.md).
struct LoadParameters {
  std::vector<double> points;      ///< ascending, each once; empty: they are chosen from the network's capacity
  bool saturation = true;          ///< between the last stable and the first saturated point more are measured
  std::optional<double> precision; ///< of that search, as a share of the load; none: traffic.precision
};

/// The declarations of the section's keys.
std::span<const Parameter> load_declarations();

/// From values read against load_declarations().
LoadParameters load_parameters(const ParameterValues& values);

} // namespace wormcast
