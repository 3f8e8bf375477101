// What holds for the broadcasts of Cang & Wu and for recursive halving from every source.

#include "tests/algorithms/tcd/golden.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/algorithms/tcd/minimum_tcd.hpp"
#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <set>

namespace wormcast {
namespace {

using testing::cube;
using testing::GridTopology;
using testing::mesh;
using testing::schedule_of;
using testing::torus;

const std::vector<std::string> variants = {"paper", "best", "naive", "halving"};

Schedule broadcast(const Grid& grid, const std::string& variant, NodeId source)
{
  if (variant == "halving") {
    return schedule_of("recursive_halving_tcd", grid, source, 1);
  }
  return schedule_of("minimum_tcd", grid, source, 1, {{"order", variant}});
}

/// The same schedule with the grid's dimensions in reverse, which makes dimension order YX (ZYX, ...) routing of XY.
struct Transposed {
  GridTopology grid;
  Schedule schedule;
};

Transposed transpose(const Grid& grid, Schedule schedule)
{
  Transposed result = {{grid.description().kind, {grid.sizes().rbegin(), grid.sizes().rend()}}, std::move(schedule)};
  const auto moved = [&](NodeId node) {
    std::vector<std::int64_t> coordinates = grid.coordinates(node);
    std::ranges::reverse(coordinates);
    return result.grid->node_at(coordinates);
  };
  result.schedule.topology = result.grid->description();
  result.schedule.source = moved(result.schedule.source);
  for (Message& message : result.schedule.messages) {
    message.source = moved(message.source);
    message.destination = moved(message.destination);
  }
  return result;
}

/// 2^t nodes are informed after step t, each sender was informed before, and no node takes part in two messages of a
/// step.
void expect_doubling(const Grid& grid, const Schedule& schedule)
{
  std::set<std::uint32_t> informed = {index(schedule.source)};
  const StepOrder steps = order_by_step(schedule);
  for (std::size_t step = 0; step + 1 < steps.offsets.size(); ++step) {
    std::set<std::uint32_t> busy;
    std::set<std::uint32_t> after = informed;
    for (std::size_t i = steps.offsets[step]; i < steps.offsets[step + 1]; ++i) {
      const Message& message = schedule.messages[index(steps.order[i])];
      EXPECT_TRUE(informed.contains(index(message.source)));
      EXPECT_TRUE(busy.insert(index(message.source)).second);
      EXPECT_TRUE(busy.insert(index(message.destination)).second);
      EXPECT_TRUE(after.insert(index(message.destination)).second);
    }
    EXPECT_EQ(after.size(), 2 * informed.size());
    informed = std::move(after);
  }
  EXPECT_EQ(informed.size(), grid.node_count());
}

TEST(TcdBroadcasts, DoubleWithoutContentionFromEverySource)
{
  for (const std::string kind : {"mesh", "torus"}) {
    for (const std::vector<std::int64_t>& dims :
         {cube(1, 5), cube(2, 1), cube(2, 2), cube(2, 3), cube(3, 1), cube(3, 2), cube(4, 1), cube(8, 0)}) {
      const GridTopology grid(kind, dims);
      for (const std::string& variant : variants) {
        for (std::uint32_t source = 0; source < grid->node_count(); ++source) {
          const Schedule schedule = broadcast(*grid, variant, NodeId{source});
          expect_doubling(*grid, schedule);
          const CheckReport report = check_schedule(*grid, schedule);
          EXPECT_TRUE(report.valid());
          EXPECT_EQ(report.contended_pairs, 0U);
          const Transposed yx = transpose(*grid, schedule);
          EXPECT_EQ(check_schedule(*yx.grid, yx.schedule).contended_pairs, 0U);
          if (kind == "torus") {
            EXPECT_EQ(report.costs.tcd,
                      static_cast<std::uint64_t>(
                          optimal_tcd(static_cast<unsigned>(dims.size()),
                                      static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(dims[0])) - 1))));
          }
        }
      }
    }
  }
}

