#pragma once

#include "wormcast/algorithms/grid_all_port/scatter_sizes.hpp"
#include "wormcast/algorithms/grid_all_port/square_frame.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace wormcast {

/// Columns begin .. end-1.
struct Columns {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t count() const { return end - begin; }
  /// The column to which the job for these columns is sent: (begin + end) / 2, rounded down.
  std::int64_t middle() const { return (begin + end - ((begin + end) % 2 != 0)) / 2; }
};

/// The columns West and East of its own that a node still serves.
struct SideColumns {
  Columns west;
  Columns east;

  /// The columns of `all` on both sides of `own`.
  static SideColumns beside(std::int64_t own, Columns all) { return {{all.begin, own}, {own + 1, all.end}}; }
  bool done() const { return west.count() == 0 && east.count() == 0; }
};

/// Removes the outermost columns, at most `most` from each side, from `sides` and calls hand(columns) for each side
/// that has any.
void distribute(SideColumns& sides, std::int64_t most, const std::function<void(Columns)>& hand);

/// An S-job: one segment for each column other than the holder's. `job` distinguishes jobs with different positions.
struct ColumnJob {
  Position holder;
  SideColumns sides;
  std::uint32_t job = 0;
};

/// The position of the node of a column.
using PositionOfColumn = std::function<Position(std::uint32_t job, std::int64_t column)>;

/// Executes one step of S-jobs: each sends at most `most` columns a side, which become jobs of their own. Calls
/// send(holder, child) for each. Finished jobs are removed.
void step_column_jobs(std::vector<ColumnJob>& jobs, std::int64_t most, const PositionOfColumn& position_of,
                      const std::function<void(Position, const ColumnJob&)>& send);

/// The segments of each column that a message of the diagonal scatter carries.
enum class DiagonalSegments { main, anti, both };

/// A message of the diagonal scatter: segments of a range of columns.
struct ScatterMessage {
  std::uint32_t step = 0;
  Position from;
  Position to;
  Columns columns;
  DiagonalSegments segments = DiagonalSegments::both;
};

/// The split scatter on a side x side mesh, N = side >= 2: from `source`, which has all 2N segments, to the two
/// diagonals. Node (t, t) gets segment t (main), node (t, N-1-t) segment N+t (anti).
struct DiagonalScatter {
  std::vector<std::int64_t> sizes; ///< segments of the largest message of each step
  std::vector<ScatterMessage> messages;
};

/// Stage 1 of Zhuang & Liberatore, section 8, reconstructed: no two messages of a step share a channel, also on a torus
/// when the source is its node (N/2, N/2). The number of steps is the least that this kind of scatter allows, the sum
/// of the sizes the least for that.
DiagonalScatter diagonal_scatter(std::int64_t side, Position source);

} // namespace wormcast
