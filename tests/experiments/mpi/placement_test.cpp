// Placements on networks where the best one is known.

#include "wormcast/experiments/mpi/placement.hpp"
#include "wormcast/experiments/mpi/rank_map.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/hypercube.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

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
