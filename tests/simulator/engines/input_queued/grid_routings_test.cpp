// Routings of router "input_queued" besides dimension order: small cases by hand, full networks that must not stop, and
// what is known of transposition. Agreement with the slow program is in input_queued_test.cpp.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/traffic/expected_load.hpp"
#include "wormcast/topologies/grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace wormcast {
namespace {

using testing::booksim_network;
using testing::grid_of;
using testing::traffic_of;

constexpr std::int64_t cycle_time = 1000; // picoseconds

struct TracedRun {
  SimulationResult result;
  std::map<std::uint32_t, std::vector<std::string>> paths; // by message: names of the nodes behind the source

  std::int64_t head_at_node(std::size_t message) const
  {
    return result.flits[message].head_ejected.picoseconds / cycle_time;
  }
  std::int64_t delivered(std::size_t message) const { return result.delivered[message]->picoseconds / cycle_time; }
};

TracedRun run_routing(GridRouting routing, const std::vector<std::int64_t>& dims, NetworkParameters network,
                      const std::vector<testing::Send>& sends, const std::string& kind = "mesh")
{
  const auto topology = grid_of(kind, dims);
  network.pipeline.routing = routing;
  TracedRun run;
  RecordSinks sinks;
  sinks.path = [&](MessageId message, std::span<const ChannelId> path) {
    for (const ChannelId channel : path) {
      run.paths[index(message)].push_back(topology->node_name(topology->channel_target(channel)));
    }
  };
  run.result = simulate_core(*topology, testing::plain_schedule(testing::grid(kind, dims), sends), network, {}, sinks);
  return run;
}

using Path = std::vector<std::string>;

TEST(GridRoutings, TakeThePathOfDimensionOrderWhereAllAreFree)
{
  for (const GridRouting routing : {GridRouting::west_first, GridRouting::odd_even, GridRouting::minimal_adaptive}) {
    const TracedRun run = run_routing(routing, {3, 3}, booksim_network(2, false, true), {{0, 4, 1, 0, {}}});
    EXPECT_EQ(run.paths.at(0), (Path{"(1, 0)", "(1, 1)"})) << grid_routing_names.text(routing);
    EXPECT_EQ(run.head_at_node(0), 2 + 2 * 4 + 4);
  }
}

// A long message from (0, 0) to (2, 0) has x+ of router (1, 0) from cycle 6 on. A short one that comes there in cycle
// 12 on its way from (1, 0) to (2, 1) goes upwards at once: 2 cycles to its router, 4 for each hop, 4 to the node.
TEST(GridRoutings, AvoidBlockedChannels)
{
  const std::vector<testing::Send> sends = {{0, 2, 40, 0, {}}, {1, 5, 1, 10 * cycle_time, {}}};
  for (const GridRouting routing : {GridRouting::west_first, GridRouting::odd_even}) {
    const TracedRun run = run_routing(routing, {3, 3}, booksim_network(1, false, false), sends);
    EXPECT_EQ(run.paths.at(0), (Path{"(1, 0)", "(2, 0)"}));
    EXPECT_EQ(run.paths.at(1), (Path{"(1, 1)", "(2, 1)"})) << grid_routing_names.text(routing);
    EXPECT_EQ(run.head_at_node(1), 10 + 2 + 2 * 4 + 4) << grid_routing_names.text(routing);
  }
  const TracedRun waits = run_routing(GridRouting::dimension_order, {3, 3}, booksim_network(1, false, false), sends);
  EXPECT_TRUE(waits.paths.empty()); // the topology's
  EXPECT_GT(waits.head_at_node(1), 40);
}

// West before all else, even if somebody is in the way.
TEST(GridRoutings, WaitWhereTheirModelForbidsTheTurn)
{
  const std::vector<testing::Send> sends = {{2, 0, 40, 0, {}}, {1, 3, 1, 10 * cycle_time, {}}};
  const TracedRun west = run_routing(GridRouting::west_first, {3, 3}, booksim_network(1, false, false), sends);
  EXPECT_EQ(west.paths.at(1), (Path{"(0, 0)", "(0, 1)"}));
  EXPECT_GT(west.head_at_node(1), 40);
  // (1, 0) to (0, 1): column 1 is odd, no turn from there to west either.
  const TracedRun odd = run_routing(GridRouting::odd_even, {3, 3}, booksim_network(1, false, false), sends);
  EXPECT_EQ(odd.paths.at(1), (Path{"(0, 0)", "(0, 1)"}));
  EXPECT_GT(odd.head_at_node(1), 40);
}

// Two long messages have virtual channel 1 of both ways out of (1, 0): the third takes escape channel 0 to (2, 0) at
// once, and there virtual channel 1 again.
TEST(GridRoutings, EscapeWhereAllElseIsTaken)
{
  const std::vector<testing::Send> sends = {{0, 2, 400, 0, {}}, {2, 7, 400, 0, {}}, {1, 5, 1, 20 * cycle_time, {}}};
  const TracedRun run = run_routing(GridRouting::minimal_adaptive, {3, 3}, booksim_network(2, false, true), sends);
  EXPECT_EQ(run.paths.at(1), (Path{"(1, 0)", "(1, 1)", "(1, 2)"}));
  EXPECT_EQ(run.paths.at(2), (Path{"(2, 0)", "(2, 1)"}));
  EXPECT_LE(run.head_at_node(2), 20 + 2 + 2 * 4 + 4 + 2); // it shares channels with flits of the first
}

// On a ring of six half the ring is 3: both ways are free, the lower port is taken; in it virtual channel 2, the first
// that is no escape channel.
TEST(GridRoutings, GoInEitherDirectionAtHalfARing)
{
  const std::vector<testing::Send> sends = {
      {4, 1, 1, 0, {}}, {4, 0, 40, 100 * cycle_time, {}}, {4, 1, 1, 110 * cycle_time, {}}};
  NetworkParameters network = booksim_network(3, false, true);
  network.pipeline.link_delay = 1;
  const TracedRun run = run_routing(GridRouting::minimal_adaptive, {6}, network, sends, "torus");
  EXPECT_EQ(run.paths.at(0), (Path{"5", "0", "1"}));
  EXPECT_EQ(run.paths.at(1), (Path{"5", "0"}));
  EXPECT_EQ(run.paths.at(2), (Path{"3", "2", "1"})) << "round the other way";
  const TracedRun fixed = run_routing(GridRouting::dimension_order, {6}, network, sends, "torus");
  EXPECT_EQ(fixed.head_at_node(0), run.head_at_node(0));
}

TEST(GridRoutings, GoByTheNodeThatWasDrawn)
{
  for (const std::string kind : {"mesh", "torus"}) {
    const auto topology = grid_of(kind, {8, 8});
    const auto& grid = dynamic_cast<const Grid&>(*topology);
    std::vector<testing::Send> sends;
    for (std::uint32_t i = 0; i < 50; ++i) {
      sends.push_back({i, 63 - i, 1, std::int64_t{1000} * i * cycle_time, {}});
    }
    for (const GridRouting routing : {GridRouting::valiant, GridRouting::romm}) {
      NetworkParameters network = booksim_network(4, false, false);
      network.pipeline.link_delay = 1;
      network.routing_seed = 3;
      const TracedRun run = run_routing(routing, {8, 8}, network, sends, kind);
      network.routing_seed = 4;
      EXPECT_NE(run.paths, run_routing(routing, {8, 8}, network, sends, kind).paths);
      std::size_t longer = 0;
      for (std::uint32_t i = 0; i < sends.size(); ++i) {
        const std::size_t hops = run.paths.at(i).size();
        const std::size_t shortest = grid.distance(NodeId{i}, NodeId{63 - i});
        longer += hops > shortest ? 1 : 0;
        EXPECT_GE(hops, shortest);
        EXPECT_EQ(run.head_at_node(i), 1000 * i + 2 + 4 * static_cast<std::int64_t>(hops) + 4);
      }
      EXPECT_EQ(longer > 20, routing == GridRouting::valiant);
      EXPECT_EQ(longer == 0, routing == GridRouting::romm);
    }
  }
}

LoadResult loaded(GridRouting routing, const std::vector<std::int64_t>& dims, NetworkParameters network,
                  const char* pattern, std::uint64_t bytes, double load, std::int64_t cycles,
                  const std::string& kind = "mesh", std::uint64_t seed = 1)
{
  const auto topology = grid_of(kind, dims);
  network.pipeline.routing = routing;
  TrafficParameters traffic = traffic_of(pattern, bytes, Arrival::bernoulli);
  traffic.warm_up = Time{1000 * cycle_time};
  traffic.measure = Time{cycles * cycle_time};
  traffic.drain = Time{1 * cycle_time};
  network.routing_seed = seed;
  return simulate_load(*topology, network, traffic, load, testing::seeded(seed));
}

// After a run with more than the network can take no message comes any more, and all that are in flight must arrive:
// simulate_load() says so where they do not.
TEST(GridRoutings, NeverStopUnderTooMuchLoad)
{
  const std::vector<std::vector<std::int64_t>> sizes = {{6, 5}, {3, 3, 3}};
  for (const auto& dims : sizes) {
    for (const std::uint64_t bytes : {2, 20}) {
      for (const std::uint32_t vcs : {1U, 2U, 4U}) {
        for (const bool tail_credit : {false, true}) {
          for (const std::string& name : grid_routing_names.texts()) {
            NetworkParameters network = booksim_network(vcs, vcs == 4, tail_credit);
            network.buffer_flits = 2;
            const GridRouting routing = grid_routing_names.read(name);
            const auto mesh = grid_of("mesh", dims);
            const bool turn_model = routing == GridRouting::west_first || routing == GridRouting::odd_even;
            if ((turn_model && dims.size() != 2) || (has_two_phases(routing) && vcs % 2 != 0) ||
                (routing == GridRouting::minimal_adaptive && (vcs < 2 || !tail_credit))) {
              continue;
            }
            const LoadResult result = loaded(routing, dims, network, "uniform", bytes, 0.9, 300);
            EXPECT_FALSE(result.deadlock) << name << ' ' << vcs << ' ' << bytes;
            EXPECT_GT(result.accepted, 0.01) << name;
            EXPECT_GT(result.unfinished, 0U) << "not full";
          }
        }
      }
    }
  }
}

// The same on tori, whose rings are as short as they can be for a cycle and as long, and where ties are.
TEST(GridRoutings, NeverStopOnATorus)
{
  for (const auto& dims : std::vector<std::vector<std::int64_t>>{{4, 5}, {6}, {3, 4, 3}, {2, 2, 2, 2}}) {
    for (const GridRouting routing : {GridRouting::minimal_adaptive, GridRouting::valiant, GridRouting::romm}) {
      for (const std::uint32_t vcs : {3U, 4U, 8U}) {
        if (vcs % 4 != 0 && routing != GridRouting::minimal_adaptive) {
          continue;
        }
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
          NetworkParameters network = booksim_network(vcs, seed % 2 == 0, routing == GridRouting::minimal_adaptive);
          network.buffer_flits = 2;
          network.pipeline.link_delay = 2;
          const char* pattern = seed < 4 ? "uniform" : "permutation";
          const LoadResult result = loaded(routing, dims, network, pattern, 6, 0.95, 500, "torus", seed);
          EXPECT_FALSE(result.deadlock) << grid_routing_names.text(routing) << ' ' << vcs << ' ' << seed;
          EXPECT_GT(result.unfinished, 0U) << "not full";
          const LoadResult again = loaded(routing, dims, network, pattern, 6, 0.95, 500, "torus", seed);
          EXPECT_EQ(again.accepted, result.accepted);
          EXPECT_EQ(again.messages, result.messages);
        }
      }
    }
  }
}

