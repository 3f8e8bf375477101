// What holds for every dimension and root.

#include "tests/algorithms/hypercube/hypercubes.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace wormcast {
namespace {

using testing::hypercube;
using testing::network;
using testing::schedule_of;

/// A random algorithm with its parameters.
struct Choice {
  std::string algorithm;
  std::string tree;
  std::uint32_t dimension = 1;
  std::uint32_t root = 0;
  bool all_ports = false;

  Schedule schedule(const Topology& cube, std::uint32_t from) const
  {
    return schedule_of(algorithm, cube, all_ports ? PortModel::all : 1, from, tree);
  }
  /// Nothing but the schedule of a single root depends on it.
  bool has_root() const { return algorithm.starts_with("single_node"); }
};

void showValue(const Choice& choice, std::ostream& out)
{
  out << choice.algorithm << " " << choice.tree << ", dimension " << choice.dimension << ", root " << choice.root
      << (choice.all_ports ? ", all ports" : ", one port");
}

Choice any_choice(std::uint32_t most_dimensions)
{
  Choice choice;
  choice.algorithm = *rc::gen::element<std::string>("single_node_broadcast", "multinode_broadcast",
                                                    "single_node_scatter", "total_exchange");
  if (choice.algorithm == "single_node_scatter") {
    choice.tree = *rc::gen::element<std::string>("balanced", "from_multinode");
  }
  choice.dimension = *rc::gen::inRange<std::uint32_t>(1, most_dimensions + 1);
  choice.root = *rc::gen::inRange<std::uint32_t>(0, 1U << choice.dimension);
  choice.all_ports = *rc::gen::arbitrary<bool>();
  return choice;
}

// Table 1, and the same for one port: all are the fewest possible.
std::pair<std::uint64_t, std::uint64_t> fewest_steps_and_messages(const Choice& choice)
{
  const std::uint64_t d = choice.dimension;
  const std::uint64_t nodes = std::uint64_t{1} << d;
  const std::uint64_t packets_at_a_node = choice.all_ports ? (nodes - 1 + d - 1) / d : nodes - 1;
  if (choice.algorithm == "single_node_broadcast") {
    return {d, nodes - 1};
  }
  if (choice.algorithm == "multinode_broadcast") {
    return {packets_at_a_node, nodes * (nodes - 1)};
  }
  if (choice.algorithm == "single_node_scatter") {
    return {packets_at_a_node, d * nodes / 2};
  }
  return {choice.all_ports ? nodes / 2 : d * nodes / 2, d * nodes * nodes / 2};
}

RC_GTEST_PROP(HypercubeAlgorithms, AreOptimalFromEveryRoot, ())
{
  const Choice choice = any_choice(7);
  RC_LOG() << rc::toString(choice) << '\n';
  const auto cube = hypercube(choice.dimension);
  const CheckReport report = check_schedule(*cube, choice.schedule(*cube, choice.root));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(std::pair(report.costs.alpha, report.costs.messages) == fewest_steps_and_messages(choice));
  RC_ASSERT(report.costs.tcd == report.costs.messages);
  RC_ASSERT(report.costs.largest_message == Fraction(1));
}

// The schedule of `choice` from node 0 with all ids XOR root.
Schedule translated(const Topology& cube, const Choice& choice)
{
  const std::uint32_t nodes = cube.node_count();
  const Schedule schedule = choice.schedule(cube, 0);
  Schedule result = schedule;
  result.source = NodeId{choice.root};
  result.block_sets = {};
  for (Message& message : result.messages) {
    std::uint32_t block = testing::packet(schedule, message);
    if (schedule.operation == Operation::total_exchange) {
      block ^= choice.root * nodes + choice.root;
    } else if (schedule.operation != Operation::broadcast) {
      block ^= choice.root;
    }
    message = {message.step, NodeId{index(message.source) ^ choice.root},
               NodeId{index(message.destination) ^ choice.root}, result.block_sets.intern({block, block + 1})};
  }
  return result;
}

// Every schedule is that from node 0 translated; where there is no root, translations map the schedule to itself.
RC_GTEST_PROP(HypercubeAlgorithms, TranslateWithTheRoot, ())
{
  const Choice choice = any_choice(6);
  RC_LOG() << rc::toString(choice) << '\n';
  const auto cube = hypercube(choice.dimension);
  const Schedule moved = translated(*cube, choice);
  const Schedule schedule = choice.schedule(*cube, choice.root);
  RC_ASSERT(testing::sorted_packets(moved) == testing::sorted_packets(schedule));
}

RC_GTEST_PROP(HypercubeAlgorithms, TranslationsKeepTheTimes, ())
{
  const Choice choice = any_choice(4);
  RC_LOG() << rc::toString(choice) << '\n';
  const auto cube = hypercube(choice.dimension);
  const Schedule schedule = choice.schedule(*cube, 0);
  NetworkParameters parameters;
  parameters.startup = Time{1000};
  parameters.per_byte = Time{7};
  parameters.per_hop = Time{3};
  parameters.ports = schedule.ports;
  RunParameters run;
  run.mode = *rc::gen::element(Mode::lockstep, Mode::self_timed);
  RC_ASSERT(simulate_core(*cube, schedule, parameters, run).delivered ==
            simulate_core(*cube, translated(*cube, choice), parameters, run).delivered);
}

// No start-up, no time per hop, packets of one flit: the simulator's clock counts the paper's units.
RC_GTEST_PROP(HypercubeAlgorithms, TakeUnitTimePerStep, ())
{
  const Choice choice = any_choice(5);
  RC_LOG() << rc::toString(choice) << '\n';
  const auto cube = hypercube(choice.dimension);
  const Schedule schedule = choice.schedule(*cube, choice.root);
  NetworkParameters parameters;
  parameters.startup = Time{0};
  parameters.per_hop = Time{0};
  parameters.per_byte = Time{1000};
  parameters.ports = schedule.ports;
  const SimulationResult result = simulate_core(*cube, schedule, parameters, {});
  const auto steps = static_cast<std::int64_t>(fewest_steps_and_messages(choice).first);
  RC_ASSERT(result.latency == Time{1000 * static_cast<std::int64_t>(steps)});
  for (std::size_t id = 0; id < schedule.messages.size(); ++id) {
    RC_ASSERT(result.delivered[id]->picoseconds == 1000 * (std::int64_t{schedule.messages[id].step} + 1));
  }
}

TEST(HypercubeAlgorithms, UseAllLinksWithAsManyPorts)
{
  const auto cube = hypercube(4);
  for (const auto& [ports, steps] : {std::pair{1U, 15U}, {3U, 15U}, {4U, 4U}, {PortModel::all, 4U}}) {
    for (const std::string name : {"multinode_broadcast", "single_node_scatter"}) {
      const CheckReport report = check_schedule(*cube, schedule_of(name, *cube, ports, 5));
      EXPECT_TRUE(report.valid() && report.contention_free) << name << " " << ports;
      EXPECT_EQ(report.costs.alpha, steps) << name << " " << ports;
    }
  }
}

TEST(HypercubeAlgorithms, NeedAHypercube)
{
  const auto mesh = network("mesh", {4, 4});
  for (const std::string name :
       {"single_node_broadcast", "multinode_broadcast", "single_node_scatter", "total_exchange"}) {
    EXPECT_EQ(input_error([&] { schedule_of(name, *mesh, 1); }),
              name + " needs a hypercube; the topology is " + mesh->title());
  }
}

TEST(HypercubeAlgorithms, RefuseSchedulesThatTakeTooMuchMemory)
{
  const auto cube = hypercube(16);
  EXPECT_EQ(input_error([&] { schedule_of("multinode_broadcast", *cube, 1); }),
            "multinode_broadcast has 4294901760 messages on a hypercube of dimension 16, expected at most 1073741824");
  EXPECT_EQ(input_error([&] { schedule_of("total_exchange", *cube, 1); }),
            "total_exchange has 34359738368 messages on a hypercube of dimension 16, expected at most 1073741824");
}

} // namespace
} // namespace wormcast
