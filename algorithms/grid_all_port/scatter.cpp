#include "wormcast/algorithms/grid_all_port/scatter.hpp"

#include <algorithm>
#include <optional>

namespace wormcast {

namespace {

// A node of the main or of the other diagonal that owns segments of columns: both of each column, or those of its
// diagonal.
struct DiagonalJob {
  bool main = true;
  bool both = false;
  std::int64_t column = 0;
  SideColumns sides;
};

DiagonalJob job_for(bool main, bool both, Columns columns, std::int64_t column)
{
  return {main, both, column, SideColumns::beside(column, columns)};
}

// How the source shares the columns out. On a diagonal it is itself the holder of a B-job for all. Else it hands both
// segments of the far columns to B-jobs on both sides in the first step, and those of the near ones in the second; the
// columns around its own (middle) go, in the first step, as two S-jobs to the diagonal nodes of its own column if these
// lie on different sides of it, or else as a B-job to the nearer of them.
struct SourceSplit {
  enum class Position { on_diagonal, between_diagonals, beside_diagonals };
  Position position = Position::on_diagonal;
  Columns far_west;
  Columns near_west;
  Columns middle;
  Columns near_east;
  Columns far_east;
};

SourceSplit::Position position_of_source(std::int64_t side, Position source)
{
  const std::int64_t to_main = source.x - source.y;
  const std::int64_t to_anti = side - 1 - source.x - source.y;
  if (to_main == 0 || to_anti == 0) {
    return SourceSplit::Position::on_diagonal;
  }
  return (to_main > 0) != (to_anti > 0) ? SourceSplit::Position::between_diagonals
                                        : SourceSplit::Position::beside_diagonals;
}

std::optional<SourceSplit> source_split(const ScatterCapacity& capacity, std::int64_t side, Position source)
{
  SourceSplit split;
  split.position = position_of_source(side, source);
  const std::size_t steps = capacity.steps();
  const std::int64_t column = source.x;
  if (split.position == SourceSplit::Position::on_diagonal) {
    split.middle = {0, side};
    return capacity.b_job_fits(steps, column, side - 1 - column) ? std::optional(split) : std::nullopt;
  }
  if (steps == 0) {
    return std::nullopt;
  }
  const auto middle_fits = [&](std::int64_t west, std::int64_t east) {
    const std::int64_t columns = west + 1 + east;
    return split.position == SourceSplit::Position::between_diagonals
               ? columns <= capacity.s[steps] && capacity.s_job_fits(steps - 1, west, east)
               : 2 * columns <= capacity.s[steps] && capacity.b_job_fits(steps - 1, west, east);
  };
  std::int64_t west = std::max<std::int64_t>(0, column - capacity.b_hand[steps]);
  std::int64_t east = std::max<std::int64_t>(0, side - 1 - column - capacity.b_hand[steps]);
  split.far_west = {0, column - west};
  split.far_east = {column + 1 + east, side};
  if (!middle_fits(west, east)) { // the second step serves as many columns as it can
    west = std::max<std::int64_t>(0, west - capacity.b_hand[steps - 1]);
    east = std::max<std::int64_t>(0, east - capacity.b_hand[steps - 1]);
    if (!middle_fits(west, east)) {
      return std::nullopt;
    }
  }
  split.middle = {column - west, column + 1 + east};
  split.near_west = {split.far_west.end, split.middle.begin};
  split.near_east = {split.middle.end, split.far_east.begin};
  return split;
}

class DiagonalScatterer {
public:
  DiagonalScatterer(std::int64_t side, Position source, ScatterCapacity capacity)
      : side_(side), source_(source), capacity_(std::move(capacity))
  {}

  DiagonalScatter scatter()
  {
    const SourceSplit split = *source_split(capacity_, side_, source_);
    std::vector<DiagonalJob> jobs;
    if (split.position == SourceSplit::Position::on_diagonal) {
      jobs.push_back(job_for(source_.x == source_.y, true, split.middle, source_.x));
    }
    for (std::size_t j = capacity_.steps(); j >= 1; --j) {
      std::vector<DiagonalJob> next;
      if (split.position != SourceSplit::Position::on_diagonal) {
        source_sends(split, j, next);
      }
      for (const DiagonalJob& job : jobs) {
        execute(job, j, next);
      }
      jobs = std::move(next);
      ++step_;
    }
    result_.sizes.assign(capacity_.s.rbegin(), capacity_.s.rend() - 1);
    return std::move(result_);
  }

private:
  Position position(bool main, std::int64_t column) const { return {column, main ? column : side_ - 1 - column}; }

