#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"

#include <boost/range/iterator_range.hpp>

#include <set>

namespace wormcast {

namespace {

using DependencySet = std::set<std::pair<std::uint32_t, std::uint32_t>>;

DependencySet edges_of(const ChannelDependencies& dependencies)
{
  DependencySet found;
  for (const auto& edge : boost::make_iterator_range(edges(dependencies.graph))) {
    found.insert({source(edge, dependencies.graph), target(edge, dependencies.graph)});
  }
  return found;
}

std::uint32_t vertex(const ChannelDependencies& dependencies, const VirtualChannel& channel)
{
  return index(channel.channel) * dependencies.classes + channel.number;
}

bool is_cycle_of(const ChannelDependencies& dependencies, const std::vector<VirtualChannel>& cycle)
{
  const DependencySet all = edges_of(dependencies);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (!all.contains({vertex(dependencies, cycle[i]), vertex(dependencies, cycle[(i + 1) % cycle.size()])})) {
      return false;
    }
  }
  return !cycle.empty();
}

bool proves_absence(const ChannelDependencies& dependencies, const std::vector<std::uint32_t>& numbering)
{
  for (const auto& [from, to] : edges_of(dependencies)) {
    if (numbering.at(from) >= numbering.at(to)) {
      return false;
    }
  }
  return numbering.size() == num_vertices(dependencies.graph);
}

DeadlockCheck check(const std::string& kind, const std::vector<std::int64_t>& dims, const std::string& tie = "no_wrap")
{
  return check_deadlock(channel_dependencies(*make_grid(kind, dims, tie), 1));
}

/// A ring in one direction with the virtual channels of Dally and Seitz (1987): worms whose way passes the channel from
/// the last node to node 0 use virtual channel 1 up to it and 0 behind it; the others use 0.
class OneWayRing final : public Topology {
public:
  explicit OneWayRing(std::uint32_t nodes) : Topology(TopologyDescription{"one_way_ring", {}}, nodes, ring(nodes)) {}

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override
  {
    for (std::uint32_t node = index(from); node != index(to); node = (node + 1) % node_count()) {
      route.push_back(ChannelId{node});
    }
  }
  std::uint32_t distance(NodeId from, NodeId to) const override
  {
    return (index(to) + node_count() - index(from)) % node_count();
  }
  std::uint32_t longest_route() const override { return node_count() - 1; }
  std::vector<std::int64_t> coordinates(NodeId node) const override { return {index(node)}; }
  NodeId node_at(std::span<const std::int64_t> place) const override
  {
    return NodeId{static_cast<std::uint32_t>(place[0])};
  }
  std::string title() const override { return "one-way ring"; }
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const override
  {
    return virtual_channels > 1 ? 2 : 1;
  }
  void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                      std::span<std::uint8_t> classes) const override
  {
    for (std::size_t hop = 0; hop < route.size(); ++hop) {
      const bool still_to_wrap = channel_source(route[hop]) > channel_target(route.back());
      classes[hop] = virtual_channels > 1 && still_to_wrap ? 1 : 0;
    }
  }

private:
  static std::vector<ChannelEnds> ring(std::uint32_t nodes)
  {
    std::vector<ChannelEnds> channels;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      channels.push_back({NodeId{node}, NodeId{(node + 1) % nodes}});
    }
    return channels;
  }
};

TEST(DeadlockCheck, dimension_order_on_meshes_is_free_of_deadlock)
{
  for (const auto& dims :
       std::vector<std::vector<std::int64_t>>{{1}, {9}, {8, 8}, {4, 3, 5}, {2, 2, 2, 2, 2, 2, 2, 2}}) {
    const ChannelDependencies dependencies = channel_dependencies(*make_grid("mesh", dims), 1);
    const DeadlockCheck result = check_deadlock(dependencies);
    EXPECT_TRUE(result.deadlock_free());
    EXPECT_TRUE(proves_absence(dependencies, result.numbering));
  }
}

TEST(DeadlockCheck, rings_of_five_and_more_have_a_cycle)
{
  // Routes of a ring of 3 are single channels. In a ring of 4 only the routes half way round have two, and without
  // the wrap-around link these make no cycle; all going upwards, they do.
  EXPECT_TRUE(check("torus", {2}).deadlock_free());
  EXPECT_TRUE(check("torus", {3}).deadlock_free());
  EXPECT_TRUE(check("torus", {4, 4}).deadlock_free());
  EXPECT_EQ(check("torus", {4}, "positive").cycle.size(), 4U);
  for (std::int64_t size = 5; size <= 9; ++size) {
    EXPECT_EQ(check("torus", {size, 3}).cycle.size(), static_cast<std::size_t>(size));
  }
  EXPECT_EQ(check("torus", {9, 5, 7}).cycle.size(), 5U) << "the shortest one is given";
}