TEST(TcdBroadcasts, ReachTheOptimumFromEveryEye)
{
  for (const auto& [d, k] : {std::pair{1U, 7U}, {2U, 5U}, {3U, 3U}, {4U, 2U}, {5U, 2U}, {8U, 1U}}) {
    const GridTopology grid = mesh(cube(d, k));
    int eyes = 0;
    for (std::uint32_t node = 0; node < grid->node_count(); ++node) {
      if (is_eye(grid->coordinates(NodeId{node}), k)) {
        ++eyes;
        const ScheduleCosts costs = schedule_costs(*grid, broadcast(*grid, "paper", NodeId{node}));
        EXPECT_EQ(costs.tcd, static_cast<std::uint64_t>(optimal_tcd(d, k)));
        EXPECT_EQ(costs.alpha, d * k);
      }
    }
    EXPECT_EQ(eyes, 1 << d);
  }
}

unsigned any_level(std::size_t d)
{
  return *rc::gen::inRange(0U, static_cast<unsigned>(10 / d + 1));
}

NodeId any_node(const Grid& grid)
{
  return NodeId{*rc::gen::inRange<std::uint32_t>(0, grid.node_count())};
}

RC_GTEST_PROP(MinimumTcd, HasTheTcdOfItsClosedForm, ())
{
  const auto d = *rc::gen::inRange<std::size_t>(1, 9);
  const GridTopology grid(*rc::gen::element<std::string>("mesh", "torus"), cube(d, any_level(d)));
  const AxisOrder order = *rc::gen::element(AxisOrder::paper, AxisOrder::best, AxisOrder::naive);
  const NodeId source = any_node(*grid);
  const CheckReport report = check_schedule(*grid, broadcast(*grid, std::string(axis_order_names.text(order)), source));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.messages == grid->node_count() - 1);
  RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(std::bit_width(grid->node_count()) - 1));
  RC_ASSERT(report.costs.beta == Fraction(static_cast<std::int64_t>(report.costs.alpha)));
  RC_ASSERT(report.costs.tcd == minimum_tcds(*grid, order)[index(source)]);
}

std::vector<std::int64_t> any_powers_of_two()
{
  auto dims = *rc::gen::container<std::vector<std::int64_t>>(*rc::gen::inRange(1, 5),
                                                             rc::gen::element<std::int64_t>(1, 2, 4, 8, 16));
  std::int64_t nodes = 1;
  for (std::int64_t& size : dims) {
    while (nodes * size > 1024) {
      size /= 2;
    }
    nodes *= size;
  }
  return dims;
}

RC_GTEST_PROP(RecursiveHalvingTcd, AttainsTheMinimumForAllSizes, ())
{
  const GridTopology grid(*rc::gen::element<std::string>("mesh", "torus"), any_powers_of_two());
  const NodeId source = any_node(*grid);
  const Schedule schedule = broadcast(*grid, "halving", source);
  const CheckReport report = check_schedule(*grid, schedule);
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(std::bit_width(grid->node_count()) - 1));
  RC_ASSERT(report.costs.tcd == recursive_halving_tcds(*grid)[index(source)]);
  const Transposed yx = transpose(*grid, schedule);
  RC_ASSERT(check_schedule(*yx.grid, yx.schedule).contention_free);
}