  static DiagonalSegments segments_of(const DiagonalJob& job)
  {
    return job.both ? DiagonalSegments::both : job.main ? DiagonalSegments::main : DiagonalSegments::anti;
  }

  // Hands a job over `columns` to the diagonal node in `column`.
  void send_job(Position from, bool main, bool both, Columns columns, std::int64_t column,
                std::vector<DiagonalJob>& next)
  {
    if (columns.count() > 0) {
      next.push_back(job_for(main, both, columns, column));
      result_.messages.push_back({step_, from, position(main, column), columns, segments_of(next.back())});
    }
  }

  void source_sends(const SourceSplit& split, std::size_t j, std::vector<DiagonalJob>& next)
  {
    const bool first = j == capacity_.steps();
    for (const Columns columns :
         first ? std::array{split.far_west, split.far_east} : std::array{split.near_west, split.near_east}) {
      if (j + 1 >= capacity_.steps()) {
        send_job(source_, true, true, columns, columns.middle(), next);
      }
    }
    if (!first) {
      return;
    }
    if (split.position == SourceSplit::Position::between_diagonals) {
      send_job(source_, true, false, split.middle, source_.x, next);
      send_job(source_, false, false, split.middle, source_.x, next);
    } else {
      const bool main_nearer =
          std::abs(position(true, source_.x).y - source_.y) < std::abs(position(false, source_.x).y - source_.y);
      send_job(source_, main_nearer, true, split.middle, source_.x, next);
    }
  }

  void execute(DiagonalJob job, std::size_t j, std::vector<DiagonalJob>& next)
  {
    const Position holder = position(job.main, job.column);
    distribute(job.sides, job.both ? capacity_.b_hand[j] : capacity_.s_hand[j],
               [&](Columns columns) { send_job(holder, job.main, job.both, columns, columns.middle(), next); });
    if (job.both) { // the mate in the same column; both go on as S-jobs
      job.both = false;
      send_job(holder, !job.main, false, {job.sides.west.begin, job.sides.east.end}, job.column, next);
    }
    if (!job.sides.done()) {
      next.push_back(job);
    }
  }

  std::int64_t side_;
  Position source_;
  ScatterCapacity capacity_;
  std::uint32_t step_ = 0;
  DiagonalScatter result_;
};

} // namespace

void distribute(SideColumns& sides, std::int64_t most, const std::function<void(Columns)>& hand)
{
  const std::int64_t west = std::min(sides.west.count(), most);
  if (west > 0) {
    hand({sides.west.begin, sides.west.begin + west});
    sides.west.begin += west;
  }
  const std::int64_t east = std::min(sides.east.count(), most);
  if (east > 0) {
    hand({sides.east.end - east, sides.east.end});
    sides.east.end -= east;
  }
}

void step_column_jobs(std::vector<ColumnJob>& jobs, std::int64_t most, const PositionOfColumn& position_of,
                      const std::function<void(Position, const ColumnJob&)>& send)
{
  std::vector<ColumnJob> next;
  for (ColumnJob job : jobs) {
    distribute(job.sides, most, [&](Columns columns) {
      const std::int64_t column = columns.middle();
      next.push_back({position_of(job.job, column), SideColumns::beside(column, columns), job.job});
      send(job.holder, next.back());
    });
    next.push_back(job);
  }
  std::erase_if(next, [](const ColumnJob& job) { return job.sides.done(); });
  jobs = std::move(next);
}

DiagonalScatter diagonal_scatter(std::int64_t side, Position source)
{
  ScatterCapacity capacity = optimal_scatter_sizes(
      2 * side, [&](const ScatterCapacity& candidate) { return source_split(candidate, side, source).has_value(); });
  return DiagonalScatterer(side, source, std::move(capacity)).scatter();
}

} // namespace wormcast
