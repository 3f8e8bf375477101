#include "wormcast/algorithms/grid_all_port/dominating_nodes.hpp"

#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <bit>
#include <span>

namespace wormcast {

namespace {

constexpr std::string_view dominating_nodes_name = "dominating_nodes";

// Down-steps as sends between ranks on the diagonal pattern of a block; each also rotated by 180 degrees.
// Ranks 0 .. 7: the coordinates of the level sets of the four sub-blocks, in order.
constexpr std::array<PositionSend, 6> down_step{
    {{{1, 1}, {0, 0}}, {{2, 2}, {0, 4}}, {{1, 1}, {1, 5}}, {{2, 2}, {2, 6}}, {{2, 2}, {3, 3}}, {{6, 6}, {3, 7}}}};
// 4 x 4 blocks, ranks 0 .. 3: all nodes.
constexpr std::array<PositionSend, 6> last_step{
    {{{0, 0}, {0, 1}}, {{1, 1}, {0, 2}}, {{2, 2}, {0, 3}}, {{1, 1}, {1, 0}}, {{1, 1}, {1, 2}}, {{3, 3}, {1, 3}}}};
// The first two steps on a torus from rank (0, 0), to the level sets of its four quarters.
constexpr std::array<PositionSend, 4> torus_step_1{
    {{{0, 0}, {0, 1}}, {{0, 0}, {0, 7}}, {{0, 0}, {2, 2}}, {{0, 0}, {5, 1}}}};
constexpr std::array<PositionSend, 13> torus_step_2{{{{0, 1}, {1, 1}},
                                                     {{2, 2}, {1, 5}},
                                                     {{2, 2}, {3, 3}},
                                                     {{0, 7}, {3, 7}},
                                                     {{5, 1}, {4, 0}},
                                                     {{0, 0}, {4, 4}},
                                                     {{2, 2}, {2, 6}},
                                                     {{0, 1}, {0, 4}},
                                                     {{5, 1}, {6, 2}},
                                                     {{0, 1}, {7, 3}},
                                                     {{0, 7}, {6, 6}},
                                                     {{0, 0}, {7, 7}},
                                                     {{5, 1}, {5, 5}}}};
// 4 x 4 torus from (0, 0).
constexpr std::array<PositionSend, 4> small_torus_step_1{
    {{{0, 0}, {0, 1}}, {{0, 0}, {0, 3}}, {{0, 0}, {1, 0}}, {{0, 0}, {3, 2}}}};
constexpr std::array<PositionSend, 11> small_torus_step_2{{{{0, 1}, {0, 2}},
                                                           {{1, 0}, {1, 1}},
                                                           {{3, 2}, {1, 2}},
                                                           {{1, 0}, {1, 3}},
                                                           {{1, 0}, {2, 0}},
                                                           {{0, 1}, {2, 1}},
                                                           {{3, 2}, {2, 2}},
                                                           {{0, 3}, {2, 3}},
                                                           {{0, 0}, {3, 0}},
                                                           {{0, 1}, {3, 1}},
                                                           {{0, 3}, {3, 3}}}};

// Coordinate of rank 0 .. 7 in a block of side 2^m, m >= 3.
std::int64_t rank_coordinate(unsigned m, std::int64_t rank)
{
  const std::int64_t half = std::int64_t{1} << (m - 1);
  return rank / 4 * half + dominating_levels(m - 1)[static_cast<std::size_t>(rank % 4)];
}

// Sends in steps; one to a node that already has the message is left out.
class Sends {
public:
  Sends(std::int64_t side, Position source) : side_(side), informed_(static_cast<std::size_t>(side * side), false)
  {
    mark(source);
  }

  void begin_step() { steps_.emplace_back(); }

  void add(Position from, Position to)
  {
    if (mark(to)) {
      steps_.back().push_back({from, to});
    }
  }

  // One step in all 2^m blocks at once.
  void down(unsigned m)
  {
    begin_step();
    const std::int64_t block = std::int64_t{1} << m;
    const std::int64_t last_rank = m == 2 ? 3 : 7;
    std::vector<PositionSend> sends;
    for (const PositionSend& send : std::span(m == 2 ? last_step : down_step)) {
      for (const bool rotated : {false, true}) {
        const auto at = [&](Position ranks) {
          const auto coordinate = [&](std::int64_t rank) {
            const std::int64_t turned = rotated ? last_rank - rank : rank;
            return m == 2 ? turned : rank_coordinate(m, turned);
          };
          return Position{coordinate(ranks.x), coordinate(ranks.y)};
        };
        sends.push_back({at(send.from), at(send.to)});
      }
    }
    for (std::int64_t y = 0; y < side_; y += block) {
      for (std::int64_t x = 0; x < side_; x += block) {
        for (const PositionSend& send : sends) {
          add({x + send.from.x, y + send.from.y}, {x + send.to.x, y + send.to.y});
        }
      }
    }
  }