RC_GTEST_PROP(TcdBroadcasts, ReflectionsAndTranslationsChangeNoTcd, ())
{
  const auto d = *rc::gen::inRange<std::size_t>(1, 5);
  const GridTopology grid(*rc::gen::element<std::string>("mesh", "torus"), cube(d, any_level(d)));
  const std::string variant = *rc::gen::elementOf(variants);
  std::vector<std::int64_t> coordinates = grid->coordinates(any_node(*grid));
  const ScheduleCosts before = schedule_costs(*grid, broadcast(*grid, variant, grid->node_at(coordinates)));
  for (std::size_t axis = 0; axis < d; ++axis) {
    const std::int64_t size = grid->sizes()[axis];
    if (*rc::gen::element(true, false)) {
      coordinates[axis] = size - 1 - coordinates[axis];
    }
    if (grid->wraps()) {
      coordinates[axis] = (coordinates[axis] + *rc::gen::inRange<std::int64_t>(0, size)) % size;
    }
  }
  if (variant != "paper") { // crosses the axes in an order of its own
    std::ranges::reverse(coordinates);
  }
  const ScheduleCosts after = schedule_costs(*grid, broadcast(*grid, variant, grid->node_at(coordinates)));
  RC_ASSERT(after.tcd == before.tcd);
}

RC_GTEST_PROP(TcdBroadcasts, TakeTheTimeOfTheirStepsAndNoMoreHalfDuplex, ())
{
  const auto d = *rc::gen::inRange<std::size_t>(1, 4);
  const unsigned k = *rc::gen::inRange(1U, static_cast<unsigned>(8 / d + 1));
  const GridTopology grid(*rc::gen::element<std::string>("mesh", "torus"), cube(d, k));
  Schedule schedule = broadcast(*grid, *rc::gen::elementOf(variants), any_node(*grid));
  schedule.message_bytes = *rc::gen::inRange<std::uint64_t>(1, 200);
  NetworkParameters network;
  network.startup = Time{1000};
  network.per_byte = Time{7};
  const auto steps = static_cast<std::int64_t>(d * k);
  const auto length = static_cast<std::int64_t>(schedule.message_bytes);
  SimulationResult full;
  for (const Duplex duplex : {Duplex::full, Duplex::half}) {
    schedule.duplex = duplex;
    network.duplex = duplex;
    const SimulationResult result = simulate_core(*grid, schedule, network, {.mode = Mode::lockstep});
    RC_ASSERT(result.latency == steps * (network.startup + time_of_bytes(network.per_byte, length).value()));
    RC_ASSERT(result.contention.none());
    if (duplex == Duplex::full) {
      full = result;
    }
    RC_ASSERT(result.delivered == full.delivered);
    RC_ASSERT(check_schedule(*grid, schedule).costs.alpha == static_cast<std::uint64_t>(steps));
  }
}

TEST(TcdBroadcasts, SayWhatTheyServe)
{
  const auto made_on = [](const std::string& algorithm, std::vector<std::int64_t> dims) {
    return input_error([&] { schedule_of(algorithm, *mesh(std::move(dims)), NodeId{0}, 1); });
  };
  EXPECT_EQ(made_on("minimum_tcd", {8, 6}),
            "minimum_tcd needs equal sizes that are powers of two; the y size of the mesh 8 x 6 is 6");
  EXPECT_EQ(made_on("minimum_tcd", {8, 8, 4}),
            "minimum_tcd needs equal sizes that are powers of two; the z size of the mesh 8 x 8 x 4 is 4");
  EXPECT_EQ(made_on("minimum_tcd", {6, 6}),
            "minimum_tcd needs equal sizes that are powers of two; the x size of the mesh 6 x 6 is 6");
  EXPECT_EQ(made_on("recursive_halving_tcd", {8, 6}),
            "recursive_halving_tcd needs sizes that are powers of two; the y size of the mesh 8 x 6 is 6");
  const auto petersen = make_topology({.kind = "petersen", .parameters = {}});
  for (const std::string algorithm : {"minimum_tcd", "recursive_halving_tcd"}) {
    EXPECT_THAT(input_error([&] { schedule_of(algorithm, *petersen, NodeId{0}, 1); }), ::testing::HasSubstr(algorithm));
  }
  EXPECT_THAT(input_error([] { schedule_of("minimum_tcd", *mesh({4, 4}), NodeId{0}, 1, {{"order", "bset"}}); }),
              ::testing::HasSubstr("\"best\""));
}

} // namespace
} // namespace wormcast
