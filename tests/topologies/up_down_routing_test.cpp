// Up*/down* routes of graphs: by the rule, as short as the rule allows, and free of deadlock.

#include "tests/topologies/random_links.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"
#include "wormcast/topologies/up_down_routing.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class Links final : public UpDownTopology {
public:
  Links(std::uint32_t nodes, std::vector<ChannelEnds> channels)
      : UpDownTopology({"links", {}}, nodes, std::move(channels), {})
  {}
  std::string title() const override { return "links"; }
};

std::vector<std::uint32_t> distances(std::uint32_t nodes, const std::vector<ChannelEnds>& channels, std::uint32_t from)
{
  std::vector<std::uint32_t> all(nodes, no_path);
  all[from] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const ChannelEnds& ends : channels) {
      if (all[index(ends.from)] != no_path && all[index(ends.from)] + 1 < all[index(ends.to)]) {
        all[index(ends.to)] = all[index(ends.from)] + 1;
        changed = true;
      }
    }
  }
  return all;
}

// The fewest channels of a route that goes up, then down, by breadth-first search among nodes and whether it has gone
// down.
std::uint32_t fewest_channels(const std::vector<ChannelEnds>& channels,
                              const std::vector<std::pair<std::uint32_t, std::uint32_t>>& order, std::uint32_t from,
                              std::uint32_t to)
{
  std::set<std::pair<std::uint32_t, bool>> seen{{from, false}};
  std::deque<std::pair<std::pair<std::uint32_t, bool>, std::uint32_t>> waiting{{{from, false}, 0}};
  while (!waiting.empty()) {
    const auto [state, distance] = waiting.front();
    waiting.pop_front();
    if (state.first == to) {
      return distance;
    }
    for (const ChannelEnds& ends : channels) {
      const bool down = order[index(ends.to)] > order[index(ends.from)];
      if (index(ends.from) == state.first && (down || !state.second) && seen.emplace(index(ends.to), down).second) {
        waiting.push_back({{index(ends.to), down}, distance + 1});
      }
    }
  }
  return no_path;
}

RC_GTEST_PROP(UpDownRouting, IsLegalMinimalAndFreeOfDeadlock, ())
{
  const auto [nodes, channels] = testing::random_links();
  const Links topology(nodes, channels);

  // The root by its definition, and from it the order of nodes.
  std::uint32_t root = 0;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (std::ranges::max(distances(nodes, channels, node)) < std::ranges::max(distances(nodes, channels, root))) {
      root = node;
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
  const std::vector<std::uint32_t> levels = distances(nodes, channels, root);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    order.emplace_back(levels[node], node);
  }

  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (std::uint32_t to = 0; to < nodes; ++to) {
      std::vector<ChannelId> route;
      topology.append_route(NodeId{from}, NodeId{to}, route);
      RC_ASSERT(route.size() == fewest_channels(channels, order, from, to));
      RC_ASSERT(route.size() == topology.distance(NodeId{from}, NodeId{to}));
      RC_ASSERT(route.size() <= topology.longest_route());
      std::uint32_t at = from;
      bool has_gone_down = false;
      for (const ChannelId channel : route) {
        RC_ASSERT(topology.channel_source(channel) == NodeId{at});
        const std::uint32_t next = index(topology.channel_target(channel));
        const bool down = order[next] > order[at];
        RC_ASSERT(down || !has_gone_down);
        has_gone_down = down;
        at = next;
      }
      RC_ASSERT(at == to);
    }
  }
  RC_ASSERT(check_deadlock(channel_dependencies(topology, 1)).cycle.empty());
}

TEST(UpDownRouting, GoesRoundARingThroughItsRoot)
{
  // A ring of six nodes: all are as near, so that 0 is the root. 2 -> 4 may not go up after 3, the lowest.
  const Links ring(6, testing::both_ways({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}}));
  EXPECT_EQ(ring.distance(NodeId{2}, NodeId{4}), 4U);
  EXPECT_EQ(ring.distance(NodeId{3}, NodeId{5}), 2U);
  EXPECT_EQ(ring.distance(NodeId{0}, NodeId{3}), 3U);
  EXPECT_EQ(ring.longest_route(), 4U);
}

TEST(UpDownRouting, NeedsLinksOfBothDirections)
{
  EXPECT_THAT([] { Links(3, {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{2}}, {NodeId{2}, NodeId{0}}}); },
              ThrowsMessage<InputError>(HasSubstr("found a channel from 0 to 1 and none back")));
}

} // namespace
} // namespace wormcast
