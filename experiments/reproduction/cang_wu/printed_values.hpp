#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace wormcast::cang_wu {

/// The numbers of the papers, as printed.

/// a_1, a_2, ...: 2000, section 2.1.
inline constexpr std::array<std::int64_t, 5> printed_eye_distances = {1, 1, 3, 5, 11};

/// Coordinates of eyes on the meshes of side 2, 4 and 8: 2000, sections 2.1 and 3.1.
inline constexpr std::array<std::array<std::int64_t, 2>, 3> printed_eye_coordinates = {{{0, 1}, {1, 2}, {2, 5}}};

/// MD_1(E_1), MD_2(E_2), ... in 2-D: 1998, after eq. (10), up to 291; 2000, after eq. (3).
inline constexpr std::array<std::int64_t, 5> printed_eye_tcds_2d = {3, 15, 69, 291, 1197};

/// OD_1, OD_2, ... in 3-D: 2000, after eq. (13).
inline constexpr std::array<std::int64_t, 4> printed_eye_tcds_3d = {7, 63, 525, 4235};

/// MD_2(0,0), MD_3(0,0), MD_4(0,0): 1998, after eq. (9).
inline constexpr std::array<std::int64_t, 3> printed_corner_tcds = {18, 79, 318};

/// FD, SD and RD from the corners of 2 x 2, 4 x 4 and 8 x 8: 1998, section 2 (without the last); 2000, section 2.
inline constexpr std::array<std::array<std::int64_t, 3>, 3> printed_corner_steps = {
    {{1, 2, 0}, {2, 4, 12}, {7, 9, 63}}};

/// D_3(0,0) through the nodes (4,0), (0,4), (4,4), through (5,0), (0,5), (5,4) and through (5,1), (1,5), (5,5): 1998,
/// section 2.
inline constexpr std::array<std::int64_t, 3> printed_corner_examples = {84, 80, 79};

/// 2000, figure 5: the planes y = 0, 1, 2, 3 of the mesh 4 x 4 x 4, in each four rows.
inline constexpr std::array<std::array<std::array<std::int64_t, 4>, 4>, 4> printed_figure_5 = {{
    {{{72, 69, 69, 72}, {69, 66, 66, 69}, {69, 66, 66, 69}, {72, 69, 69, 72}}},
    {{{69, 66, 66, 69}, {66, 63, 63, 66}, {66, 63, 63, 66}, {69, 66, 66, 69}}},
    {{{69, 66, 66, 69}, {66, 63, 63, 66}, {66, 63, 63, 66}, {69, 66, 66, 69}}},
    {{{72, 69, 69, 72}, {69, 66, 66, 69}, {69, 66, 66, 69}, {72, 69, 69, 72}}},
}};

} // namespace wormcast::cang_wu