TEST(DeadlockCheck, virtual_channels_break_the_cycle_of_a_one_way_ring)
{
  const OneWayRing ring(4);
  const ChannelDependencies one = channel_dependencies(ring, 1);
  const DeadlockCheck with_one = check_deadlock(one);
  EXPECT_EQ(with_one.cycle.size(), 4U);
  EXPECT_TRUE(is_cycle_of(one, with_one.cycle));
  EXPECT_TRUE(with_one.numbering.empty());
  const ChannelDependencies two = channel_dependencies(ring, 2);
  EXPECT_EQ(num_vertices(two.graph), 8U);
  const DeadlockCheck with_two = check_deadlock(two);
  EXPECT_TRUE(with_two.deadlock_free());
  EXPECT_TRUE(proves_absence(two, with_two.numbering));
}

TEST(DeadlockCheck, shortest_routes_of_the_petersen_graph_use_two_channels_at_most)
{
  const ListedTopology petersen(10, petersen_channels());
  const ChannelDependencies dependencies = channel_dependencies(petersen, 1);
  const DeadlockCheck result = check_deadlock(dependencies);
  EXPECT_EQ(num_edges(dependencies.graph), 60U) << "10 * 6 pairs are two channels apart, on one way each";
  EXPECT_FALSE(result.deadlock_free());
  EXPECT_TRUE(is_cycle_of(dependencies, result.cycle));
  EXPECT_EQ(result.cycle.size(), 5U) << "no cycle of the graph is shorter";
}

TEST(DeadlockCheck, channels_are_described_by_their_ends)
{
  const auto mesh = make_grid("mesh", {3, 3});
  EXPECT_EQ(describe_channel(*mesh, ChannelId{0}), "(0, 0) -> (1, 0)");
  EXPECT_EQ(describe_channel(*mesh, {ChannelId{0}, 1}, 2), "(0, 0) -> (1, 0) [1]");
  EXPECT_EQ(describe_channel(*mesh, {ChannelId{0}, 0}, 1), "(0, 0) -> (1, 0)");
}

TEST(DeadlockCheck, datelines_free_tori_with_two_virtual_channels_of_deadlock)
{
  for (const char* tie : {"no_wrap", "positive", "random"}) {
    for (const auto& dims : std::vector<std::vector<std::int64_t>>{{4}, {9}, {6, 6}, {5, 4, 3}, {128, 64}}) {
      const auto torus = make_grid("torus", dims, tie);
      for (const std::uint32_t virtual_channels : {2U, 3U, 8U}) {
        const ChannelDependencies dependencies = channel_dependencies(*torus, virtual_channels);
        EXPECT_EQ(dependencies.classes, 2U);
        EXPECT_TRUE(proves_absence(dependencies, check_deadlock(dependencies).numbering)) << torus->title();
      }
    }
  }
}

RC_GTEST_PROP(DeadlockCheck, local_dependencies_of_grids_equal_those_of_all_routes, ())
{
  const auto topology = arbitrary_grid(250);
  const auto virtual_channels = *rc::gen::inRange<std::uint32_t>(1, 4);
  const ChannelDependencies local = channel_dependencies(*topology, virtual_channels);
  const ChannelDependencies enumerated = enumerate_channel_dependencies(*topology, virtual_channels);
  RC_ASSERT(local.classes == enumerated.classes);
  RC_ASSERT(num_edges(local.graph) == num_edges(enumerated.graph));
  RC_ASSERT(edges_of(local) == edges_of(enumerated));
}

TEST(DeadlockCheck, local_dependencies_of_hypercubes_equal_those_of_all_routes)
{
  for (const char* routing : {"dimension_order", "shortest_path"}) {
    for (std::int64_t dimension = 1; dimension <= 7; ++dimension) {
      TopologyDescription description;
      description.kind = "hypercube";
      description.parameters.set("dimension", dimension);
      const auto hypercube = make_topology(description, {.routing = routing});
      const ChannelDependencies local = channel_dependencies(*hypercube, 2);
      EXPECT_EQ(local.classes, hypercube->virtual_channel_classes(2));
      EXPECT_EQ(edges_of(local), edges_of(enumerate_channel_dependencies(*hypercube, 2)));
      EXPECT_TRUE(proves_absence(local, check_deadlock(local).numbering)) << routing << " " << dimension;
    }
  }
}

RC_GTEST_PROP(DeadlockCheck, gives_a_proof_or_a_cycle, ())
{
  const auto topology = arbitrary_grid(1000);
  const ChannelDependencies dependencies = channel_dependencies(*topology, 1);
  const DeadlockCheck result = check_deadlock(dependencies);
  RC_CLASSIFY(result.deadlock_free(), "free of deadlock");
  if (result.deadlock_free()) {
    RC_ASSERT(proves_absence(dependencies, result.numbering));
  } else {
    RC_ASSERT(is_cycle_of(dependencies, result.cycle));
  }
}

} // namespace

} // namespace wormcast
