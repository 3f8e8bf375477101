// Placements on networks where the best one is known.

#include "wormcast/experiments/mpi/channel_load.hpp"
#include "wormcast/experiments/mpi/placement.hpp"
#include "wormcast/experiments/mpi/rank_map.hpp"
#include "wormcast/experiments/mpi/scotch_placement.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/hypercube.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::unique_ptr<Topology> grid(const char* kind, std::vector<std::int64_t> sizes)
{
  TopologyDescription description;
  description.kind = kind;
  description.parameters.set("dims", std::move(sizes));
  return make_topology(description);
}

std::vector<NodeId> block(std::uint32_t ranks)
{
  std::vector<NodeId> nodes;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    nodes.push_back(NodeId{rank});
  }
  return nodes;
}

// Messages between ranks that are on the nodes of their numbers.
Communication communication(std::uint32_t ranks,
                            const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>>& messages)
{
  Schedule list;
  list.operation = Operation::none;
  for (const auto& [from, to, bytes] : messages) {
    list.messages.push_back({.step = 0, .source = NodeId{from}, .destination = NodeId{to}, .blocks = {}});
    list.plain.push_back({.bytes = bytes, .start = {}});
  }
  return {list, block(ranks)};
}

bool is_permutation_of_nodes(std::vector<NodeId> nodes, std::uint32_t count)
{
  std::ranges::sort(nodes);
  return nodes == block(count);
}

TEST(Placement, CurvesGoFromNeighbourToNeighbour)
{
  for (const auto& sizes : {std::vector<std::int64_t>{8, 8}, {4, 4, 4}, {16}, {1}, {2, 2, 2, 2}}) {
    const auto topology = grid("mesh", sizes);
    const std::vector<NodeId> order = curve_order(*topology);
    EXPECT_TRUE(is_permutation_of_nodes(order, topology->node_count()));
    for (std::size_t i = 1; i < order.size(); ++i) {
      EXPECT_EQ(topology->distance(order[i - 1], order[i]), 1U) << i;
    }
  }
  // Within a cube of side 8: all nodes, each once.
  const auto odd = grid("torus", {5, 7, 3});
  EXPECT_TRUE(is_permutation_of_nodes(curve_order(*odd), 105));
  // The first four of 4 x 4 are a square, not a line.
  const auto square = grid("mesh", {4, 4});
  std::vector<NodeId> first = curve_order(*square);
  first.resize(4);
  std::ranges::sort(first);
  EXPECT_THAT(first, ElementsAre(NodeId{0}, NodeId{1}, NodeId{4}, NodeId{5}));
}

TEST(Placement, CurvesThroughHypercubesAreGrayCodes)
{
  TopologyDescription description;
  description.kind = "hypercube";
  description.parameters.set("dimension", std::int64_t{3});
  const auto topology = make_topology(description);
  EXPECT_THAT(curve_order(*topology),
              ElementsAre(NodeId{0}, NodeId{1}, NodeId{3}, NodeId{2}, NodeId{6}, NodeId{7}, NodeId{5}, NodeId{4}));
}

TEST(Placement, CommunicationIsOfBothDirections)
{
  const Communication some = communication(3, {{0, 1, 10}, {1, 0, 5}, {2, 0, 1}, {1, 2, 0}, {2, 2, 7}});
  ASSERT_EQ(some.partners(0).size(), 2U);
  EXPECT_EQ(some.partners(0)[0].rank, 1U);
  EXPECT_EQ(some.partners(0)[0].bytes, 15U);
  EXPECT_EQ(some.bytes_of(0), 16U);
  EXPECT_EQ(some.partners(2).size(), 1U);
  const auto line = grid("mesh", {3});
  EXPECT_EQ(byte_hops(*line, some, block(3)), 15U + 2U);
  const std::vector<NodeId> shared = {NodeId{0}, NodeId{0}};
  EXPECT_THAT([&] { Communication(Schedule{}, shared); },
              ThrowsMessage<InputError>(HasSubstr("found several ranks on a node")));
}

