// What is counted by parts of routes is what the routes of all messages have, channel by channel.

#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/traffic/route_counts.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace wormcast {
namespace {

using testing::grid_of;
using testing::hypercube_of;

struct Sums {
  std::vector<std::uint64_t> messages; // by channel
  std::vector<std::uint64_t> flits;    // the same

  explicit Sums(const Topology& topology) : messages(topology.channel_count()), flits(messages.size()) {}

  void add(const Topology& topology, NodeId from, NodeId to, std::uint64_t more_messages, std::uint64_t more_flits)
  {
    std::vector<ChannelId> route;
    topology.append_route(from, to, route);
    for (const ChannelId channel : route) {
      messages[index(channel)] += more_messages;
      flits[index(channel)] += more_flits;
    }
  }
  void add(const Topology& topology, const std::vector<RouteCounts::Part>& parts)
  {
    for (const RouteCounts::Part& part : parts) {
      add(topology, part.from, part.to, part.count.messages, part.count.flits);
    }
  }
  bool operator==(const Sums&) const = default;
};

// Networks of at most 256 nodes, counted by pair, and larger grids, counted by dimension.
std::vector<std::unique_ptr<const Topology>> networks()
{
  std::vector<std::unique_ptr<const Topology>> all;
  all.push_back(hypercube_of(5));
  all.push_back(grid_of("mesh", {16, 16}));
  all.push_back(grid_of("mesh", {32, 32}));
  all.push_back(grid_of("mesh", {3, 130}));
  all.push_back(grid_of("torus", {7, 2, 8, 5}, "positive"));
  all.push_back(grid_of("torus", {20, 17}));
  return all;
}

RC_GTEST_PROP(RouteCounts, AreThoseOfTheRoutesOfAllMessages, ())
{
  static const auto all = networks();
  const Topology& topology = *all[*rc::gen::inRange<std::size_t>(0, all.size())];
  std::optional<RouteCounts> counts = RouteCounts::of(topology);
  RC_ASSERT(counts.has_value());
  Sums expected(topology);
  Sums found(topology);
  const auto node = rc::gen::map(rc::gen::inRange<std::uint32_t>(0, topology.host_count()),
                                 [](std::uint32_t number) { return NodeId{number}; });
  for (int i = *rc::gen::inRange(0, 60); i > 0; --i) {
    const NodeId from = *node;
    const NodeId to = *node;
    const auto flits = *rc::gen::inRange<std::uint64_t>(1, 100);
    expected.add(topology, from, to, 1, flits);
    RC_ASSERT(counts->add(from, to, flits));
    if (flits == 1) {
      found.add(topology, counts->take_parts());
    }
  }
  found.add(topology, counts->take_parts());
  RC_ASSERT(found == expected);
  RC_ASSERT(counts->take_parts().empty());
}

TEST(RouteCounts, HaveRoomForAFixedNumberOfFlits)
{
  const auto mesh = grid_of("mesh", {32, 32});
  std::optional<RouteCounts> counts = RouteCounts::of(*mesh);
  EXPECT_FALSE(counts->add(NodeId{0}, NodeId{1}, std::uint64_t{1} << 32));
  EXPECT_TRUE(counts->add(NodeId{0}, NodeId{1}, 0xfffffff0));
  EXPECT_TRUE(counts->add(NodeId{5}, NodeId{6}, 15));
  EXPECT_FALSE(counts->add(NodeId{0}, NodeId{1}, 1));
  std::uint64_t flits = 0;
  for (const RouteCounts::Part& part : counts->take_parts()) {
    flits += part.from == part.to ? 0 : part.count.flits;
  }
  EXPECT_EQ(flits, 0xffffffff);
  EXPECT_TRUE(counts->add(NodeId{0}, NodeId{1}, 0xffffffff));
}

TEST(RouteCounts, AreOnlyOfFixedRoutesInNetworksThatAreNotTooLarge)
{
  EXPECT_FALSE(RouteCounts::of(*grid_of("torus", {4, 4}, "random")));
  EXPECT_TRUE(RouteCounts::of(*grid_of("torus", {5, 5}, "random"))) << "no ties";
  EXPECT_FALSE(RouteCounts::of(*grid_of("mesh", {64, 64})));
  EXPECT_FALSE(RouteCounts::of(*hypercube_of(9)));
}

} // namespace
} // namespace wormcast
