// Algorithms that are no broadcasts: closed forms, freedom from contention, random sizes.

#include "tests/algorithms/collective/networks.hpp"
#include "wormcast/algorithms/collective/butterfly.hpp"
#include "wormcast/algorithms/schedule/awaited_messages.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>

namespace wormcast {
namespace {

using testing::expect_costs;
using testing::hypercube_of;
using testing::mesh;
using testing::schedule_for;
using testing::torus;

void expect_ring_costs(const Topology& topology, const std::string& name, std::uint64_t steps)
{
  const std::int64_t nodes = topology.node_count();
  SCOPED_TRACE(name + " on " + topology.title());
  expect_costs(topology, schedule_for("all_gather", name, topology), steps, Fraction(nodes - 1));
  expect_costs(topology, schedule_for("reduce_scatter", name, topology), steps, Fraction(nodes - 1, nodes));
  expect_costs(topology, schedule_for("all_reduce", name, topology), 2 * steps, Fraction(2 * (nodes - 1), nodes));
}

TEST(Collective, RingsKeepTheirClosedForms)
{
  for (const auto& dims : std::vector<std::vector<std::int64_t>>{{1}, {2}, {7}, {4, 4}, {5, 3}, {3, 5}, {2, 3, 4}}) {
    std::uint64_t steps = 0;
    for (const std::int64_t size : dims) {
      steps += static_cast<std::uint64_t>(size - 1);
    }
    for (const auto& topology : {mesh(dims), torus(dims), torus(dims, "positive")}) {
      expect_ring_costs(*topology, "ring", topology->node_count() - 1);
      expect_ring_costs(*topology, "dimension_ring", steps);
      const std::int64_t nodes = topology->node_count();
      expect_costs(*topology, schedule_for("all_to_all", "dimension_ring", *topology), steps,
                   Fraction(nodes * static_cast<std::int64_t>(steps), 2));
    }
  }
}

TEST(Collective, ButterfliesKeepTheirClosedFormsOnHypercubes)
{
  for (std::int64_t d = 0; d <= 6; ++d) {
    const auto cube = hypercube_of(d == 0 ? 1 : d);
    const std::int64_t nodes = cube->node_count();
    const auto steps = static_cast<std::uint64_t>(std::countr_zero(cube->node_count()));
    expect_ring_costs(*cube, "ring", static_cast<std::uint64_t>(nodes - 1));
    expect_ring_costs(*cube, "recursive_halving", steps);
    expect_costs(*cube, schedule_for("all_to_all", "recursive_halving", *cube), steps,
                 Fraction(nodes * static_cast<std::int64_t>(steps), 2));
    expect_costs(*cube, schedule_for("all_to_all", "pairwise_exchange", *cube), static_cast<std::uint64_t>(nodes - 1),
                 Fraction(nodes - 1));
  }
}

TEST(Collective, BinePartnersMeetAndAreNear)
{
  EXPECT_EQ(bine_partner(0, 0, 8), 1U);
  EXPECT_EQ(bine_partner(0, 1, 8), 7U);
  EXPECT_EQ(bine_partner(0, 2, 8), 3U);
  EXPECT_EQ(bine_partner(3, 2, 8), 0U);
  for (std::uint32_t ranks = 2; ranks <= 256; ranks *= 2) {
    for (unsigned step = 0; (1U << step) < ranks; ++step) {
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        ASSERT_EQ(bine_partner(bine_partner(rank, step, ranks), step, ranks), rank);
      }
    }
  }
}

TEST(Collective, BineButterflyNeedsNoMoreThanRecursiveHalving)
{
  for (std::int64_t size = 2; size <= 64; size *= 2) {
    const auto line = torus({size});
    for (const std::string operation : {"all_gather", "reduce_scatter", "all_reduce", "all_to_all"}) {
      const CheckReport bine = check_schedule(*line, schedule_for(operation, "bine_butterfly", *line));
      const CheckReport halving = check_schedule(*line, schedule_for(operation, "recursive_halving", *line));
      EXPECT_TRUE(bine.valid());
      EXPECT_TRUE(halving.valid());
      EXPECT_EQ(bine.costs.alpha, halving.costs.alpha);
      EXPECT_EQ(bine.costs.beta, halving.costs.beta);
      EXPECT_LE(bine.costs.tcd, halving.costs.tcd);
    }
  }
}

TEST(Collective, DimensionHalvingIsScatterAndGather)
{
  for (const auto& dims : std::vector<std::vector<std::int64_t>>{{8}, {4, 4}, {8, 2}, {4, 2, 4}}) {
    for (const auto& topology : {mesh(dims), torus(dims)}) {
      const std::uint32_t nodes = topology->node_count();
      for (std::uint32_t source = 0; source < nodes; source += 3) {
        for (const std::string operation : {"scatter", "gather"}) {
          expect_costs(*topology, schedule_for(operation, "dimension_halving", *topology, source),
                       static_cast<std::uint64_t>(std::countr_zero(nodes)), Fraction(nodes - 1));
        }
      }
    }
  }
}

TEST(Collective, DisseminationIsABarrierOfAnySize)
{
  for (std::int64_t nodes = 1; nodes <= 40; ++nodes) {
    const auto line = mesh({nodes});
    const CheckReport report = check_schedule(*line, testing::schedule_of("dissemination", *line, NodeId{0}, 1));
    EXPECT_TRUE(report.valid()) << nodes;
    EXPECT_EQ(report.costs.alpha, static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(nodes - 1))));
  }
}