TEST(Placement, GreedyPutsARingIntoARing)
{
  // Rank r exchanges with r + 3 modulo 8: on a ring of eight nodes all can be neighbours.
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> messages;
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    messages.emplace_back(rank, (rank + 3) % 8, 100);
  }
  const Communication ring = communication(8, messages);
  const auto torus = grid("torus", {8});
  EXPECT_EQ(byte_hops(*torus, ring, block(8)), 2400U);
  const std::vector<NodeId> placed = greedy_placement(*torus, ring);
  EXPECT_TRUE(is_permutation_of_nodes(placed, 8));
  EXPECT_EQ(byte_hops(*torus, ring, placed), 800U);
}

TEST(Placement, GreedyPutsTheBusiestRankIntoTheMiddle)
{
  const Communication star = communication(5, {{3, 0, 8}, {3, 1, 8}, {3, 2, 8}, {3, 4, 8}});
  const auto mesh = grid("mesh", {3, 3});
  const std::vector<NodeId> placed = greedy_placement(*mesh, star);
  EXPECT_EQ(placed[3], NodeId{4});
  EXPECT_EQ(byte_hops(*mesh, star, placed), 32U);
}

TEST(Placement, BytesOfTheBusiestChannelAreOfOneDirection)
{
  // On a line of four nodes 0 -> 3 and 1 -> 2 share the channel from 1 to 2; 2 -> 1 goes the other way.
  const Communication some = communication(4, {{0, 3, 10}, {1, 2, 5}, {2, 1, 12}});
  const auto line = grid("mesh", {4});
  EXPECT_EQ(busiest_channel_bytes(*line, some, block(4)), 15U);
  const std::vector<NodeId> placed = least_loaded_placement(*line, some, block(4));
  EXPECT_TRUE(is_permutation_of_nodes(placed, 4));
  EXPECT_EQ(busiest_channel_bytes(*line, some, placed), 12U); // of one message: no placement has less
  EXPECT_EQ(byte_hops(*line, some, placed), 27U);             // all neighbours
  EXPECT_EQ(busiest_channel_bytes(*line, communication(2, {}), block(2)), 0U);
}

TEST(Placement, LeastLoadEndsWhereNoExchangeLowersIt)
{
  // Bytes that differ by pair, among eight ranks on 3 x 4 nodes.
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> messages;
  for (std::uint32_t from = 0; from < 8; ++from) {
    for (std::uint32_t to = 0; to < 8; ++to) {
      messages.emplace_back(from, to, (from * 5 + to * 3) % 7);
    }
  }
  const Communication all = communication(8, messages);
  const auto mesh = grid("mesh", {3, 4});
  const std::vector<NodeId> placed = least_loaded_placement(*mesh, all, block(8));
  const std::uint64_t least = busiest_channel_bytes(*mesh, all, placed);
  EXPECT_LT(least, busiest_channel_bytes(*mesh, all, block(8)));
  for (std::size_t rank = 0; rank < 8; ++rank) {
    for (std::uint32_t node = 0; node < 12; ++node) {
      std::vector<NodeId> other = placed;
      const auto there = std::ranges::find(other, NodeId{node});
      if (there != other.end()) {
        std::swap(*there, other[rank]);
      } else {
        other[rank] = NodeId{node};
      }
      EXPECT_GE(busiest_channel_bytes(*mesh, all, other), least);
    }
  }
  EXPECT_EQ(least_loaded_placement(*mesh, all, block(8), 0), block(8)); // no work allowed
}

TEST(Placement, GraphsForScotchHaveAllBytesAndLinks)
{
  const Communication some = communication(3, {{0, 1, 10}, {1, 0, 5}, {2, 0, 1}});
  EXPECT_EQ(scotch_graph(some, 4), "0\n4 4\n0 010\n2 15 1 1 2\n1 15 0\n1 1 0\n0\n");
  EXPECT_EQ(scotch_graph(*grid("mesh", {3})), "0\n3 4\n0 010\n1 1 1\n2 1 0 1 2\n1 1 1\n");
  // Sums of more than 32 bits are divided; what would be 0 stays an edge.
  const Communication large = communication(3, {{0, 1, std::uint64_t{1} << 40}, {1, 2, 1}});
  EXPECT_THAT(scotch_graph(large, 0), HasSubstr(" 1 2\n"));
  EXPECT_THAT(scotch_graph(large, 0), Not(HasSubstr("1099511627776")));
}

