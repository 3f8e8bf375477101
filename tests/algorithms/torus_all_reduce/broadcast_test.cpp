// The broadcasts that the all-reduce algorithms of tori contain: every block once at every node, costs by their
// formulas, measured as predicted; and what they refuse.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/torus_all_reduce/double_binary_tree.hpp"
#include "wormcast/algorithms/verifier/broadcast_bounds.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace wormcast {
namespace {

using Sizes = std::vector<std::int64_t>;
using Raw = std::map<std::string, RawValue, std::less<>>;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr PortModel all_ports{PortModel::all};
constexpr PortModel one_port{1};

Schedule broadcast(const std::string& name, const Topology& topology, PortModel ports, std::uint32_t source,
                   Raw raw = {}, std::uint64_t bytes = 1U << 20U)
{
  raw.try_emplace("operation", "broadcast");
  ScheduleRequest request;
  request.source = NodeId{source};
  request.message_bytes = bytes;
  request.ports = ports;
  request.costs = MessageCosts{Time{3'000'000}, Time{20}, Time{}};
  request.parameters = read_parameters(find_algorithm(name).parameters, raw);
  return make_schedule(find_algorithm(name), topology, request);
}

/// Every node but the source gets every block once.
CheckReport checked(const Topology& topology, const Schedule& schedule)
{
  const CheckReport report = check_schedule(topology, schedule);
  EXPECT_EQ(schedule.operation, Operation::broadcast);
  EXPECT_TRUE(report.complete && report.possession) << (report.violations.empty() ? "" : report.violations[0].text);
  std::uint64_t received = 0;
  for (const Message& message : schedule.messages) {
    received += schedule.block_sets.size(message.blocks);
  }
  EXPECT_EQ(received, schedule.blocks * (topology.node_count() - 1));
  return report;
}

std::int64_t nodes_of(const Sizes& sizes)
{
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies());
}

/// The costs of a schedule in whole blocks: its message can be cut into equal ones.
CheckReport with_equal_blocks(const Topology& topology, Schedule schedule)
{
  schedule.message_bytes = parts_of_message(schedule);
  return checked(topology, schedule);
}

TEST(TorusBroadcast, ByBucketTakesScatterAndAllGather)
{
  for (const Sizes& sizes : {Sizes{3, 3}, Sizes{4, 4}, Sizes{5, 5}, Sizes{3, 3, 3}, Sizes{7}}) {
    const auto topology = make_topology(testing::grid("torus", sizes));
    const std::int64_t nodes = nodes_of(sizes);
    const auto dimensions = static_cast<std::int64_t>(sizes.size());
    for (const std::uint32_t source : {0U, static_cast<std::uint32_t>(nodes - 2)}) {
      const CheckReport all = with_equal_blocks(*topology, broadcast("bucket", *topology, all_ports, source));
      EXPECT_TRUE(all.valid() && all.contention_free) << topology->title();
      EXPECT_EQ(all.costs.alpha, static_cast<std::uint64_t>(2 * dimensions * (sizes[0] - 1)));
      EXPECT_EQ(all.costs.beta, Fraction(nodes - 1, nodes * dimensions));
      const CheckReport one = with_equal_blocks(*topology, broadcast("bucket", *topology, one_port, source));
      EXPECT_TRUE(one.valid() && one.contention_free);
      EXPECT_EQ(one.costs.alpha, all.costs.alpha);
      EXPECT_EQ(one.costs.beta, Fraction(2 * (nodes - 1), nodes));
    }
  }
}