struct MeasuredCase {
  std::string algorithm;
  std::string operation;
  bool on_hypercube = false;
};

// alpha * startup + beta * length * per_byte, without time for hops.
TEST(Collective, LastsAsLongAsItsCostsSay)
{
  const std::vector<MeasuredCase> cases = {{"ring", "reduce_scatter"},
                                           {"ring", "all_reduce"},
                                           {"dimension_ring", "all_gather"},
                                           {"dimension_ring", "all_reduce"},
                                           {"dimension_ring", "all_to_all"},
                                           {"dimension_halving", "gather"},
                                           {"recursion_based", "reduce"},
                                           {"recursion_based", "all_reduce"},
                                           {"scatter_collect", "all_reduce"},
                                           {"minimum_tcd", "reduce"},
                                           {"recursive_halving", "all_reduce", true},
                                           {"recursive_halving", "all_to_all", true},
                                           {"pairwise_exchange", "all_to_all", true},
                                           {"scatter_all_gather", "all_reduce", true}};
  NetworkParameters network;
  network.startup = Time{7'000};
  network.per_hop = Time{0};
  network.per_byte = Time{10};
  for (const MeasuredCase& measured : cases) {
    SCOPED_TRACE(measured.algorithm + " " + measured.operation);
    const auto topology = measured.on_hypercube ? hypercube_of(6) : mesh({8, 8});
    Schedule schedule = schedule_for(measured.operation, measured.algorithm, *topology, 27);
    schedule.message_bytes = 640;
    const ScheduleCosts costs = schedule_costs(*topology, schedule);
    const std::int64_t expected =
        static_cast<std::int64_t>(costs.alpha) * 7'000 + static_cast<std::int64_t>(costs.beta_bytes) * 10;
    EXPECT_EQ(simulate_core(*topology, schedule, network, {}).latency, Time{expected});
    EXPECT_LE(simulate_core(*topology, schedule, network, {.mode = Mode::self_timed}).latency.value().picoseconds,
              expected);
  }
}

// Node 1 has nothing to send before it has heard of node 2, although its own contribution is there.
TEST(Collective, ASelfTimedReduceWaitsForWhatItCombines)
{
  const auto line = mesh({3});
  Schedule schedule;
  schedule.topology = line->description();
  schedule.operation = Operation::reduce;
  schedule.message_bytes = 100;
  const BlockSetId all = schedule.block_sets.intern({0, 1});
  schedule.messages = {{1, NodeId{1}, NodeId{0}, all}, {0, NodeId{2}, NodeId{1}, all}};
  NetworkParameters network;
  network.startup = Time{1'000};
  network.per_hop = Time{0};
  network.per_byte = Time{1};
  const SimulationResult result = simulate_core(*line, schedule, network, {.mode = Mode::self_timed});
  EXPECT_EQ(result.delivered[1], Time{1'100});
  EXPECT_EQ(result.delivered[0], Time{2'200});
}

// Blocks that always go together are one: a billion of them cost no more.
TEST(Collective, AwaitsMessagesWithCommonBlocks)
{
  Schedule schedule;
  schedule.operation = Operation::reduce;
  schedule.blocks = std::uint64_t{1} << 31;
  const auto blocks = [&](std::uint32_t begin, std::uint32_t end) { return schedule.block_sets.intern({begin, end}); };
  schedule.messages = {{2, NodeId{1}, NodeId{0}, blocks(5, 1U << 31)},
                       {0, NodeId{2}, NodeId{1}, blocks(0, 6)},
                       {0, NodeId{3}, NodeId{1}, blocks(0, 5)},
                       {1, NodeId{4}, NodeId{1}, blocks(1U << 30, 1U << 31)},
                       {2, NodeId{5}, NodeId{1}, blocks(0, 1U << 31)}};
  const MessageLists awaited = awaited_messages(schedule, 6);
  EXPECT_TRUE(std::ranges::equal(awaited[0], std::vector{MessageId{1}, MessageId{3}}));
  for (std::size_t id = 1; id < schedule.messages.size(); ++id) {
    EXPECT_TRUE(awaited[id].empty()) << id;
  }
}

void expect_bad_destinations(std::vector<std::int64_t> destinations, const std::string& text)
{
  const auto topology = mesh({4, 4});
  ScheduleRequest request;
  request.source = NodeId{5};
  request.parameters.set("destinations", std::move(destinations));
  try {
    make_schedule(find_algorithm("chain_halving"), *topology, request);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), text);
  }
}

TEST(Collective, RefusesBadDestinations)
{
  expect_bad_destinations({}, "algorithm.destinations: a multicast needs at least one destination");
  expect_bad_destinations({3, 1, 3}, "algorithm.destinations: the destination 3 occurs twice");
  expect_bad_destinations({3, 5}, "algorithm.destinations: node 5 is the source and cannot be a destination");
  expect_bad_destinations({16}, "algorithm.destinations: there is no node 16, expected destinations from 0 to 15");
}

TEST(Collective, ButterfliesNameTheNearestSize)
{
  const auto topology = mesh({3, 4});
  try {
    testing::schedule_of("recursive_halving", *topology, NodeId{0}, 1);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "recursive_halving needs a number of nodes that is a power of two; the mesh 3 x 4 has 12; "
                 "the nearest is 8");
  }
}

RC_GTEST_PROP(CollectiveProperty, MulticastsReachTheirDestinationsWithoutContention, ())
{
  std::vector<std::int64_t> dims;
  const int dimensions = *rc::gen::inRange(1, 4);
  for (int i = 0; i < dimensions; ++i) {
    dims.push_back(*rc::gen::inRange(1, 7));
  }
  const auto topology = mesh(dims);
  const std::uint32_t nodes = topology->node_count();
  RC_PRE(nodes > 1);
  const std::uint32_t source = *rc::gen::inRange<std::uint32_t>(0, nodes);
  std::vector<std::int64_t> destinations;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (node != source && *rc::gen::arbitrary<bool>()) {
      destinations.push_back(node);
    }
  }
  RC_PRE(!destinations.empty());
  const Schedule schedule =
      schedule_for("multicast", "chain_halving", *topology, source, {{"destinations", destinations}});
  const CheckReport report = check_schedule(*topology, schedule);
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(std::bit_width(destinations.size())));
}

RC_GTEST_PROP(CollectiveProperty, EverythingIsRightForAnySize, ())
{
  const auto topology = *rc::gen::arbitrary<bool>()
                            ? mesh({*rc::gen::inRange(1, 7), *rc::gen::inRange(1, 7)})
                            : torus({*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 5), *rc::gen::inRange(1, 4)});
  const auto source = *rc::gen::inRange<std::uint32_t>(0, topology->node_count());
  for (const auto& [name, operation] :
       std::vector<std::pair<std::string, std::string>>{{"ring", "reduce_scatter"},
                                                        {"ring", "all_reduce"},
                                                        {"ring", "all_gather"},
                                                        {"dimension_ring", "all_to_all"},
                                                        {"dimension_ring", "all_reduce"},
                                                        {"pairwise_exchange", "all_to_all"},
                                                        {"dimension_halving", "scatter"},
                                                        {"dimension_halving", "gather"}}) {
    RC_LOG() << name << " " << operation << " on " << topology->title() << std::endl;
    RC_ASSERT(check_schedule(*topology, schedule_for(operation, name, *topology, source)).valid());
  }
}

} // namespace
} // namespace wormcast
