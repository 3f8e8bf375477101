#pragma once

#include "wormcast/algorithms/grid_all_port/square_frame.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace wormcast {

/// A message of a step table. A position outside of the lattice (periodic tables only) belongs to a neighbouring block.
struct TableMessage {
  Position from;
  Position to;
  std::uint32_t segments = 0; ///< index in StepTable::segment_sets
};

/// Fixed steps on a K x K lattice that spread the segments of the nodes on its two diagonals, one each ("flints" in the
/// paper). A segment is named by the lattice node that holds it at the start.
struct StepTable {
  std::string_view name;
  std::int64_t side = 0; ///< K
  bool periodic = false; ///< made for a torus that is covered by equal lattices
  std::vector<std::vector<Position>> segment_sets;
  std::vector<std::vector<TableMessage>> steps;
  /// By lattice node x + K*y: index of the set of segments that make its segment of the next round. Empty for a table
  /// after which every node has all segments.
  std::vector<std::uint32_t> owned;
};

/// Reads a table in the notation of tables.cpp and adds the reflections. The text is part of the program: an error in
/// it ends the program (std::logic_error).
StepTable read_step_table(std::string_view name, std::int64_t side, bool periodic, std::string_view text);

/// The tables. They fill the frame of Zhuang & Liberatore, section 8 (H = the two diagonals, 16 sub-squares, 3 steps of
/// a round), whose own figures are not legible in the copies that exist; the steps are a reconstruction, proved by the
/// tests: no two messages of a step share a channel, every segment sent is held, and the segments end where they must.

/// A round on a mesh: after 3 steps of 1, 1 and 2 segments every 2 x 2 cell has all 16 segments, 4 on each node. The
/// sum, 4 segments, is the least possible: the corner cell must get 7 s segments through 2 s channels for cells of s x
/// s nodes.
const StepTable& mesh_round8();
/// A round on a torus: 3 steps of 1 segment; a node's position in its cell determines its segments, the same in all
/// cells.
const StepTable& torus_round8();
/// The finish of 4 x 4 blocks: after 3 steps of 1, 1 and 2 (torus: 1, 1 and 1) segments every node has all 8.
const StepTable& mesh_all4();
const StepTable& torus_all4();
/// The finish of 8 x 8 blocks of a mesh: after 4 steps of 1, 2, 3 and 4 segments every node has all 16.
const StepTable& mesh_all8();

/// Coordinate, within a block of `block_side`, of lattice coordinate `X` of the lattice number `u` of the
/// block_side / K that it consists of: c(X) = floor(X/2) * s + (u for even X, s - 1 - u for odd X), s = 2 block_side /
/// K the side of a cell. Order-preserving; the diagonals of the block are those of the lattices, and the diagonals of
/// its cells are all lattice nodes. Periodic: X may be outside of 0 .. K-1.
std::int64_t lattice_coordinate(std::int64_t X, std::int64_t lattice_side, std::int64_t block_side, std::int64_t u);

/// The segments that the nodes of a square hold when a round begins, by frame position x + side*y; only diagonal nodes
/// of blocks matter.
using HeldSegments = std::vector<BlockSetId>;

/// Appends the steps of `table`, the first of them number `first_step`, in all blocks of `block_side` at once and for
/// all lattices of each, and replaces `held` by what the nodes own afterwards.
void append_round(Schedule& schedule, const Grid& grid, const SquareFrame& frame, const StepTable& table,
                  std::int64_t block_side, std::uint32_t first_step, HeldSegments& held);

} // namespace wormcast
