#include "wormcast/algorithms/grid_all_port/recursion_based_all_port.hpp"

#include "wormcast/algorithms/grid_all_port/rounds.hpp"
#include "wormcast/algorithms/grid_all_port/scatter.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

constexpr std::string_view recursion_based_all_port_name = "recursion_based with all ports";

class AllPortBroadcast {
public:
  AllPortBroadcast(const Grid& grid, unsigned n, std::uint32_t blocks_per_segment)
      : grid_(grid), side_(std::int64_t{1} << n), blocks_per_segment_(blocks_per_segment), frame_{.side = side_}
  {
    schedule_.blocks = static_cast<std::uint64_t>(2 * side_) * blocks_per_segment;
  }

  // Stage 1. On a torus the frame is shifted so that the source is in the middle.
  void scatter(Position source)
  {
    const bool torus = is_square_torus(grid_);
    const std::int64_t centre = side_ == 4 ? 1 : side_ / 2;
    const DiagonalScatter scatter = diagonal_scatter(side_, torus ? Position{centre, centre} : source);
    if (torus) {
      std::vector<PositionSend> sends;
      for (const ScatterMessage& message : scatter.messages) {
        sends.push_back({message.from, message.to});
      }
      // The one send that can be half a ring long is the source's, at side 4, so some reflection always fits.
      frame_ = fitting_frame(grid_, frame_, {centre, centre}, source, sends).value();
    }
    for (const ScatterMessage& message : scatter.messages) {
      send(message.step, message.from, message.to, blocks_of(message));
    }
    step_ += static_cast<std::uint32_t>(scatter.sizes.size());

    held_.resize(grid_.node_count());
    for (std::int64_t t = 0; t < side_; ++t) {
      held(t, t) = schedule_.block_sets.intern(segments(t, t + 1));
      held(t, side_ - 1 - t) = schedule_.block_sets.intern(segments(side_ + t, side_ + t + 1));
    }
  }

  // Stage 2: the same table in all blocks of side 2^m.
  void round(const StepTable& table, unsigned m)
  {
    append_round(schedule_, grid_, frame_, table, std::int64_t{1} << m, step_, held_);
    step_ += static_cast<std::uint32_t>(table.steps.size());
  }

  // Every node owns a quarter, the same one at equal parities: one step with three neighbours delivers the other three.
  void quarters_on_torus()
  {
    for (std::int64_t y = 0; y < side_; ++y) {
      for (std::int64_t x = 0; x < side_; ++x) {
        for (const Position to : {Position{x - 1, y}, Position{x, y - 1}, Position{x + 1, y + 1}}) {
          send(step_, {x, y}, to, held(x, y));
        }
      }
    }
    ++step_;
  }

  // 2 x 2: quarters to both neighbours, then each neighbour sends half of the opposite node's quarter.
  void quarters_on_four_nodes()
  {
    const auto exchange = [&](auto blocks) {
      for (std::int64_t y = 0; y < 2; ++y) {
        for (std::int64_t x = 0; x < 2; ++x) {
          send(step_, {x, y}, {1 - x, y}, blocks(Position{x, y}, Position{x, 1 - y}, true));
          send(step_, {x, y}, {x, 1 - y}, blocks(Position{x, y}, Position{1 - x, y}, false));
        }
      }
      ++step_;
    };
    exchange([&](Position own, Position, bool) { return held(own.x, own.y); });
    exchange([&](Position, Position other_neighbour, bool lower_half) {
      const BlockRange quarter = schedule_.block_sets.ranges(held(other_neighbour.x, other_neighbour.y)).front();
      return schedule_.block_sets.intern(
          {lower_half ? quarter.begin : quarter.begin + 1, lower_half ? quarter.end - 1 : quarter.end});
    });
  }

  Schedule take_schedule() { return std::move(schedule_); }

private:
  BlockRange segments(std::int64_t begin, std::int64_t end) const
  {
    return {static_cast<std::uint32_t>(begin) * blocks_per_segment_,
            static_cast<std::uint32_t>(end) * blocks_per_segment_};
  }

  BlockSetId blocks_of(const ScatterMessage& message)
  {
    const Columns columns = message.columns;
    const std::array ranges{segments(columns.begin, columns.end), segments(side_ + columns.begin, side_ + columns.end)};
    switch (message.segments) {
    case DiagonalSegments::main:
      return schedule_.block_sets.intern(ranges[0]);
    case DiagonalSegments::anti:
      return schedule_.block_sets.intern(ranges[1]);
    case DiagonalSegments::both:
      break;
    }
    return schedule_.block_sets.intern(ranges);
  }

  void send(std::uint32_t step, Position from, Position to, BlockSetId blocks)
  {
    schedule_.messages.push_back({step, frame_.node(grid_, from), frame_.node(grid_, to), blocks});
  }

  BlockSetId& held(std::int64_t x, std::int64_t y) { return held_[static_cast<std::size_t>(x + side_ * y)]; }

  const Grid& grid_;
  std::int64_t side_;
  std::uint32_t blocks_per_segment_;
  SquareFrame frame_;
  Schedule schedule_;
  std::uint32_t step_ = 0;
  HeldSegments held_;
};

} // namespace

Schedule recursion_based_all_port(const Grid& grid, NodeId source)
{
  if (grid.sizes().size() != 2 || grid.sizes()[0] != grid.sizes()[1]) {
    throw InputError(
        fmt::format("{} needs two equal sizes; the {} has not", recursion_based_all_port_name, grid.title()));
  }
  const unsigned n = require_power_of_two(grid, 0, recursion_based_all_port_name);
  if (n == 0) {
    return {};
  }
  AllPortBroadcast broadcast(grid, n, n == 1 ? 2 : 1);
  broadcast.scatter({grid.coordinate(source, 0), grid.coordinate(source, 1)});
  if (n == 1) {
    broadcast.quarters_on_four_nodes();
  } else if (is_square_torus(grid)) {
    for (unsigned m = n; m >= 3; m -= 2) {
      broadcast.round(torus_round8(), m);
    }
    if (n % 2 == 0) {
      broadcast.round(torus_all4(), 2);
    } else {
      broadcast.quarters_on_torus();
    }
  } else {
    const unsigned last = n % 2 == 0 ? 2 : 3;
    for (unsigned m = n; m > last; m -= 2) {
      broadcast.round(mesh_round8(), m);
    }
    broadcast.round(n % 2 == 0 ? mesh_all4() : mesh_all8(), last);
  }
  return broadcast.take_schedule();
}

} // namespace wormcast
