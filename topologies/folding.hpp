#pragma once

#include "wormcast/topologies/grid.hpp"

#include <cstddef>
#include <vector>

namespace wormcast {

/// The axes of a box through which a dimension is folded: long ones, which together are one path, a snake that passes
/// the first axis again for each position of the second, and so on; and last the small one, over which the path comes
/// back.
using FoldedAxes = std::vector<std::size_t>;

/// {d, D + d} for each of D dimensions.
std::vector<FoldedAxes> axes_in_order(std::size_t dimensions);

/// Returns the node of `box` for each node of `folded`, a grid whose dimension d is folded into a closed path through
/// the axes `axes[d]` of the box. Neighbours are neighbours in the box, also those round a ring, although the long axes
/// need no wrap-around links: the machines K and Fugaku give programs tori in this way, X = (x, a), Y = (y, b), Z = (z,
/// c) (Kawashima, pmix-standard pull request 165, 2019). The path of n nodes starts at 0 of both axes, and
/// - goes along the long axis where the small one has one node;
/// - goes out on 0 of a small axis of two and back on 1: (0, 0) ... (n/2 - 1, 0), (n/2 - 1, 1) ... (0, 1);
/// - goes out on 0 of a small axis of three over k = ceil(n/3) columns, and back as a snake that passes 2 and 1 of each
///   column, but only one of both in the first 3k - n of them: n = 4 is 00 10 12 02, n = 8 is 00 10 20 22 12 11 01 02.
///   No source says which path the machines take there.
///
/// Throws InputError that names the dimension where an axis is not one of the box, has more than one place, or is too
/// short, a small axis has more than three nodes, or neighbours would not be neighbours; and where the numbers of
/// dimensions do not fit. Nodes are at 0 of axes that are in no place.
std::vector<NodeId> folded_nodes(const Grid& folded, const Grid& box, const std::vector<FoldedAxes>& axes);

/// The same through axes_in_order(), in a box of twice the dimensions.
std::vector<NodeId> folded_nodes(const Grid& folded, const Grid& box);

} // namespace wormcast