  PositionSteps take_steps() { return std::move(steps_); }

private:
  // False if it is marked already.
  bool mark(Position position)
  {
    const auto bit = informed_.begin() + (position.x + side_ * position.y);
    const bool fresh = !*bit;
    *bit = true;
    return fresh;
  }

  std::int64_t side_;
  std::vector<bool> informed_;
  PositionSteps steps_;
};

// Steps 1 and 2 on a mesh: from any source to the four diagonal nodes p[0..3] with coordinates P = a(n).
void enter(Sends& sends, const std::array<std::int64_t, 4>& P, Position source)
{
  const auto p = [&](std::size_t k) { return Position{P[k], P[k]}; };
  const auto from_source = [&](std::size_t k) { sends.add(source, p(k)); };
  const auto pass_on = [&](std::size_t from, std::size_t to) { sends.add(p(from), p(to)); };
  std::size_t lower = 0; // how many P are below the source's column
  while (lower < 4 && P[lower] < source.x) {
    ++lower;
  }
  const bool in_a_column = lower < 4 && P[lower] == source.x;
  sends.begin_step();
  if (in_a_column) {
    from_source(lower); // nothing where the source itself is p_k
    switch (lower) {
    case 0:
      from_source(2);
      sends.begin_step();
      if (source == p(0)) {
        from_source(1);
      } else {
        pass_on(2, 1);
      }
      pass_on(2, 3);
      return;
    case 1:
      from_source(0);
      from_source(2);
      sends.begin_step();
      pass_on(2, 3);
      return;
    case 2:
      from_source(1);
      from_source(3);
      sends.begin_step();
      pass_on(1, 0);
      return;
    default:
      from_source(1);
      sends.begin_step();
      pass_on(1, 0);
      if (source == p(3)) {
        from_source(2);
      } else {
        pass_on(1, 2);
      }
      return;
    }
  }
  if (lower == 0 || lower == 4) {
    // The source sends to an inner node in the first step and to the far end of the other side in the second; the two
    // must not share the row.
    const bool through_1 = lower == 0 ? source.y != P[1] : source.y == P[2];
    from_source(through_1 ? 1 : 2);
    sends.begin_step();
    pass_on(through_1 ? 1 : 2, through_1 ? 0 : 1);
    pass_on(through_1 ? 1 : 2, through_1 ? 2 : 3);
    from_source(through_1 ? 3 : 0);
    return;
  }
  from_source(lower == 1 ? 0 : 1);
  from_source(lower == 3 ? 3 : 2);
  sends.begin_step();
  switch (lower) {
  case 1:
    pass_on(2, 1);
    pass_on(2, 3);
    return;
  case 2:
    pass_on(1, 0);
    pass_on(2, 3);
    return;
  default:
    pass_on(1, 0);
    pass_on(1, 2);
    return;
  }
}

Schedule dominating_nodes(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, dominating_nodes_name);
  if (grid.sizes().size() != 2) {
    throw InputError(fmt::format("{} runs in 2 dimensions; the {} has {}", dominating_nodes_name, grid.title(),
                                 grid.sizes().size()));
  }
  require_power_of_two(grid, 0, dominating_nodes_name);
  require_power_of_two(grid, 1, dominating_nodes_name);
  if (grid.sizes()[0] != grid.sizes()[1]) {
    throw InputError(fmt::format("{} needs equal sizes; those of the {} differ", dominating_nodes_name, grid.title()));
  }
  Schedule schedule;
  const BlockSetId whole = schedule.block_sets.intern(BlockRange{0, 1});
  const SquareFrame own{.side = grid.sizes()[0]};
  const Position source{grid.coordinate(request.source, 0), grid.coordinate(request.source, 1)};
  std::uint32_t step = 0;
  for (const std::vector<PositionSend>& sends : dominating_nodes_on_dilated(grid, 1, 0, source)) {
    for (const PositionSend& send : sends) {
      schedule.messages.push_back({step, own.node(grid, send.from), own.node(grid, send.to), whole});
    }
    ++step;
  }
  return schedule;
}

} // namespace

