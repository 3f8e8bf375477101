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
  /// Where the job for these columns is handed to: (begin + end) / 2, rounded down.
  std::int64_t middle() const { return (begin + end - ((begin + end) % 2 != 0)) / 2; }
};

/// What a node still has to hand out to columns West and East of its own.
struct SideColumns {
  Columns west;
  Columns east;

  /// The columns of `all` beside `own`.
  static SideColumns beside(std::int64_t own, Columns all) { return {{all.begin, own}, {own + 1, all.end}}; }
  bool done() const { return west.count() == 0 && east.count() == 0; }
};

/// Takes the outermost columns, at most `most` from each side, away from `sides` and calls hand(columns) for each side
/// that has any.
void hand_out(SideColumns& sides, std::int64_t most, const std::function<void(Columns)>& hand);

/// An S-job: one part for each column beside the holder's. `job` tells jobs with different places apart.
struct ColumnJob {
  Place holder;
  SideColumns sides;
  std::uint32_t job = 0;
};

/// Where the node that stands for a column is.
using PlaceOfColumn = std::function<Place(std::uint32_t job, std::int64_t column)>;

/// One step of S-jobs: each hands out at most `most` columns a side, which become jobs of their own. Calls
/// send(holder, child) for each. Finished jobs go.
void step_column_jobs(std::vector<ColumnJob>& jobs, std::int64_t most, const PlaceOfColumn& place_of,
                      const std::function<void(Place, const ColumnJob&)>& send);

/// Which of the two flints of each column a message of the diagonal scatter carries.
enum class DiagonalFlints { main, anti, both };

/// A message of the diagonal scatter: flints of a range of columns.
struct ScatterMessage {
  std::uint32_t step = 0;
  Place from;
  Place to;
  Columns columns;
  DiagonalFlints flints = DiagonalFlints::both;
};

/// The split scatter on a side x side mesh, N = side >= 2: from `source`, which has all 2N flints, to the two
/// diagonals. Node (t, t) gets flint t (main), node (t, N-1-t) flint N+t (anti).
struct DiagonalScatter {
  std::vector<std::int64_t> sizes; ///< flints of the largest message of each step
  std::vector<ScatterMessage> messages;
};

/// Stage 1 of Zhuang & Liberatore, section 8, reconstructed: no two messages of a step share a channel, also on a torus
/// when the source is its node (N/2, N/2). The number of steps is the least that this kind of scatter allows, the sum
/// of the sizes the least for that.
DiagonalScatter diagonal_scatter(std::int64_t side, Place source);

} // namespace wormcast
