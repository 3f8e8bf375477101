#pragma once

#include "wormcast/algorithms/grid_all_port/square_frame.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace wormcast {

/// A message of a step table. A place outside of the lattice (periodic tables only) belongs to a neighbouring block.
struct TableMessage {
  Place from;
  Place to;
  std::uint32_t flints = 0; ///< index in StepTable::flint_sets
};

/// Fixed steps on a K x K lattice that spread what the nodes of its two diagonals hold, one flint each. A flint is
/// named by the lattice node that holds it at the start.
struct StepTable {
  std::string_view name;
  std::int64_t side = 0; ///< K
  bool periodic = false; ///< made for a torus that is covered by equal lattices
  std::vector<std::vector<Place>> flint_sets;
  std::vector<std::vector<TableMessage>> steps;
  /// Of lattice node x + K*y: index of the set of flints that make its flint of the next round. Empty for a table after
  /// which every node has all flints.
  std::vector<std::uint32_t> owned;
};

/// Reads a table in the notation of all_port_tables.cpp and adds the reflections. The text is part of the program: what
/// does not fit stops the program (std::logic_error).
StepTable read_step_table(std::string_view name, std::int64_t side, bool periodic, std::string_view text);

/// The tables. They fill the frame of Zhuang & Liberatore, section 8 (H = the two diagonals, 16 sub-squares, 3 steps of
/// a round), whose own figures are lost; the steps are a reconstruction, proved by the tests: no two messages of a step
/// share a channel, every flint sent is held, and the flints end where they must.

/// A round on a mesh: after 3 steps of 1, 1 and 2 flints every 2 x 2 cell has all 16 flints, 4 on each node. The sum, 4
/// flints, is the least possible: the corner cell must get 7 s flints through 2 s channels for cells of s x s nodes.
const StepTable& mesh_round8();
/// A round on a torus: 3 steps of 1 flint; a node's place in its cell decides what it owns, the same in all cells.
const StepTable& torus_round8();
/// The finish of 4 x 4 blocks: after 3 steps of 1, 1 and 2 (torus: 1, 1 and 1) flints every node has all 8.
const StepTable& mesh_all4();
const StepTable& torus_all4();
/// The finish of 8 x 8 blocks of a mesh: after 4 steps of 1, 2, 3 and 4 flints every node has all 16.
const StepTable& mesh_all8();

/// Coordinate, within a block of `block_side`, of lattice coordinate `X` of the lattice number `u` of the
/// block_side / K that it consists of: c(X) = floor(X/2) * s + (u for even X, s - 1 - u for odd X), s = 2 block_side /
/// K the side of a cell. Order-preserving; the diagonals of the block are those of the lattices, and the diagonals of
/// its cells are all lattice nodes. Periodic: X may be outside of 0 .. K-1.
std::int64_t lattice_coordinate(std::int64_t X, std::int64_t lattice_side, std::int64_t block_side, std::int64_t u);

/// What the nodes of a square hold when a round begins, by frame place x + side*y; only diagonal nodes of blocks
/// matter.
using HeldFlints = std::vector<BlockSetId>;

/// Appends the steps of `table`, the first of them number `first_step`, in all blocks of `block_side` at once and for
/// all lattices of each, and replaces `held` by what the nodes own afterwards.
void append_round(Schedule& schedule, const Grid& grid, const SquareFrame& frame, const StepTable& table,
                  std::int64_t block_side, std::uint32_t first_step, HeldFlints& held);

} // namespace wormcast
