#include "wormcast/algorithms/grid_all_port/network_partitioning_all_port.hpp"

#include "wormcast/algorithms/grid_all_port/dominating_nodes.hpp"
#include "wormcast/algorithms/grid_all_port/scatter.hpp"
#include "wormcast/algorithms/grid_all_port/square_frame.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace wormcast {

namespace {

constexpr std::string_view network_partitioning_all_port_name = "network_partitioning with dominating nodes";

// Columns that a group serves in addition to the source's, counted on each side.
struct GroupWidths {
  std::int64_t west = 0;
  std::int64_t east = 0;
};

// Phase 1: a segment for each column of a window of h columns around the source; column k has segment k modulo h. The
// columns next to the source are served by the source itself, the others by relays above and below it, which are nodes
// of the DDN of the source's own column.
class DdnScatter {
public:
  DdnScatter(const Grid& grid, std::int64_t h, Position source)
      : grid_(grid), side_(grid.sizes()[0]), h_(h), source_(source), torus_(is_square_torus(grid)),
        on_ddn_(floor_modulo(source.x - source.y, h) == 0)
  {
    const std::int64_t first = window_start(0, source.x);
    columns_ = {first, first + h};
    group_rows_.push_back(source.y);
    const std::int64_t up = source.y + floor_modulo(source.x - source.y - 1, h) + 1;
    const std::int64_t down = source.y - floor_modulo(source.y - source.x - 1, h) - 1;
    for (const std::int64_t row : {up, down}) {
      if (relay_fits(row)) {
        group_rows_.push_back(row);
      }
    }
    capacity_ =
        optimal_scatter_sizes(h, [&](const ScatterCapacity& candidate) { return widths(candidate).has_value(); });
  }

  std::size_t steps() const { return capacity_.steps(); }

  // Calls send(step, from, to, columns) for each message, positions and columns perhaps beyond a torus' edge.
  template <typename Send> void run(Send send) const
  {
    const std::vector<GroupWidths> groups = widths(capacity_).value();
    std::vector<ColumnJob> jobs;
    std::vector<ColumnJob> relays;
    Columns served{source_.x, source_.x + 1};
    for (std::uint32_t group = 0; group < groups.size(); ++group) {
      const Columns wider{served.begin - groups[group].west, served.end + groups[group].east};
      const ColumnJob job{
          {source_.x, group_rows_[group]}, {{wider.begin, served.begin}, {served.end, wider.end}}, group};
      (group == 0 ? jobs : relays).push_back(job);
      served = wider;
    }
    const auto position_of = [&](std::uint32_t group, std::int64_t column) { return representative(group, column); };
    for (std::size_t j = capacity_.steps(); j >= 1; --j) {
      const auto step = static_cast<std::uint32_t>(capacity_.steps() - j);
      step_column_jobs(jobs, capacity_.s_hand[j], position_of, [&](Position from, const ColumnJob& child) {
        send(step, from, child.holder, std::vector{Columns{child.sides.west.begin, child.sides.east.end}});
      });
      if (step == 0) {
        for (const ColumnJob& relay : relays) {
          std::vector<Columns> columns{relay.sides.west, relay.sides.east};
          if (relay.job == 1 && !on_ddn_) { // it serves the source's own column, too
            columns.push_back({source_.x, source_.x + 1});
          }
          if (columns.size() == 3 || !relay.sides.done()) {
            send(step, source_, relay.holder, columns);
          }
        }
        jobs.insert(jobs.end(), relays.begin(), relays.end());
      }
    }
  }

  // The node of its DDN that receives the segment of column k, for all columns of the window.
  std::vector<Position> representatives() const
  {
    const std::vector<GroupWidths> groups = widths(capacity_).value();
    std::vector<Position> positions;
    for (std::int64_t column = columns_.begin; column < columns_.end; ++column) {
      std::uint32_t group = 0;
      if (column == source_.x) {
        group = on_ddn_ ? 0 : 1;
      } else {
        std::int64_t left = source_.x;
        std::int64_t right = source_.x;
        for (group = 0; group < groups.size(); ++group) {
          left -= groups[group].west;
          right += groups[group].east;
          if (left <= column && column <= right) {
            break;
          }
        }
      }
      positions.push_back(representative(group, column));
    }
    return positions;
  }

private:
  // Returns the beginning of the window of h positions around `centre`, the longer side upwards where a tie goes
  // upwards. A window as wide as the ring has nodes at exactly half the ring.
  std::int64_t window_start(std::size_t dimension, std::int64_t centre) const
  {
    if (torus_) {
      return centre - (half_ring_goes_up(grid_, dimension, floor_modulo(centre, side_)) ? (h_ - 1) / 2 : h_ / 2);
    }
    return std::clamp<std::int64_t>(centre - (h_ - 1) / 2, 0, side_ - h_);
  }

