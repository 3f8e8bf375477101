#pragma once

#include "wormcast/topologies/grid.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace wormcast {

/// The topology as a mesh or torus, whose dimensions are all lines or all rings. Throws InputError that names the
/// algorithm if it is neither, or has both lines and rings.
const Grid& require_grid(const Topology& topology, std::string_view algorithm);

/// The same for an algorithm that asks each dimension by itself: lines and rings may be mixed.
const Grid& require_any_grid(const Topology& topology, std::string_view algorithm);

/// Returns n if `size` is 2^n. Throws InputError with algorithm and dimension if it is not.
unsigned require_power_of_two(const Grid& grid, std::size_t dimension, std::string_view algorithm);

} // namespace wormcast
