#include "tests/algorithms/petersen/networks.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/graph/breadth_first_tree.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <optional>

namespace wormcast {
namespace {

using testing::network;
using testing::petersen_golden;
using testing::schedule_of;

std::unique_ptr<Topology> arbitrary_network()
{
  const auto size = [](int most) { return *rc::gen::inRange<std::int64_t>(2, most); };
  switch (*rc::gen::inRange(0, 4)) {
  case 0:
    return network("mesh", {size(9), size(9)});
  case 1:
    return network("torus", {size(6), size(6), size(4)});
  case 2:
    return network("petersen");
  default:
    return network("petersen_torus", {size(4), size(5), size(5)});
  }
}

NodeId arbitrary_node(const Topology& topology)
{
  return NodeId{*rc::gen::inRange<std::uint32_t>(0, topology.node_count())};
}

std::uint32_t eccentricity(const Topology& topology, NodeId node)
{
  return std::ranges::max(breadth_first_tree(topology, node).level);
}

RC_GTEST_PROP(BreadthFirstTree, ParentsAreTheLowestNeighboursOneLevelUp, ())
{
  const auto topology = arbitrary_network();
  const NodeId root = arbitrary_node(*topology);
  const BreadthFirstTree tree = breadth_first_tree(*topology, root);
  for (std::uint32_t v = 0; v < topology->node_count(); ++v) {
    RC_ASSERT((tree.level[v] == 0) == (NodeId{v} == root));
    if (NodeId{v} == root) {
      continue;
    }
    std::optional<NodeId> lowest;
    for (std::uint32_t u = topology->node_count(); u-- > 0;) {
      const std::vector<NodeId> next = neighbours(*topology, NodeId{u});
      if (std::ranges::count(next, NodeId{v}) != 0) {
        RC_ASSERT(tree.level[v] <= tree.level[u] + 1);
        lowest = tree.level[u] + 1 == tree.level[v] ? NodeId{u} : lowest;
      }
    }
    RC_ASSERT(lowest.has_value());
    RC_ASSERT(tree.parent[v] == *lowest);
  }
}

RC_GTEST_PROP(BfsTree, InformsEveryNodeOnceThroughOnePort, ())
{
  const auto topology = arbitrary_network();
  const NodeId source = arbitrary_node(*topology);
  const CheckReport report = check_schedule(*topology, schedule_of("bfs_tree", *topology, 1, index(source)));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.messages == topology->node_count() - 1);
  RC_ASSERT(report.costs.tcd == report.costs.messages);
  RC_ASSERT(report.costs.alpha >= eccentricity(*topology, source));
}

// The tree's own steps, against all orders in which each node can serve its children.
std::uint32_t fewest_steps(const std::vector<std::vector<std::uint32_t>>& children, std::uint32_t node)
{
  std::vector<std::uint32_t> times;
  for (const std::uint32_t child : children[node]) {
    times.push_back(fewest_steps(children, child));
  }
  std::ranges::sort(times);
  std::uint32_t fewest = times.empty() ? 0 : ~0U;
  do {
    std::uint32_t steps = 0;
    for (std::uint32_t i = 0; i < times.size(); ++i) {
      steps = std::max(steps, i + 1 + times[i]);
    }
    fewest = std::min(fewest, steps);
  } while (std::ranges::next_permutation(times).found);
  return fewest;
}

RC_GTEST_PROP(BfsTree, ServesChildrenInTheBestOrder, ())
{
  const auto topology = arbitrary_network();
  const NodeId source = arbitrary_node(*topology);
  const BreadthFirstTree tree = breadth_first_tree(*topology, source);
  std::vector<std::vector<std::uint32_t>> children(topology->node_count());
  for (std::uint32_t v = 0; v < topology->node_count(); ++v) {
    if (NodeId{v} != source) {
      children[index(tree.parent[v])].push_back(v);
    }
  }
  RC_ASSERT(step_count(schedule_of("bfs_tree", *topology, 1, index(source))) == fewest_steps(children, index(source)));
}

// The sizes at which the Petersen-torus broadcast is compared with it, source (0, 0, 0, 2).
TEST(BfsTree, TakesTheKnownStepsOnPetersenTori)
{
  const auto steps = [](std::vector<std::int64_t> dims) {
    return step_count(schedule_of("bfs_tree", *network("petersen_torus", std::move(dims)), 1, 2));
  };
  EXPECT_EQ(steps({4, 4, 4}), 15U);
  EXPECT_EQ(steps({5, 5, 5}), 18U);
  EXPECT_EQ(steps({2, 8, 8}), 18U);
  EXPECT_EQ(steps({10, 10, 10}), 28U);
}

RC_GTEST_PROP(Flooding, BroadcastTakesTheEccentricity, ())
{
  const auto topology = arbitrary_network();
  const NodeId source = arbitrary_node(*topology);
  const CheckReport report =
      check_schedule(*topology, schedule_of("flooding", *topology, PortModel::all, index(source), "broadcast"));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.messages == topology->node_count() - 1);
  RC_ASSERT(report.costs.alpha == eccentricity(*topology, source));
}