TEST(TorusBroadcast, AlongRingsReachesTheBound)
{
  for (const Sizes& sizes : {Sizes{3, 3}, Sizes{4, 5}, Sizes{6, 3}, Sizes{3, 4, 5}, Sizes{9}}) {
    const auto topology = make_topology(testing::grid("torus", sizes));
    const std::int64_t nodes = nodes_of(sizes);
    const auto rings = 2 * static_cast<std::int64_t>(sizes.size());
    for (const std::int64_t segments : {std::int64_t{1}, rings, rings + 1, 10 * rings}) {
      const CheckReport report = with_equal_blocks(
          *topology, broadcast("hamiltonian_rings", *topology, all_ports, 5, {{"segments", segments}}));
      EXPECT_TRUE(report.valid() && report.contention_free) << topology->title() << ", " << segments;
      const std::int64_t alpha = (segments + rings - 1) / rings + nodes - 2;
      EXPECT_EQ(report.costs.alpha, static_cast<std::uint64_t>(alpha));
      EXPECT_EQ(report.costs.beta, Fraction(alpha, segments));
      EXPECT_GE(report.costs.beta, broadcast_bounds(*topology, NodeId{5}, all_ports).bytes);
    }
  }
  const auto mesh = make_topology(testing::grid("mesh", {4, 3}));
  EXPECT_EQ(
      checked(*mesh, broadcast("hamiltonian_rings", *mesh, all_ports, 5, {{"segments", std::int64_t{4}}})).costs.alpha,
      2U + 10U);
  EXPECT_EQ(
      checked(*mesh, broadcast("hamiltonian_rings", *mesh, one_port, 5, {{"segments", std::int64_t{4}}})).costs.alpha,
      4U + 10U);
}

TEST(TorusBroadcast, WithoutSegmentsItHasTheBestNumber)
{
  const auto topology = make_topology(testing::grid("torus", {4, 4}));
  const Schedule schedule = broadcast("hamiltonian_rings", *topology, all_ports, 0);
  EXPECT_EQ(schedule.chosen.integer("segments"), static_cast<std::int64_t>(schedule.blocks));
  const auto time = [&](std::int64_t segments) { // in picoseconds
    const std::int64_t alpha = (segments + 3) / 4 + 14;
    return Fraction(alpha) * 3'000'000 + Fraction(alpha, segments) * (1 << 20) * 20;
  };
  const auto best = static_cast<std::int64_t>(schedule.blocks);
  for (std::int64_t segments = 1; segments < 200; ++segments) {
    EXPECT_GE(time(segments), time(best)) << segments;
  }
}

TEST(TorusBroadcast, ByExchangesKeepsTheirFewSteps)
{
  struct Case {
    std::string algorithm;
    Sizes sizes;
    PortModel ports;
    std::uint64_t steps;
    std::int64_t patterns;
    bool contention_free;
  };
  for (const Case& one :
       {Case{"swing", {4, 4}, all_ports, 4, 4, true}, Case{"swing", {4, 4, 4}, all_ports, 6, 6, true},
        Case{"swing", {8, 8}, all_ports, 6, 4, false}, Case{"swing", {8, 8}, one_port, 6, 1, false},
        Case{"torus_doubling", {8, 4}, one_port, 5, 1, false}, Case{"trivance", {3, 3}, all_ports, 2, 2, true},
        Case{"trivance", {9, 9}, all_ports, 4, 2, false}}) {
    const auto topology = make_topology(testing::grid("torus", one.sizes));
    const std::int64_t nodes = nodes_of(one.sizes);
    for (const std::uint32_t source : {0U, 7U}) {
      const CheckReport bytes = with_equal_blocks(*topology, broadcast(one.algorithm, *topology, one.ports, source));
      EXPECT_EQ(bytes.costs.alpha, 2 * one.steps) << one.algorithm << " on " << topology->title();
      EXPECT_EQ(bytes.costs.beta,
                Fraction(2 * (nodes - 1), nodes * one.patterns) / (one.algorithm == "trivance" ? 2 : 1));
      EXPECT_TRUE(bytes.contention_free || !one.contention_free);
      const CheckReport steps = with_equal_blocks(
          *topology, broadcast(one.algorithm, *topology, one.ports, source, {{"variant", "latency"}}));
      EXPECT_EQ(steps.costs.alpha, one.steps) << one.algorithm << " on " << topology->title();
      EXPECT_EQ(steps.costs.beta, Fraction(static_cast<std::int64_t>(one.steps), one.patterns));
    }
  }
}

