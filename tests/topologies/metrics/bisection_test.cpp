#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/topologies/metrics/bisection.hpp"

#include <bit>

namespace wormcast {

namespace {

/// The bisection width in channels, found by trying every half.
std::uint64_t width_of_all_halves(const Topology& topology)
{
  const std::uint32_t nodes = topology.node_count();
  std::uint64_t fewest = topology.channel_count();
  for (std::uint32_t half = 0; half < (1U << nodes); ++half) {
    if (static_cast<std::uint32_t>(std::popcount(half)) == nodes / 2) {
      std::uint64_t cut = 0;
      for (std::uint32_t id = 0; id < topology.channel_count(); ++id) {
        const bool from = (half >> index(topology.channel_source(ChannelId{id})) & 1U) != 0;
        const bool to = (half >> index(topology.channel_target(ChannelId{id})) & 1U) != 0;
        cut += from != to ? 1 : 0;
      }
      fewest = std::min(fewest, cut);
    }
  }
  return fewest;
}

TEST(Bisection, of_the_petersen_graph_is_five_links)
{
  const ListedTopology petersen(10, petersen_channels());
  EXPECT_EQ(search_bisection(petersen), (Bisection{10, 5, true}));
}

TEST(Bisection, counts_channels_without_opposite_as_links)
{
  std::vector<ChannelEnds> ring;
  for (std::uint32_t node = 0; node < 6; ++node) {
    ring.push_back({NodeId{node}, NodeId{(node + 1) % 6}});
  }
  const ListedTopology topology(6, ring);
  EXPECT_EQ(count_links(topology), 6U);
  EXPECT_EQ(search_bisection(topology), (Bisection{2, 2, true}));
}

TEST(Bisection, of_large_networks_is_a_bound)
{
  const auto mesh = make_grid("mesh", {8, 8});
  const std::optional<Bisection> bisection = search_bisection(*mesh);
  ASSERT_TRUE(bisection);
  EXPECT_FALSE(bisection->exact);
  EXPECT_EQ(bisection->links, 8U);
}

RC_GTEST_PROP(Bisection, search_finds_the_best_of_all_halves, ())
{
  const auto nodes = *rc::gen::inRange<std::uint32_t>(2, 12);
  const auto extra = *rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(
      rc::gen::pair(rc::gen::inRange<std::uint32_t>(0, nodes), rc::gen::inRange<std::uint32_t>(0, nodes)));
  std::vector<ChannelEnds> channels;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    channels.push_back({NodeId{node}, NodeId{(node + 1) % nodes}});
  }
  for (const auto& [from, to] : extra) {
    channels.push_back({NodeId{from}, NodeId{to}});
  }
  const ListedTopology topology(nodes, channels);
  const std::optional<Bisection> bisection = search_bisection(topology);
  RC_ASSERT(bisection.has_value());
  RC_ASSERT(bisection->channels == width_of_all_halves(topology));
}

} // namespace

} // namespace wormcast