RC_GTEST_PROP(Flooding, AllToAllTakesTheDiameter, ())
{
  const auto topology = arbitrary_network();
  const Schedule schedule = schedule_of("flooding", *topology, PortModel::all, 0, "multinode_broadcast");
  std::uint32_t diameter = 0;
  for (std::uint32_t v = 0; v < topology->node_count(); ++v) {
    diameter = std::max(diameter, eccentricity(*topology, NodeId{v}));
  }
  RC_ASSERT(schedule.operation == Operation::multinode_broadcast);
  const CheckReport report = check_schedule(*topology, schedule);
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.alpha == diameter);
}

TEST(Flooding, TakesTheGoldenEccentricitiesAndDiameters)
{
  for (const auto& golden : petersen_golden()["network"]) {
    const auto torus = network("petersen_torus", {golden["l"], golden["m"], golden["n"]});
    for (std::uint32_t p = 0; p < 10; ++p) {
      EXPECT_EQ(step_count(schedule_of("flooding", *torus, PortModel::all, p, "broadcast")), golden["ecc_by_p"][p]);
    }
    const BreadthFirstTree tree = breadth_first_tree(*torus, NodeId{0});
    EXPECT_EQ(std::accumulate(tree.level.begin(), tree.level.end(), 0U), golden["distance_sum_from_node0"]);
    if (torus->node_count() <= 640) {
      EXPECT_EQ(step_count(schedule_of("flooding", *torus, PortModel::all, 0, "multinode_broadcast")),
                golden["diameter"]);
    }
  }
}

// Nodes 0 -> 1 -> 2 and no way back.
class OneWay final : public Topology {
public:
  OneWay() : Topology({.kind = "one_way", .parameters = {}}, 3, {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{2}}}) {}
  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override
  {
    for (std::uint32_t node = index(from); node < index(to); ++node) {
      route.push_back(ChannelId{node});
    }
  }
  std::uint32_t distance(NodeId from, NodeId to) const override { return index(to) - index(from); }
  std::uint32_t longest_route() const override { return 2; }
  std::vector<std::int64_t> coordinates(NodeId node) const override { return {index(node)}; }
  NodeId node_at(std::span<const std::int64_t> coordinates) const override
  {
    return NodeId{static_cast<std::uint32_t>(coordinates.front())};
  }
  std::string title() const override { return "one way"; }
};

TEST(TreeAndFlooding, SayWhichNodeIsOutOfReach)
{
  const OneWay line;
  EXPECT_EQ(step_count(schedule_of("bfs_tree", line, 1)), 2U);
  EXPECT_EQ(step_count(schedule_of("flooding", line, PortModel::all)), 2U);
  const std::string from_1 =
      "no path leads from node " + line.node_name(NodeId{1}) + " to node " + line.node_name(NodeId{0});
  EXPECT_EQ(input_error([&] { schedule_of("bfs_tree", line, 1, 1); }), from_1);
  EXPECT_EQ(input_error([&] { schedule_of("flooding", line, PortModel::all, 1); }), from_1);
  EXPECT_EQ(input_error([&] { schedule_of("flooding", line, PortModel::all, 0, "multinode_broadcast"); }), from_1);
}

} // namespace
} // namespace wormcast