// Every message arrives after as many hops as the shortest way has, and no channel is taken that does not begin where
// the one before ends.
TEST(GridRoutings, TakeShortestPathsOnATorus)
{
  const std::vector<std::int64_t> dims = {5, 4};
  const auto torus = grid_of("torus", dims);
  std::vector<testing::Send> sends;
  for (std::uint32_t i = 0; i < 400; ++i) {
    sends.push_back({i % 20, (i % 20 + 1 + i / 20 % 19) % 20, 1 + i % 7, std::int64_t{i / 8} * cycle_time, {}});
  }
  for (const GridRouting routing : {GridRouting::minimal_adaptive, GridRouting::romm}) {
    NetworkParameters network = booksim_network(4, false, true);
    network.pipeline.link_delay = 2;
    const TracedRun run = run_routing(routing, dims, network, sends, "torus");
    EXPECT_FALSE(run.result.deadlock);
    for (std::uint32_t i = 0; i < sends.size(); ++i) {
      ASSERT_TRUE(run.result.delivered[i].has_value());
      EXPECT_EQ(run.paths.at(i).size(), torus->distance(NodeId{sends[i].source}, NodeId{sends[i].destination}));
      EXPECT_EQ(run.paths.at(i).back(), torus->node_name(NodeId{sends[i].destination}));
    }
    EXPECT_EQ(run.paths, run_routing(routing, dims, network, sends, "torus").paths);
  }
}

