#pragma once

#include "wormcast/algorithms/tcd/eyes.hpp"

#include <cstdint>
#include <span>

namespace wormcast {

/// Closed forms of Cang & Wu 1998 and 2000 (named in tcd_eyes.hpp) for the total communication distance of broadcasts
/// through the eyes on a mesh with d axes of side 2^k. All are exact; a result that does not fit into 63 bits throws
/// std::overflow_error. Offsets are those of eye_offset.

/// f_k: by how much level k >= 1 costs more from a source with these offsets, given in the order in which the axes are
/// crossed, than from an eye. The axis at place r = 1..d adds u + (r-1)|u| + (d-r) min(|u|, |u - a_(k-1)|).
/// 1998, eq. (5) for d = 2; 2000, eq. (7) for d = 3; any d.
std::int64_t level_excess(std::span<const std::int64_t> offsets, unsigned k);

/// The same where the source always sends to the inner eyes: an axis adds u + (d-1)|u|, in whatever order.
std::int64_t naive_level_excess(std::span<const std::int64_t> offsets);

/// f_k by the six regions of 1998, eq. (5); u belongs to the axis that is crossed first.
std::int64_t level_excess_2d(std::int64_t u, std::int64_t v, unsigned k);

/// f_k by the four regions of 2000, definition 6, eq. (7); the axes are crossed in the order u, v, w.
std::int64_t level_excess_3d(std::int64_t u, std::int64_t v, std::int64_t w, unsigned k);

/// f_k by the nine regions of 2000, theorem 1: the terms that precede 7 a_k + D_(k-1)(S) + 7 D_(k-1)(E_(k-1)).
std::int64_t theorem_1_excess(std::int64_t u, std::int64_t v, std::int64_t w, unsigned k);

/// TCD of a unit mesh of side 2: 2^d - 1. 1998, eq. (11); 2000, eq. (14).
std::int64_t unit_mesh_tcd(unsigned d);

/// TCD from an eye at level k >= 1 by that of level k-1: (2^d - 1) a_k + 2^d previous.
/// 1998, eqs. (3), (12); 2000, eqs. (2), (6), (12), (15). 2000 starts eq. (12) with MD_1 = 3; it is unit_mesh_tcd(3)
/// = 7.
std::int64_t next_optimal_tcd(unsigned d, unsigned k, std::int64_t previous);

/// OD_k, the TCD from an eye, d >= 1, k >= 0. 1998, eq. (13); 2000, theorem 6, eq. (16), for d >= 2 (with d = 1 the
/// papers' form is 0/0); optimal_tcd_line for d = 1. For k <= 3 no broadcast in d*k steps has less (degree_bound).
std::int64_t optimal_tcd(unsigned d, unsigned k);

/// (3k 2^k + 2^k - (-1)^k) / 9: OD of a line, derived from eq. (12) of 1998 with d = 1.
std::int64_t optimal_tcd_line(unsigned k);

/// (3 * 2^(2k+1) - (-1)^k) / 5 - 2^k. 1998, eq. (10); 2000, eq. (3).
std::int64_t optimal_tcd_2d(unsigned k);

/// 7/27 (2^(3k+2) - (-1)^k - 3 * 2^k). 1998, eq. (14); 2000, theorem 5, eq. (13).
std::int64_t optimal_tcd_3d(unsigned k);

/// TCD from the corner of a 2-D mesh at level k >= 2 by those of level k-1 from corner and eye:
/// 5 * 2^(k-1) - 2 - 2 a_(k-1) + corner + 3 eye. 1998, eq. (8).
std::int64_t next_corner_tcd_2d(unsigned k, std::int64_t corner, std::int64_t eye);

/// 6/5 2^(2k) + 4/3 2^k - 2k - (-1)^k/30 - 5/2: TCD from the corner of a 2-D mesh, k >= 1. 1998, eq. (9).
std::int64_t corner_tcd_2d(unsigned k);

/// Offsets of a node of a 2-D mesh from an eye, in that eye's own axes.
struct EyeOffsets2d {
  std::int64_t u = 0;
  std::int64_t v = 0;
};

/// FD + SD: hops of the first two steps of a broadcast from `source` in submesh 1 through arbitrary nodes of submeshes
/// 2, 3 and 4. Offsets are relative to the eyes of level k >= 1 and positive outwards of the submeshes' own
/// eye-squares, that is towards the centre of the mesh; those of the source away from it. Submeshes 2 and 3 have their
/// u axis where the source has v. 1998, appendix, FD and SD before eq. (16).
std::int64_t two_step_distance(EyeOffsets2d source, EyeOffsets2d second, EyeOffsets2d third, EyeOffsets2d fourth,
                               unsigned k);

/// Sum of f_j, j = 2..k, from a source at `position` of a mesh with sides 2^k, each f_j within its aligned submesh of
/// side 2^j. 1998, eq. (7); 2000, eq. (11). Cost O(k d log d).
std::int64_t source_excess(std::span<const std::int64_t> position, unsigned k, AxisOrder order);

/// TCD(s) = source_excess + OD_k. 1998, eqs. (4), (7); 2000, eqs. (8), (11).
std::int64_t source_tcd(std::span<const std::int64_t> position, unsigned k, AxisOrder order);

} // namespace wormcast
