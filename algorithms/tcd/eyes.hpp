#pragma once

#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/names.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace wormcast {

/// The eyes of Cang & Wu ("Minimizing Total Communication Distance of a Time-Step Optimal Broadcast in Mesh Networks",
/// IPPS/SPDP 1998; "Time-Step Optimal Broadcasting in 3-D Meshes with Minimum Total Communication Distance", J.
/// Parallel Distrib. Comput. 60, 2000): nodes from which, and through which, a broadcast in d*k steps on a mesh of side
/// 2^k has a small total communication distance (TCD, the sum of the hops of all messages). The eyes of a mesh are the
/// products of two coordinates that all axes have in common, so everything here is per axis. Positions are relative to
/// the (sub)mesh of side 2^k; the level k is at most `most_tcd_level`.

inline constexpr unsigned most_tcd_level = 61;

/// a_k = (2^k - (-1)^k) / 3, the side of the eye-square or eye-cube: 0, 1, 1, 3, 5, 11, 21, ... from k = 0 on.
/// 1998, eq. (2); 2000, eqs. (1) and (4).
std::int64_t eye_distance(unsigned k);

/// The two coordinates that eyes have on an axis; high - low = a_k.
struct EyeCoordinates {
  std::int64_t low = 0;
  std::int64_t high = 0;

  friend bool operator==(EyeCoordinates, EyeCoordinates) = default;
};

/// (2^(k+1) + (-1)^k) / 6 - 1/2 and (2^(k+2) - (-1)^k) / 6 - 1/2. 2000, sections 2.1 and 3.1.
EyeCoordinates eye_coordinates(unsigned k);

/// Whether every coordinate is one of eye_coordinates(k). 1998, definitions 2 and 5; 2000, definitions 1, 2 and 7.
bool is_eye(std::span<const std::int64_t> position, unsigned k);

/// u_k: the distance of a position outwards from the eye in its half; negative towards the centre. In (-a_k/2, 2^(k-1)
/// - (a_k+1)/2]. 1998, section 3; 2000, figure 4.
std::int64_t eye_offset(std::int64_t position, unsigned k);

/// The targets of messages of level k >= 1 on one axis, for a source at `position`. Each is an eye coordinate of level
/// k-1 of its half.
struct AxisTargets {
  std::int64_t near = 0;     ///< the eye coordinate of level k in the half of the source
  std::int64_t mirrored = 0; ///< the one in the other half
  std::int64_t outer = 0;    ///< `near` moved a_(k-1) outwards
  std::int64_t closest = 0;  ///< `near` or `outer`, whichever is closer to the source; a_(k-1) is odd: no ties
};
AxisTargets axis_targets(std::int64_t position, unsigned k);

/// min(|u|, |u - a_(k-1)|): the distance of the source from AxisTargets::closest.
std::int64_t closest_target_distance(std::int64_t u, unsigned k);

/// Whether the source at offset u is closer to the outer than to the inner eye coordinate: u > a_(k-1)/2.
bool is_outside(std::int64_t u, unsigned k);

/// Number of the region, 1 = (i) .. 6 = (vi), of offset (u, v); u belongs to the axis that is crossed first.
/// 1998, eq. (5) and figure 6. The paper's upper ends 2^(k-1) - 1 - a_k/2 leave out the outermost nodes; here they are
/// 2^(k-1) - 1/2 - a_k/2.
int region_2d(std::int64_t u, std::int64_t v, unsigned k);

/// Number of the cubic region, 1 = (I) .. 4 = (IV); u belongs to the axis that is crossed first, v to the second.
/// 2000, definition 6 and figure 4b, upper ends corrected as in region_2d.
int region_3d(std::int64_t u, std::int64_t v, unsigned k);

/// Number of the cubic region, 1 = (i) .. 9 = (ix), of theorem 1 and figure 7 of 2000, upper ends corrected.
int theorem_1_region(std::int64_t u, std::int64_t v, unsigned k);

/// The order in which the levels cross the axes. The papers rotate the mesh until the source is in submesh 1, which
/// leaves this open.
enum class AxisOrder {
  paper, ///< the papers' at every level: x, y in 2-D; x, z, y in 3-D; else by number. Gives the papers' formulas.
  best,  ///< at each level axes with a larger gain first: the least that any order gives
  naive  ///< as `paper`, but the source always sends to the inner eyes (gives figure 5 of 2000)
};

/// Choices of minimum_tcd's parameter "order".
inline constexpr auto axis_order_names =
    names<AxisOrder>({{AxisOrder::paper, "paper"}, {AxisOrder::best, "best"}, {AxisOrder::naive, "naive"}});

/// Returns the gain of crossing an axis one position earlier, |u| - min(|u|, |u - a_(k-1)|).
std::int64_t crossing_gain(std::int64_t u, unsigned k);

/// A number for each axis; only the first ones of as many as the mesh has dimensions have a meaning.
using AxisValues = std::array<std::int64_t, max_grid_dimensions>;

/// The axes in the order in which level k crosses them.
struct CrossingOrder {
  std::array<std::size_t, max_grid_dimensions> axes{};
  std::size_t count = 0;

  std::span<const std::size_t> view() const { return {axes.data(), count}; }
};

/// The order for a source with these offsets.
CrossingOrder crossing_order(AxisOrder order, std::span<const std::int64_t> offsets, unsigned k);

} // namespace wormcast
