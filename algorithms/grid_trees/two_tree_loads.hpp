#pragma once

#include "wormcast/algorithms/grid_trees/two_tree_squares.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace wormcast {

/// What the finite check of all sizes found. The load of a square is the set of channels inside of it that edges of
/// larger joins use, with their colours, in the square's own frame; positions count from the nearest of the border, the
/// centre and the other border, so that loads of squares of different sizes can be the same.
struct LoadClosure {
  std::size_t loads = 0; ///< different loads of squares of side 16 and more, in all meshes up to the largest
  /// The largest mesh in which a load was found that smaller ones do not have: 2^n nodes a side.
  std::uint32_t last_new_load = 0;
  bool is_closed = false; ///< each load, with the edges of the square's own join, gives loads that are among them
  Lanes in_cells = {};    ///< channels of cells that are used in any of them
  /// What contradicts the proof: edges that share a channel in a colour, a cell in which an edge passes outside of the
  /// reserved channels, a load that is not the same at every size, colours that are not; empty: nothing does.
  std::vector<std::string> faults = {};
};

/// Follows the loads of all squares in the meshes of 2^n x 2^n nodes, n from 4 to `largest`, where four squares are
/// joined as in joined_copies and join_edges, or as `copies` and `edges` say (docs/papers/two_trees.md, section
/// "Channels").
LoadClosure load_closure(const CellDesign& design, std::uint32_t largest,
                         const std::array<JoinedCopy, 4>& copies = joined_copies,
                         const std::array<JoinEdge, 6>& edges = join_edges);

} // namespace wormcast