  bool relay_fits(std::int64_t row) const
  {
    const std::int64_t hop = row - source_.y;
    if (!torus_) {
      return row >= 0 && row < side_;
    }
    return 2 * std::abs(hop) < side_ ||
           (2 * std::abs(hop) == side_ && (hop > 0) == half_ring_goes_up(grid_, 1, source_.y));
  }

  // Returns the node of `column` in the group of a relay's or the source's row.
  Position representative(std::uint32_t group, std::int64_t column) const
  {
    const std::int64_t first = window_start(1, group_rows_[group]);
    return {column, first + floor_modulo(column - first, h_)};
  }

  // How many columns each group serves; none if the sizes are too small.
  std::optional<std::vector<GroupWidths>> widths(const ScatterCapacity& capacity) const
  {
    const std::size_t steps = capacity.steps();
    std::int64_t west = source_.x - columns_.begin;
    std::int64_t east = columns_.end - 1 - source_.x;
    std::vector<GroupWidths> result(group_rows_.size());
    const auto take = [](std::int64_t& rest, std::int64_t& taken, std::int64_t most) {
      taken = std::min(rest, most);
      rest -= taken;
    };
    take(west, result[0].west, capacity.s_side[steps]);
    take(east, result[0].east, capacity.s_side[steps]);
    if (!on_ddn_ && (steps == 0 || group_rows_.size() == 1)) {
      return std::nullopt;
    }
    for (std::size_t relay = 1; relay < group_rows_.size() && steps > 0; ++relay) {
      std::int64_t room = capacity.s[steps] - (relay == 1 && !on_ddn_ ? 1 : 0);
      const bool west_first = west >= east;
      for (const bool westwards : {west_first, !west_first}) {
        std::int64_t& taken = westwards ? result[relay].west : result[relay].east;
        take(westwards ? west : east, taken, std::min(capacity.s_side[steps - 1], room));
        room -= taken;
      }
    }
    return west == 0 && east == 0 ? std::optional(result) : std::nullopt;
  }

  const Grid& grid_;
  std::int64_t side_;
  std::int64_t h_;
  Position source_;
  bool torus_;
  bool on_ddn_;
  Columns columns_;
  std::vector<std::int64_t> group_rows_; // the source's, then the relays'
  ScatterCapacity capacity_;
};

class Partitioning {
public:
  Partitioning(const Grid& grid, std::int64_t h, bool split)
      : grid_(grid), side_(grid.sizes()[0]), h_(h), split_(split), frame_{.side = side_}
  {
    schedule_.blocks = static_cast<std::uint64_t>(h) * parts();
  }

  void scatter(Position source)
  {
    const DdnScatter scatter(grid_, h_, source);
    scatter.run([&](std::uint32_t step, Position from, Position to, const std::vector<Columns>& columns) {
      std::vector<BlockRange> ranges;
      for (const Columns part : columns) {
        for (std::int64_t column = part.begin; column < part.end; ++column) {
          ranges.push_back(piece(floor_modulo(column, h_)));
        }
      }
      send(step, from, to, schedule_.block_sets.intern(ranges));
    });
    step_ += static_cast<std::uint32_t>(scatter.steps());
    entries_ = scatter.representatives();
  }

  // All DDNs at the same time.
  void broadcast_in_ddns()
  {
    std::uint32_t steps = 0;
    for (const Position entry : entries_) {
      const std::int64_t i = floor_modulo(entry.x, h_);
      const BlockSetId blocks = schedule_.block_sets.intern(piece(i));
      const Position position{floor_modulo(entry.x, side_) / h_, floor_modulo(entry.y, side_) / h_};
      std::uint32_t step = 0;
      for (const std::vector<PositionSend>& sends : dominating_nodes_on_dilated(grid_, h_, i, position)) {
        for (const PositionSend& each : sends) {
          send(step_ + step, each.from, each.to, blocks);
        }
        ++step;
      }
      steps = std::max(steps, step);
    }
    step_ += steps;
  }

