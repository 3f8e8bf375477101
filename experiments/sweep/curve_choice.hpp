#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace wormcast {

/// The points of a curve: y by x.
using CurveValues = std::map<double, double>;

/// Positions, ascending, of the `most` curves that matter most where small values are good: those that are the lowest
/// at some x, then those whose values are, on the geometric mean over their x, the fewest times the lowest one's there.
/// Where there are values up to 0, distances as shares of the largest one take the place of ratios. Of equal curves the
/// first come first.
std::vector<std::size_t> curves_near_envelope(std::span<const CurveValues> curves, std::size_t most);

} // namespace wormcast