/// One block in each message of the scatter, every block passed on in the step behind the one in which it came, and at
/// most one message of a share out of and into a node in a step.
void expect_single_blocks(const Topology& topology, const Schedule& schedule, std::uint32_t scatter_steps)
{
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> came; // by block and node: in which step
  std::set<std::array<std::uint32_t, 3>> sent;                           // share, step, sender
  std::set<std::array<std::uint32_t, 3>> received;
  for (const MessageId id : order_by_step(schedule).order) {
    const Message& message = schedule.messages[index(id)];
    if (message.step >= scatter_steps) {
      continue;
    }
    const BlockRanges blocks = schedule.block_sets.ranges(message.blocks);
    ASSERT_EQ(schedule.block_sets.size(message.blocks), 1U);
    const std::uint32_t block = blocks.front().begin;
    const std::uint32_t share = block / topology.node_count();
    EXPECT_TRUE(sent.insert({share, message.step, index(message.source)}).second);
    EXPECT_TRUE(received.insert({share, message.step, index(message.destination)}).second);
    came[{block, index(message.destination)}] = message.step;
    if (message.source != schedule.source) {
      EXPECT_EQ((came.at({block, index(message.source)})), message.step - 1);
    }
  }
}

TEST(TorusBroadcast, ByExchangesCanScatterBlockByBlock)
{
  struct Case {
    std::string algorithm;
    Sizes sizes;
    PortModel ports;
    std::uint32_t exchanges;
  };
  for (const Case& one : {Case{"swing", {4, 4}, one_port, 4}, Case{"swing", {4, 4, 4}, one_port, 6},
                          Case{"swing", {8, 8}, all_ports, 6}, Case{"torus_doubling", {8, 4}, one_port, 5},
                          Case{"torus_doubling", {4, 4, 8}, all_ports, 7}, Case{"swing", {2}, one_port, 1}}) {
    const auto topology = make_topology(testing::grid("torus", one.sizes));
    const auto nodes = static_cast<std::uint32_t>(nodes_of(one.sizes));
    for (const std::uint32_t source : {0U, nodes - 1}) {
      const Schedule together = broadcast(one.algorithm, *topology, one.ports, source);
      const Schedule single =
          broadcast(one.algorithm, *topology, one.ports, source, {{"scatter_blocks", "one_by_one"}});
      const CheckReport report = with_equal_blocks(*topology, single);
      EXPECT_TRUE(report.valid() || one.ports != one_port) << one.algorithm << " on " << topology->title();
      EXPECT_EQ(report.costs.alpha, nodes - 1 + one.exchanges) << one.algorithm << " on " << topology->title();
      EXPECT_EQ(report.costs.beta, with_equal_blocks(*topology, together).costs.beta);
      expect_single_blocks(*topology, single, nodes - 1);
    }
  }
  for (const auto& [algorithm, sizes] :
       {std::pair<std::string, Sizes>{"swing", {7}}, {"swing", {6, 4}}, {"trivance", {3, 9}}}) {
    const auto topology = make_topology(testing::grid("torus", sizes));
    for (const std::uint32_t source : {0U, 5U}) {
      const Schedule schedule = broadcast(algorithm, *topology, all_ports, source, {{"scatter_blocks", "one_by_one"}});
      checked(*topology, schedule);
      const std::uint32_t gather_steps = step_count(broadcast(algorithm, *topology, all_ports, source)) / 2;
      expect_single_blocks(*topology, schedule, step_count(schedule) - gather_steps);
    }
  }
}

