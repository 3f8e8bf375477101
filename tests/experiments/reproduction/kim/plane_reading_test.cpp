// The replay of algorithm 1's steps 2 to 5 in a plane, in its readings.

#include "wormcast/experiments/reproduction/kim/plane_reading.hpp"
#include "wormcast/topologies/petersen_torus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace wormcast::kim {
namespace {

bool is_edge(const PetersenTorusSize& plane, NodeSend send)
{
  const PetersenTorusNode from = petersen_torus_node(plane, send.from);
  const PetersenTorusNode to = petersen_torus_node(plane, send.to);
  if (from.x == to.x && from.y == to.y) {
    return std::ranges::find(petersen_neighbours(from.p), to.p) != petersen_neighbours(from.p).end();
  }
  return petersen_torus_id(plane, external_partner(from)) == send.to;
}

// The step in which each node is reached; 0 for the first module. Fails where a node sends what it does not have.
std::map<std::uint32_t, std::size_t> arrivals(const PetersenTorusSize& plane, const SendSteps& steps)
{
  std::map<std::uint32_t, std::size_t> known;
  for (std::uint32_t p = 0; p < 10; ++p) {
    known[p] = 0;
  }
  for (std::size_t step = 0; step < steps.size(); ++step) {
    for (const NodeSend send : steps[step]) {
      EXPECT_TRUE(is_edge(plane, send));
      const auto found = known.find(index(send.from));
      EXPECT_TRUE(found != known.end() && found->second <= step);
      known.try_emplace(index(send.to), step + 1);
    }
  }
  return known;
}

std::vector<PlaneReading> readings()
{
  return {{}, {.diagonal_order = {2, 3, 7, 8}}, {.w0_always = true}, {.wait_for_adjacent = false}};
}

TEST(KimPlaneReading, ReachesAllNodesOverEdgesInEveryReading)
{
  for (const PlaneReading& reading : readings()) {
    for (const auto& [m, n] : {std::pair{2, 2}, std::pair{5, 3}, std::pair{6, 4}, std::pair{3, 7}}) {
      for (const bool all_ports : {false, true}) {
        const PetersenTorusSize plane{1, m, n};
        EXPECT_EQ(arrivals(plane, plane_steps(m, n, all_ports, reading)).size(),
                  static_cast<std::size_t>(plane.nodes()));
      }
    }
  }
}

TEST(KimPlaneReading, KeepsToOneLinkANodeUnderSla)
{
  const SendSteps steps = plane_steps(8, 5, false);
  for (const std::vector<NodeSend>& step : steps) {
    std::set<std::uint32_t> senders;
    std::set<std::uint32_t> receivers;
    for (const NodeSend send : step) {
      EXPECT_TRUE(senders.insert(index(send.from)).second);
      EXPECT_TRUE(receivers.insert(index(send.to)).second);
    }
  }
}

// The automorphisms sigma, tau and both in one carry an order of the entries into another, with as many steps.
TEST(KimPlaneReading, TurnsWithTheOrderOfTheEntries)
{
  for (const auto& [m, n] : {std::pair{3, 3}, std::pair{4, 3}, std::pair{7, 5}, std::pair{8, 4}}) {
    for (const bool all_ports : {false, true}) {
      const std::size_t steps = plane_steps(m, n, all_ports, {.diagonal_order = {8, 7, 2, 3}}).size();
      EXPECT_EQ(plane_steps(m, n, all_ports, {.diagonal_order = {7, 8, 3, 2}}).size(), steps) << m << " x " << n;
      EXPECT_EQ(plane_steps(m, n, all_ports, {.diagonal_order = {3, 2, 7, 8}}).size(), steps) << m << " x " << n;
      EXPECT_EQ(plane_steps(m, n, all_ports, {.diagonal_order = {2, 3, 8, 7}}).size(), steps) << m << " x " << n;
    }
  }
}

TEST(KimPlaneReading, StartsNoLaterWithoutWaiting)
{
  for (const bool all_ports : {false, true}) {
    const PetersenTorusSize plane{1, 6, 6};
    const auto waiting = arrivals(plane, plane_steps(6, 6, all_ports));
    const auto eager = arrivals(plane, plane_steps(6, 6, all_ports, {.wait_for_adjacent = false}));
    for (const auto& [node, step] : eager) {
      EXPECT_LE(step, waiting.at(node));
    }
  }
}

} // namespace
} // namespace wormcast::kim