  // Phase 3 (a): node (i, i) of each DCN spreads segment i along row i by tripling; the split variant's second block
  // goes along column i.
  void spread()
  {
    const bool ring = is_square_torus(grid_) && h_ == side_;
    const std::int64_t reach = ring ? h_ / 2 : h_ - 1; // columns on the longer side at worst
    std::int64_t covered = 0;
    std::uint32_t steps = 0;
    std::vector<std::int64_t> powers;
    for (std::int64_t power = 1; covered < reach; power *= 3) {
      covered += power;
      powers.push_back(power);
      ++steps;
    }
    for (std::int64_t i = 0; i < h_; ++i) {
      // On the ring the node is in the middle; the longer side is that below, where no path is half the ring long.
      const std::int64_t first = ring ? i - h_ / 2 : 0;
      std::vector<ColumnJob> jobs{{{i, i}, SideColumns::beside(i, {first, first + h_}), 0}};
      for (std::uint32_t step = 0; step < steps; ++step) {
        const auto position_of = [&](std::uint32_t, std::int64_t column) { return Position{column, i}; };
        step_column_jobs(jobs, powers[steps - 1 - step], position_of, [&](Position from, const ColumnJob& child) {
          send_in_dcns(step_ + step, from, child.holder, i);
        });
      }
    }
    step_ += steps;
  }

  // Phase 3 (b): the nodes of each column have one segment each, that of their row; neighbours exchange.
  void exchange()
  {
    for (std::int64_t k = 1; k < h_; ++k) {
      for (std::int64_t y = 0; y < h_; ++y) {
        for (std::int64_t x = 0; x < h_; ++x) {
          if (y + 1 < h_ && y - k + 1 >= 0) {
            send_in_dcns(step_, {x, y}, {x, y + 1}, y - k + 1);
          }
          if (y >= 1 && y + k - 1 < h_) {
            send_in_dcns(step_, {x, y}, {x, y - 1}, y + k - 1);
          }
        }
      }
      ++step_;
    }
  }

  Schedule take_schedule() { return std::move(schedule_); }

private:
  std::uint32_t parts() const { return split_ ? 2 : 1; }

  BlockRange piece(std::int64_t i) const
  {
    const auto first = static_cast<std::uint32_t>(i) * parts();
    return {first, first + parts()};
  }

  void send(std::uint32_t step, Position from, Position to, BlockSetId blocks)
  {
    schedule_.messages.push_back({step, frame_.node(grid_, from), frame_.node(grid_, to), blocks});
  }

  // The same message in all DCNs: segment i or, split, its first block, and the second with rows and columns exchanged.
  void send_in_dcns(std::uint32_t step, Position from, Position to, std::int64_t i)
  {
    const std::uint32_t first = piece(i).begin;
    const BlockSetId along = schedule_.block_sets.intern({first, first + 1});
    const BlockSetId swapped = split_ ? schedule_.block_sets.intern({first + 1, first + 2}) : along;
    for (std::int64_t y = 0; y < side_; y += h_) {
      for (std::int64_t x = 0; x < side_; x += h_) {
        send(step, {x + from.x, y + from.y}, {x + to.x, y + to.y}, along);
        if (split_) {
          send(step, {x + from.y, y + from.x}, {x + to.y, y + to.x}, swapped);
        }
      }
    }
  }

  const Grid& grid_;
  std::int64_t side_;
  std::int64_t h_;
  bool split_;
  SquareFrame frame_;
  Schedule schedule_;
  std::uint32_t step_ = 0;
  std::vector<Position> entries_; // of the DDNs
};

} // namespace

Schedule all_port_network_partitioning(const Grid& grid, NodeId source, int d, bool split)
{
  if (grid.sizes().size() != 2 || grid.sizes()[0] != grid.sizes()[1]) {
    throw InputError(
        fmt::format("{} needs two equal sizes; the {} has not", network_partitioning_all_port_name, grid.title()));
  }
  const unsigned n = require_power_of_two(grid, 0, network_partitioning_all_port_name);
  if (d < 0 || static_cast<unsigned>(d) > n) {
    throw InputError(fmt::format("{} needs d of 0 to {} for the {}; d is {}", network_partitioning_all_port_name, n,
                                 grid.title(), d));
  }
  Partitioning partitioning(grid, std::int64_t{1} << d, split);
  partitioning.scatter({grid.coordinate(source, 0), grid.coordinate(source, 1)});
  partitioning.broadcast_in_ddns();
  partitioning.spread();
  partitioning.exchange();
  return partitioning.take_schedule();
}

} // namespace wormcast