// Dally & Towles (2004), 3.2 and 10: tornado on a ring sends all messages the same way round, 3 of 8 hops; dimension
// order and every minimal routing leave the channels of the other direction idle, Valiant's fills both.
TEST(GridRoutings, CarryMoreOfATornadoByRandomNodes)
{
  const auto most = [](GridRouting routing) {
    NetworkParameters network = booksim_network(4, false, true);
    network.pipeline.link_delay = 2;
    return loaded(routing, {8}, network, "tornado", 4, 0.7, 6000, "torus").accepted;
  };
  const double minimal = most(GridRouting::minimal_adaptive);
  EXPECT_LT(minimal, 1.0 / 3 + 0.01) << "the bound of the channels";
  EXPECT_LT(most(GridRouting::dimension_order), 1.0 / 3 + 0.01);
  EXPECT_GT(most(GridRouting::valiant), minimal);
}

// Dally & Towles (2004), 7 and 10; Glass & Ni (1992), Chiu (2000): of transposition, where dimension order sends a
// whole row round one corner, adaptive routings carry more.
TEST(GridRoutings, CarryMoreOfATransposition)
{
  const auto most = [](GridRouting routing, const NetworkParameters& network) {
    return loaded(routing, {8, 8}, network, "transpose", 4, 0.5, 6000).accepted;
  };
  const NetworkParameters network = booksim_network(4, false, true);
  const double dimension_order = most(GridRouting::dimension_order, network);
  for (const GridRouting routing : {GridRouting::odd_even, GridRouting::minimal_adaptive}) {
    EXPECT_GT(most(routing, network), 1.2 * dimension_order) << grid_routing_names.text(routing);
  }
}