std::array<std::int64_t, 4> dominating_levels(unsigned m)
{
  std::array<std::int64_t, 4> levels{0, 1, 2, 3};
  for (unsigned level = 3; level <= m; ++level) {
    const std::int64_t half = std::int64_t{1} << (level - 1);
    levels = {levels[1], levels[2], half + levels[1], half + levels[2]};
  }
  return levels;
}

PositionSteps dominating_nodes_on_mesh(unsigned n, Position source)
{
  Sends sends(std::int64_t{1} << n, source);
  if (n == 0) {
    return {};
  }
  if (n == 1) {
    sends.begin_step();
    sends.add(source, {1 - source.x, source.y});
    sends.add(source, {source.x, 1 - source.y});
    sends.begin_step();
    sends.add({1 - source.x, source.y}, {1 - source.x, 1 - source.y});
    return sends.take_steps();
  }
  enter(sends, dominating_levels(n), source);
  for (unsigned m = n; m >= 2; --m) {
    sends.down(m);
  }
  return sends.take_steps();
}

Position dominating_source_on_torus(unsigned n)
{
  const std::int64_t coordinate = n == 2 ? 0 : rank_coordinate(n, 0);
  return {coordinate, coordinate};
}

PositionSteps dominating_nodes_on_torus(unsigned n)
{
  Sends sends(std::int64_t{1} << n, dominating_source_on_torus(n));
  const auto at = [&](Position ranks) {
    return n == 2 ? ranks : Position{rank_coordinate(n, ranks.x), rank_coordinate(n, ranks.y)};
  };
  const auto step = [&](std::span<const PositionSend> by_rank) {
    sends.begin_step();
    for (const PositionSend& send : by_rank) {
      sends.add(at(send.from), at(send.to));
    }
  };
  if (n == 2) {
    step(small_torus_step_1);
    step(small_torus_step_2);
    return sends.take_steps();
  }
  step(torus_step_1);
  step(torus_step_2);
  for (unsigned m = n - 1; m >= 2; --m) {
    sends.down(m);
  }
  return sends.take_steps();
}

PositionSteps dominating_nodes_on_dilated(const Grid& grid, std::int64_t stride, std::int64_t first, Position source)
{
  SquareFrame frame{.side = grid.sizes()[0] / stride, .stride = stride, .first = first};
  const auto n = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(frame.side)));
  const bool around = is_square_torus(grid) && frame.side > 2;
  PositionSteps steps = around ? dominating_nodes_on_torus(n) : dominating_nodes_on_mesh(n, source);
  if (around) {
    std::vector<PositionSend> all;
    for (const std::vector<PositionSend>& step : steps) {
      all.insert(all.end(), step.begin(), step.end());
    }
    const auto fitting = fitting_frame(grid, frame, dominating_source_on_torus(n), source, all);
    if (!fitting) {
      throw InputError(fmt::format(
          "{} on the {} crosses exactly half the ring from several rows, and with ties that do not wrap those from "
          "source ({}, {}) take different directions: set network.tie = \"positive\"",
          dominating_nodes_name, grid.title(), first + stride * source.x, first + stride * source.y));
    }
    frame = *fitting;
  }
  for (std::vector<PositionSend>& step : steps) {
    for (PositionSend& send : step) {
      send = {{frame.grid_coordinate(0, send.from.x), frame.grid_coordinate(1, send.from.y)},
              {frame.grid_coordinate(0, send.to.x), frame.grid_coordinate(1, send.to.y)}};
    }
  }
  return steps;
}

Algorithm dominating_nodes_algorithm()
{
  Algorithm algorithm;
  algorithm.name = dominating_nodes_name;
  algorithm.summary = "the whole message through nodes that dominate ever smaller blocks; the node sets are a "
                      "reconstruction, not the published ones";
  algorithm.ports = "all-port";
  algorithm.topologies = "mesh and torus 2^n x 2^n";
  algorithm.tie =
      "a torus with n >= 2 needs \"positive\"; with \"no_wrap\" the schedule is reflected where that fits, and "
      "sources from which sends over half the ring would use both directions are refused";
  algorithm.costs = "alpha = beta: mesh n + 1, torus n (n >= 2); published bound n + 2";
  algorithm.source =
      "reconstruction in the frame of Tsai & McKinley, ICS 1994 (D-node; Zhuang & Liberatore, section 8.3)";
  algorithm.by_reversal = {Operation::reduce};
  algorithm.make = dominating_nodes;
  return algorithm;
}

} // namespace wormcast
