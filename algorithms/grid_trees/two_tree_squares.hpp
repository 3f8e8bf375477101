#pragma once

#include "wormcast/algorithms/grid_trees/two_tree_cells.hpp"
#include "wormcast/algorithms/schedule/segment_trees.hpp"
#include "wormcast/topologies/grid.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace wormcast {

// Two trees of depth 4n - 2 or 4n - 1 from any source of a mesh of 2^n x 2^n nodes, n >= 4: cells of 8 x 8 nodes, four
// squares of side s joined to one of side 2s again and again, in the same manner at every size (own design; proof in
// docs/papers/two_trees.md).

/// How one of the four squares of a join is changed; the left and the lower one of each pair is even.
struct JoinedCopy {
  std::uint32_t reflection = 0;      ///< as mirrored() takes it
  std::uint32_t exchanges_trees = 0; ///< 1: tree 0 of the copy is part of tree 1
  std::uint32_t exchanges_colours = 0;
};

/// The squares of a join, indexed by 1 (right) + 2 (upper). Their spares meet at the centre, but for the last one's.
inline constexpr std::array<JoinedCopy, 4> joined_copies = {
    JoinedCopy{.reflection = 3}, JoinedCopy{.reflection = 2, .exchanges_colours = 1},
    JoinedCopy{.reflection = 1, .exchanges_trees = 1}, JoinedCopy{.reflection = 3}};

/// An edge between the squares of a join: from the spare of one to the spare or the root of another, in both trees and
/// in the colour in which the receiver waits.
struct JoinEdge {
  std::uint32_t from = 0; ///< the square whose spare sends
  std::uint32_t to = 0;
  bool to_root = false; ///< else to its spare
};

/// Square 1's spares, which nothing enters, are the roots of the larger square; square 3's are its spares.
inline constexpr std::array<JoinEdge, 6> join_edges = {JoinEdge{1, 0},       JoinEdge{1, 2},
                                                       JoinEdge{0, 0, true}, JoinEdge{0, 1, true},
                                                       JoinEdge{2, 2, true}, JoinEdge{2, 3, true}};

/// A square of side 8 * 2^level inside of the mesh: where it lies, and how it is changed against its own frame.
struct SquarePlace {
  std::uint32_t level = 0;
  Spot origin; ///< the lower left node
  JoinedCopy change;

  std::int32_t side() const { return cell_side << level; }
};

/// The four squares of which a square of level >= 1 is joined, by their index in `copies`.
std::array<SquarePlace, 4> parts_of(const SquarePlace& square, const std::array<JoinedCopy, 4>& copies = joined_copies);

/// The node of the mesh that is `inner` in the frame of a square.
Spot node_in_mesh(const SquarePlace& square, Spot inner);

/// What a square shows to the outside, by tree of the mesh and in nodes of the mesh.
struct SquareInterface {
  std::array<Spot, 2> root = {};
  std::array<Spot, 2> spare = {};
  std::array<std::uint32_t, 2> root_colour = {0, 0};
  std::array<std::uint32_t, 2> spare_colour = {0, 0};
};

/// Which cell stands at a place of level 0.
using CellAt = std::function<const TwoTreeCell&(const SquarePlace& place)>;

/// Appends all edges of a square, those of its cells and of its joins.
SquareInterface append_square(const CellDesign& design, const SquarePlace& square, const CellAt& cell_at,
                              std::vector<ColouredEdge>& edges);

/// The place of the cell with node `spot` in a square.
SquarePlace cell_place(SquarePlace square, Spot spot);

/// Wide meshes of 2^(n + 1) x 2^n nodes were checked up to this height; their trees have no proof for all n.
inline constexpr std::int64_t widest_checked_height = 128;

/// Whether the construction has trees for a mesh of these sizes: 2^n x 2^n with n from 4 on, and 2^(n + 1) x 2^n with n
/// from 4 to 7.
bool has_constructed_trees(const Grid& mesh);

/// The trees from a source on such a mesh: k segments, k even, take k + D steps, where D is 4n - 2 or 4n - 1 on
/// squares, and 4n, 4n + 1 or in a few cases 4n + 2 on the wide meshes.
SegmentTrees constructed_two_trees(const Grid& mesh, NodeId source);

} // namespace wormcast
