// Schedules made on one topology and run on another one.

#include "tests/algorithms/collective/networks.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/schedule/placement.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/folding.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

namespace wormcast {
namespace {

using testing::grid;
using testing::mesh;
using testing::schedule_for;
using testing::torus;

std::vector<NodeId> first_nodes(std::uint32_t count)
{
  std::vector<NodeId> nodes;
  for (std::uint32_t node = 0; node < count; ++node) {
    nodes.push_back(NodeId{node});
  }
  return nodes;
}

NetworkParameters network_with(std::uint32_t ports)
{
  NetworkParameters network;
  network.startup = Time{1'000'000};
  network.per_hop = Time{100'000};
  network.per_byte = Time{158};
  network.flit_bytes = 64;
  network.buffer_flits = 16;
  network.virtual_channels = 2;
  network.ports.count = ports;
  return network;
}

SimulationResult simulated(const Topology& topology, const Schedule& schedule, Mode mode)
{
  RunParameters run;
  run.mode = mode;
  return simulate_core(topology, schedule, network_with(1), run);
}

/// An operation, and an algorithm for it that runs on every network.
struct Case {
  std::string operation;
  std::string algorithm;
};

const std::vector<Case> cases = {{"broadcast", "binomial_tree"},
                                 {"scatter", "single_node_scatter"},
                                 {"all_gather", "ring"},
                                 {"reduce_scatter", "ring"},
                                 {"all_reduce", "recursive_halving"},
                                 {"all_to_all", "pairwise_exchange"},
                                 {"barrier", "dissemination"},
                                 {"reduce", "bfs_tree"}};

Schedule made(const Topology& topology, const Case& one, std::uint32_t source = 0)
{
  Schedule schedule = one.algorithm == "single_node_scatter" || one.operation == "barrier"
                          ? testing::schedule_of(one.algorithm, topology, NodeId{source}, 4096)
                          : schedule_for(one.operation, one.algorithm, topology, source);
  schedule.message_bytes = 4096; // the engine of shared channels moves each flit
  return schedule;
}

TEST(PlacedSchedule, OnTheOwnNodesChangesNothing)
{
  for (const Case& one : cases) {
    const auto topology = one.algorithm == "single_node_scatter" ? testing::hypercube_of(4) : torus({4, 4});
    const Schedule schedule = made(*topology, one);
    const Schedule placed = placed_schedule(schedule, first_nodes(topology->node_count()), *topology);
    EXPECT_TRUE(check_schedule(*topology, placed).valid()) << one.operation;
    for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
      EXPECT_EQ(simulated(*topology, placed, mode).delivered, simulated(*topology, schedule, mode).delivered)
          << one.operation;
    }
  }
}

RC_GTEST_PROP(PlacedSchedule, RunsOnAnyNodesOfALargerNetwork, ())
{
  const Case one = *rc::gen::elementOf(cases);
  const auto logical = one.algorithm == "single_node_scatter" ? testing::hypercube_of(3) : torus({4, 2});
  const auto source = *rc::gen::inRange<std::uint32_t>(0, logical->node_count());
  const auto topology = mesh({5, 4});
  std::vector<NodeId> nodes = first_nodes(topology->node_count());
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  std::ranges::shuffle(nodes, random);
  nodes.resize(logical->node_count());
  const Schedule schedule = made(*logical, one, source);
  const Schedule placed = placed_schedule(schedule, nodes, *topology);
  RC_ASSERT(placed.messages.size() == schedule.messages.size());
  RC_ASSERT(block_set_bytes(placed).size() == block_set_bytes(schedule).size());
  for (std::size_t id = 0; id < schedule.messages.size(); ++id) {
    const Message& before = schedule.messages[id];
    const Message& after = placed.messages[id];
    RC_ASSERT(after.source == nodes[index(before.source)] && after.destination == nodes[index(before.destination)]);
    RC_ASSERT(block_set_bytes(placed)[static_cast<std::size_t>(after.blocks)] ==
              block_set_bytes(schedule)[static_cast<std::size_t>(before.blocks)]);
  }
  for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
    const SimulationResult result = simulated(*topology, placed, mode);
    RC_ASSERT(!result.deadlock.has_value());
    RC_ASSERT(std::ranges::all_of(result.delivered, [](const auto& time) { return time.has_value(); }));
  }
  // A node sends nothing that it does not have: what is missing at the end is at nodes without a rank.
  if (!combines(schedule.operation)) {
    const CheckReport report = check_schedule(*topology, placed);
    RC_ASSERT(report.possession && report.ports);
  }
}

TEST(PlacedSchedule, MovedAlongATorusTakesTheSameTime)
{
  const auto topology = torus({4, 4});
  std::vector<NodeId> moved;
  for (std::uint32_t node = 0; node < 16; ++node) {
    moved.push_back(NodeId{(node + 4) % 16});
  }
  const Schedule schedule = made(*topology, {"all_reduce", "torus_doubling"});
  const Schedule placed = placed_schedule(schedule, moved, *topology);
  EXPECT_EQ(simulated(*topology, placed, Mode::lockstep).latency,
            simulated(*topology, schedule, Mode::lockstep).latency);
}

TEST(PlacedSchedule, PlainListsKeepTheirOrder)
{
  Schedule schedule;
  schedule.operation = Operation::none;
  schedule.topology = grid("mesh", {3});
  schedule.messages = {{.source = NodeId{0}, .destination = NodeId{2}},
                       {.source = NodeId{2}, .destination = NodeId{1}}};
  schedule.plain = {{.bytes = 640, .start = Time{5}}, {.bytes = 64, .start = Time{}}};
  schedule.after.set(1, std::vector{MessageId{0}});
  const auto line = mesh({10});
  const Schedule placed = placed_schedule(schedule, std::vector{NodeId{9}, NodeId{0}, NodeId{4}}, *line);
  const SimulationResult result = simulated(*line, placed, Mode::self_timed);
  // T_s + d*T_f + L*T_c: 5 hops from 9 to 4, then 4 hops from 4 to 0.
  const std::int64_t first = 5 + 1'000'000 + 5 * 100'000 + 640 * 158;
  EXPECT_EQ(result.delivered[0], Time{first});
  EXPECT_EQ(result.delivered[1], Time{first + 1'000'000 + std::int64_t{4} * 100'000 + std::int64_t{64} * 158});
}

/// Exchanges at distance two of rings of four share channels on the torus, and none in the box into which it is folded:
/// the ring is a square, whose diagonals are disjoint.
TEST(PlacedSchedule, FoldedTorusOfSidesOfFourHasNoContention)
{
  const auto logical = torus({4, 4, 4});
  TopologyDescription description = grid("torus", {2, 2, 2, 2, 3, 2});
  description.parameters.set("wrap", std::vector<std::int64_t>{0, 0, 0, 0, 1, 0});
  const auto box = make_topology(description);
  const std::vector<NodeId> nodes = folded_nodes(dynamic_cast<const Grid&>(*logical), dynamic_cast<const Grid&>(*box));
  Schedule schedule = schedule_for("all_reduce", "torus_doubling", *logical, 0, {{"variant", std::string("latency")}});
  schedule.message_bytes = 4096;
  const Schedule placed = placed_schedule(schedule, nodes, *box);
  const ScheduleCosts plain = schedule_costs(*logical, schedule);
  const ScheduleCosts folded = schedule_costs(*box, placed);
  EXPECT_EQ(plain.fair_beta, Fraction(9));
  EXPECT_EQ(folded.fair_beta, Fraction(6));
  EXPECT_EQ(folded.step_hops, 3U + 6U) << "one hop each, and two along a diagonal";
  EXPECT_TRUE(folded.contention_free);
  EXPECT_TRUE(simulated(*box, placed, Mode::self_timed).contention.none());
  EXPECT_FALSE(simulated(*logical, schedule, Mode::self_timed).contention.none());
}

/// A torus of D equal sides folded into a box of the axes x y z a b c of a TofuD network.
struct FoldedCosts {
  ScheduleCosts plain;
  ScheduleCosts folded;
};

FoldedCosts costs_of_folding(const std::vector<std::int64_t>& sides, const std::vector<std::int64_t>& box_sizes,
                             const std::string& algorithm)
{
  const auto logical = torus(sides);
  TopologyDescription description = grid("torus", box_sizes);
  description.parameters.set("wrap", std::vector<std::int64_t>{0, 0, 0, 0, 1, 0});
  const auto box = make_topology(description);
  const std::vector<NodeId> nodes = folded_nodes(dynamic_cast<const Grid&>(*logical), dynamic_cast<const Grid&>(*box));
  const Schedule schedule = schedule_for("all_reduce", algorithm, *logical, 0, {{"variant", std::string("latency")}});
  return {schedule_costs(*logical, schedule), schedule_costs(*box, placed_schedule(schedule, nodes, *box))};
}

TEST(PlacedSchedule, FoldingChangesLoadsAndDistances)
{
  const FoldedCosts bine = costs_of_folding({8, 8, 8}, {4, 3, 4, 2, 3, 2}, "swing");
  const FoldedCosts doubling = costs_of_folding({8, 8, 8}, {4, 3, 4, 2, 3, 2}, "torus_doubling");
  EXPECT_EQ(bine.plain.fair_beta, Fraction(12));
  EXPECT_EQ(bine.folded.fair_beta, Fraction(10)) << "one vector more than without contention, in the ring through b";
  EXPECT_EQ(bine.plain.tcd, 512U * 15U);
  EXPECT_EQ(doubling.plain.tcd, 512U * 21U);
  EXPECT_EQ((bine.folded.tcd + 256U) / 512U, 12U);
  EXPECT_EQ((doubling.folded.tcd + 256U) / 512U, 17U);
  const FoldedCosts small_bine = costs_of_folding({4, 4, 4}, {2, 2, 2, 2, 3, 2}, "swing");
  const FoldedCosts small_doubling = costs_of_folding({4, 4, 4}, {2, 2, 2, 2, 3, 2}, "torus_doubling");
  EXPECT_EQ(small_bine.folded.tcd * 3, small_doubling.folded.tcd * 2);
}

TEST(PlacedSchedule, RefusesMapsThatAreNone)
{
  const auto topology = mesh({4});
  const Schedule schedule = schedule_for("broadcast", "binomial_tree", *topology);
  EXPECT_EQ(input_error([&] { placed_schedule(schedule, std::vector{NodeId{0}, NodeId{0}}, *topology); }),
            "found 0, expected different nodes from 0 to 3");
  EXPECT_EQ(input_error([&] { placed_schedule(schedule, std::vector{NodeId{0}, NodeId{4}}, *topology); }),
            "found 4, expected different nodes from 0 to 3");
  EXPECT_EQ(input_error([&] { placed_schedule(schedule, std::vector{NodeId{0}, NodeId{1}}, *topology); }),
            "rank 2 has no node: there are 2 nodes");
}

} // namespace
} // namespace wormcast