// Mean hops of what arrives are those that are expected, and no channel is busier than the capacity says.
void expect_load_as_computed(const std::string& kind)
{
  const auto grid = grid_of(kind, {6, 6});
  const TrafficParameters traffic = traffic_of("transpose", 4);
  const TrafficClasses classes(*grid, traffic, 1);
  NetworkParameters network = booksim_network(4, false, true);
  resolve_for(network, *grid);
  const ExpectedLoad by_order = expected_load(*grid, network, classes);
  for (const std::string& name : grid_routing_names.texts()) {
    network.pipeline.routing = grid_routing_names.read(name);
    if (kind == "torus" && (name == "west_first" || name == "odd_even")) {
      continue;
    }
    const ExpectedLoad expected = expected_load(*grid, network, classes);
    const LoadResult result = loaded(network.pipeline.routing, {6, 6}, network, "transpose", 4, 0.05, 40'000, kind);
    EXPECT_NEAR(result.hops / expected.mean_hops, 1, 0.02) << name;
    EXPECT_EQ(expected.capacity_known, !is_adaptive(network.pipeline.routing)) << name;
    if (network.pipeline.routing == GridRouting::valiant) {
      EXPECT_GT(expected.mean_hops, by_order.mean_hops);
      EXPECT_NEAR(expected.zero_load_picoseconds - by_order.zero_load_picoseconds,
                  (expected.mean_hops - by_order.mean_hops) * static_cast<double>(network.pipeline.hop_cycles()) *
                      cycle_time,
                  1e-3);
    } else {
      EXPECT_NEAR(expected.mean_hops, by_order.mean_hops, 1e-9) << name;
      EXPECT_NEAR(expected.zero_load_picoseconds, by_order.zero_load_picoseconds, 1e-3) << name;
    }
    if (expected.capacity_known) {
      EXPECT_NEAR(result.busy_most / result.accepted * expected.capacity, 1, 0.1) << name;
    }
  }
}

TEST(GridRoutings, HaveTheLoadThatIsExpected)
{
  expect_load_as_computed("mesh");
  expect_load_as_computed("torus");
}

// By hand on a line of three, 0 to 1, 1 to 2, 2 to 0: with romm all go straight; with valiant a third of all messages
// goes by each node.
TEST(GridRoutings, HaveACapacityByHand)
{
  const auto line = grid_of("mesh", {3});
  const TrafficParameters traffic = traffic_of("neighbour", 1);
  const TrafficClasses classes(*line, traffic, 1);
  NetworkParameters network = booksim_network(2, false, false);
  resolve_for(network, *line);
  const auto expected = [&](GridRouting routing) {
    network.pipeline.routing = routing;
    return expected_load(*line, network, classes);
  };
  EXPECT_NEAR(expected(GridRouting::romm).mean_hops, 4.0 / 3, 1e-12);
  EXPECT_NEAR(expected(GridRouting::romm).capacity, 1, 1e-12);
  // In both phases a third of a message goes from each node to each: 9 ways with 8 hops together.
  EXPECT_NEAR(expected(GridRouting::valiant).mean_hops, 16.0 / 9, 1e-12);
  // Channel 0 -> 1 has the thirds from 0 to 1 and from 0 to 2 of both phases.
  EXPECT_NEAR(expected(GridRouting::valiant).capacity, 3.0 / 4, 1e-12);
}

} // namespace
} // namespace wormcast