TEST(TorusBroadcast, ScatterBlockByBlockReversedIsTheGatherOfAReduce)
{
  const auto topology = make_topology(testing::grid("torus", {4, 8}));
  const Schedule schedule =
      broadcast("swing", *topology, one_port, 3, {{"scatter_blocks", "one_by_one"}, {"operation", "reduce"}});
  EXPECT_EQ(schedule.operation, Operation::reduce);
  const CheckReport report = check_schedule(*topology, schedule);
  EXPECT_TRUE(report.valid() && report.complete);
  EXPECT_EQ(report.costs.alpha, 31U + 5U);
}

/// Half of the nodes have their blocks early and begin to gather; what they send at last, half of the vector, comes to
/// nodes that still gather. As measured on Fugaku: 2.5 times the vector through one port (docs/validation.md).
TEST(TorusBroadcast, ScatterBlockByBlockHoldsUpTheAllGather)
{
  const auto topology = make_topology(testing::grid("torus", {4, 4, 4}));
  constexpr std::uint64_t bytes = 65536;
  const auto vectors = [&](const char* blocks) {
    const Schedule schedule = broadcast("swing", *topology, one_port, 0, {{"scatter_blocks", blocks}}, bytes);
    NetworkParameters network;
    network.startup = Time{};
    network.per_hop = Time{};
    network.per_byte = Time{1'000};
    network.flit_bytes = 1024;
    network.virtual_channels = 2;
    const Time latency = simulate_core(*topology, schedule, network, {.mode = Mode::self_timed}).latency.value();
    return static_cast<double>(latency.picoseconds) / (1'000 * static_cast<double>(bytes));
  };
  EXPECT_NEAR(vectors("together"), 1.97, 0.01);
  EXPECT_NEAR(vectors("one_by_one"), 2.5, 0.1);
}

TEST(TorusBroadcast, DownTwoBinaryTreesKeepsToOnePort)
{
  for (std::uint32_t ranks = 1; ranks <= 140; ++ranks) {
    const SegmentTrees trees = double_binary_broadcast_trees(ranks);
    for (const std::vector<TreeEdge>& tree : trees.trees) {
      ASSERT_EQ(tree.size(), ranks - 1);
    }
  }
  for (const Sizes& sizes : {Sizes{2}, Sizes{3}, Sizes{2, 3}, Sizes{5, 5}, Sizes{8, 8}, Sizes{3, 4, 5}}) {
    const auto topology = make_topology(testing::grid("torus", sizes));
    for (std::uint32_t source = 0; source < topology->node_count(); source += 3) {
      const CheckReport report = with_equal_blocks(
          *topology, broadcast("double_binary_tree", *topology, one_port, source, {{"segments", std::int64_t{6}}}));
      EXPECT_TRUE(report.valid()) << topology->title() << " from " << source << ": "
                                  << (report.violations.empty() ? "" : report.violations[0].text);
      EXPECT_EQ(report.costs.beta, Fraction(static_cast<std::int64_t>(report.costs.alpha), 12));
    }
  }
  const auto topology = make_topology(testing::grid("torus", {8, 8}));
  const auto alpha = [&](std::int64_t segments) {
    return checked(*topology, broadcast("double_binary_tree", *topology, one_port, 9, {{"segments", segments}}))
        .costs.alpha;
  };
  EXPECT_EQ(alpha(40) - alpha(20), 40U);
}

TEST(TorusBroadcast, EveryPortModelMeshAndSourceServesAll)
{
  for (const std::string name : {"bucket", "swing", "torus_doubling", "double_binary_tree", "hamiltonian_rings"}) {
    for (const std::string kind : {"mesh", "torus"}) {
      const auto topology = make_topology(testing::grid(kind, {4, 8}));
      for (const PortModel ports : {one_port, PortModel{2}, all_ports}) {
        for (std::uint32_t source = 0; source < 32; source += 5) {
          checked(*topology, broadcast(name, *topology, ports, source));
        }
      }
    }
  }
  const auto ring = make_topology(testing::grid("torus", {7}));
  checked(*ring, broadcast("swing", *ring, one_port, 3));
}

/// alpha*T_s + (sum of the longest routes)*T_f + beta*n*T_c, to the picosecond.
TEST(TorusBroadcast, LastsAsLongAsTheClosedFormWhereNothingContends)
{
  struct Case {
    std::string algorithm;
    Sizes sizes;
    Raw raw;
  };
  for (const Case& one : {Case{"bucket", {4, 4}, {}}, Case{"bucket", {3, 3, 3}, {}}, Case{"swing", {4, 4}, {}},
                          Case{"swing", {4, 4}, {{"variant", "latency"}}}, Case{"trivance", {3, 3}, {}},
                          Case{"hamiltonian_rings", {5, 6}, {{"segments", std::int64_t{40}}}}}) {
    const auto topology = make_topology(testing::grid("torus", one.sizes));
    Schedule schedule = broadcast(one.algorithm, *topology, all_ports, 1, one.raw);
    schedule.message_bytes = parts_of_message(schedule) * 64;
    const ScheduleCosts costs = check_schedule(*topology, schedule).costs;
    NetworkParameters network;
    network.startup = Time{3'000'000};
    network.per_hop = Time{70'000};
    network.per_byte = Time{20};
    network.flit_bytes = 1;
    network.buffer_flits = 5'000;
    network.virtual_channels = 2;
    network.ports = all_ports;
    const auto expected =
        static_cast<std::int64_t>(costs.alpha * 3'000'000 + costs.step_hops * 70'000 + costs.beta_bytes * 20);
    EXPECT_EQ(simulate_core(*topology, schedule, network, {}).latency, Time{expected}) << one.algorithm;
  }
}

TEST(TorusBroadcast, RefusesWhatItCannotServe)
{
  const auto refused = [](const std::string& name, const Sizes& sizes, PortModel ports, Raw raw, const char* text) {
    const auto topology = make_topology(testing::grid("torus", sizes));
    EXPECT_THAT([&] { broadcast(name, *topology, ports, 0, std::move(raw)); },
                ThrowsMessage<InputError>(HasSubstr(text)));
  };
  refused("hamiltonian_rings", {2, 5}, all_ports, {}, "x size of the torus 2 x 5 is 2");
  refused("hamiltonian_rings", {4, 4}, all_ports, {{"operation", "all_reduce"}, {"segments", std::int64_t{4}}},
          "found segments for all_reduce");
  refused("hamiltonian_rings", {4, 4}, all_ports, {{"operation", "reduce_scatter"}, {"segments", "best"}},
          "found segments for reduce_scatter");
  refused("swing", {6, 5}, all_ports, {}, "the y size of the torus 6 x 5 is 5; the nearest are 4 and 6");
  refused("swing", {6, 6}, all_ports, {{"variant", "latency"}}, "the x size of the torus 6 x 6 is 6");
  refused("torus_doubling", {4, 6}, all_ports, {}, "the y size of the torus 4 x 6 is 6");
  refused("trivance", {3, 4}, all_ports, {}, "the y size of the torus 3 x 4 is 4");
  refused("trivance", {3, 3}, one_port, {}, "found ports = 1");
  refused("swing", {4, 4}, one_port, {{"operation", "all_reduce"}, {"scatter_blocks", "one_by_one"}},
          "found scatter_blocks = \"one_by_one\" for all_reduce of variant \"bandwidth\"");
  refused("swing", {4, 4}, one_port, {{"variant", "latency"}, {"scatter_blocks", "one_by_one"}},
          "found scatter_blocks = \"one_by_one\" for broadcast of variant \"latency\"");
  const auto topology = make_topology(testing::grid("torus", {4, 4}));
  EXPECT_THAT([&] { broadcast("hamiltonian_rings", *topology, all_ports, 0, {{"segments", std::int64_t{65}}}, 64); },
              ThrowsMessage<InputError>(HasSubstr("segments is 65, the message has 64 bytes")));
}

} // namespace
} // namespace wormcast
