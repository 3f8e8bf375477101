#pragma once

#include "wormcast/simulator/traffic/broadcast_series.hpp"
#include "wormcast/values/parameter.hpp"

#include <span>

namespace wormcast {

/// The declarations of the keys of section [broadcast].
std::span<const Parameter> broadcast_declarations();

/// From values read against broadcast_declarations().
SeriesParameters series_parameters(const ParameterValues& values);

} // namespace wormcast