TEST(Placement, MappingsOfScotchAreChecked)
{
  EXPECT_THAT(read_scotch_mapping("2\n1 0\n0 3\n", 2, 4), ElementsAre(NodeId{3}, NodeId{0}));
  for (const char* bad :
       {"", "2\n0 1\n", "2\n0 1\n0 2\n", "2\n0 1\n1 4\n", "2\n0 1\n1 -1\n", "3\n0 1\n1 2\n", "2\n0 1\n1 x\n"}) {
    EXPECT_THAT([&] { read_scotch_mapping(bad, 2, 4); },
                ThrowsMessage<InputError>(HasSubstr("each of 2 ranks one of 4 nodes")))
        << bad;
  }
}

TEST(Placement, ScotchPutsFewRanksNearEachOther)
{
  // Four ranks in a circle on 8 x 8 nodes: a square of four neighbours is the best.
  const Communication circle = communication(4, {{0, 1, 9}, {1, 2, 9}, {2, 3, 9}, {3, 0, 9}});
  const auto mesh = grid("mesh", {8, 8});
  const std::vector<NodeId> placed = scotch_placement(*mesh, circle);
  ASSERT_EQ(placed.size(), 4U);
  for (std::size_t rank = 1; rank < 4; ++rank) {
    EXPECT_EQ(std::ranges::count(placed, placed[rank]), 1);
  }
  EXPECT_LE(byte_hops(*mesh, circle, placed), 72U);
  EXPECT_EQ(scotch_placement(*mesh, circle), placed);
  const auto large = grid("mesh", {65, 64});
  EXPECT_THAT([&] { scotch_placement(*large, circle); },
              ThrowsMessage<InputError>(HasSubstr("found 4160 nodes, expected at most 4096")));
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  EXPECT_THAT([&] { scotch_placement(*mesh, circle); },
              ThrowsMessage<InputError>(HasSubstr("amk_grf cannot be run; it is in Debian's package scotch")));
  ::setenv("PATH", path.c_str(), 1);
}

TEST(Placement, RefiningGainsAndEndsWhereNoExchangeGains)
{
  // A 4 x 4 stencil whose ranks were shuffled.
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> messages;
  const auto shuffled = [](std::uint32_t at) { return at * 7 % 16; };
  for (std::uint32_t at = 0; at < 16; ++at) {
    if (at % 4 != 3) {
      messages.emplace_back(shuffled(at), shuffled(at + 1), 10);
    }
    if (at < 12) {
      messages.emplace_back(shuffled(at), shuffled(at + 4), 10);
    }
  }
  const Communication stencil = communication(16, messages);
  const auto mesh = grid("mesh", {4, 4});
  const std::vector<NodeId> refined = refined_placement(*mesh, stencil, block(16));
  EXPECT_TRUE(is_permutation_of_nodes(refined, 16));
  const std::uint64_t gained = byte_hops(*mesh, stencil, refined);
  EXPECT_LT(gained, byte_hops(*mesh, stencil, block(16)));
  EXPECT_GE(gained, 240U); // every pair a neighbour
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = i + 1; j < 16; ++j) {
      std::vector<NodeId> exchanged = refined;
      std::swap(exchanged[i], exchanged[j]);
      EXPECT_GE(byte_hops(*mesh, stencil, exchanged), gained);
    }
  }
  EXPECT_EQ(refined_placement(*mesh, stencil, block(16), 0), block(16));
}

TEST(Placement, RefiningUsesFreeNodes)
{
  const Communication pair = communication(2, {{0, 1, 10}});
  const auto line = grid("mesh", {10});
  const std::vector<NodeId> refined = refined_placement(*line, pair, {NodeId{0}, NodeId{9}});
  EXPECT_EQ(byte_hops(*line, pair, refined), 10U);
}

TEST(Placement, MapsThatNeedAProgramAreRefusedWithoutOne)
{
  const auto line = grid("mesh", {4});
  EXPECT_THAT([&] { map_ranks("refine", std::nullopt, *line, 1); },
              ThrowsMessage<InputError>("--map: found refine, which is made from what a program sends; expected one of "
                                        "block, round_robin, order, random, or a file"));
  EXPECT_EQ(map_ranks("order", 2, *line, 1), block(2));
}

} // namespace
} // namespace wormcast
