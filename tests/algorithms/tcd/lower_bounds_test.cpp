#include "tests/algorithms/tcd/golden.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/algorithms/tcd/lower_bounds.hpp"
#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <functional>

namespace wormcast {
namespace {

using testing::cube;
using testing::GridTopology;
using testing::mesh;

TEST(TcdLowerBounds, DegreeBoundIsTheGoldenOne)
{
  int compared = 0;
  for (const auto& [d, by_level] : testing::tcd_golden()["closed_forms"]["lower_bound_any"].items()) {
    for (const auto& [k, bound] : by_level.items()) {
      const std::uint32_t neighbours = testing::number(k) == 1 ? testing::number(d) : 2 * testing::number(d);
      EXPECT_EQ(degree_bound(testing::number(d) * testing::number(k), neighbours), bound.get<std::uint64_t>());
      ++compared;
    }
  }
  EXPECT_EQ(compared, 20);
}

TEST(TcdLowerBounds, DegreeBoundIsTheSumOverTheBinomialTree)
{
  for (std::uint32_t t = 0; t <= 12; ++t) {
    std::uint64_t degrees = 0;
    for (std::uint64_t label = 0; label < std::uint64_t{1} << t; ++label) {
      degrees += binomial_degree(label, t);
    }
    EXPECT_EQ(degrees, 2 * ((std::uint64_t{1} << t) - 1)); // a tree
    for (std::uint32_t most = 1; most <= 16; ++most) {
      for (std::uint32_t own = 1; own <= most; ++own) {
        std::uint64_t excess = t > own ? t - own : 0;
        for (std::uint64_t label = 1; label < std::uint64_t{1} << t; ++label) {
          const std::uint32_t degree = binomial_degree(label, t);
          excess += degree > most ? degree - most : 0;
        }
        EXPECT_EQ(degree_bound_from(t, most, own), (std::uint64_t{1} << t) - 1 + excess) << t << most << own;
      }
    }
  }
}

TEST(TcdLowerBounds, ProveTheEyesOptimalUpToLevelThree)
{
  for (unsigned d = 1; d <= 8; ++d) {
    for (unsigned k = 1; k <= 3; ++k) {
      EXPECT_EQ(degree_bound(d * k, k == 1 ? d : 2 * d), static_cast<std::uint64_t>(optimal_tcd(d, k)));
    }
  }
}

TEST(TcdLowerBounds, CutsProveEveryLineOptimal)
{
  for (std::uint32_t k = 1; k <= 20; ++k) {
    EXPECT_EQ(line_cut_bound(k), static_cast<std::uint64_t>(optimal_tcd_line(k))) << k;
  }
  EXPECT_EQ(cut_bound(3, 4), 2U);  // 4 - 1
  EXPECT_EQ(cut_bound(11, 4), 2U); // 4 + 1 on the other side; 11 itself is 8 + 4 - 1
  EXPECT_EQ(cut_bound(15, 4), 1U); // 1 on the other side
}

TEST(TcdLowerBounds, DistancesAddToTheDegreeBound)
{
  EXPECT_EQ(tcd_lower_bounds(*mesh({8, 8}))[0], 75U); // 71 without the distances
  EXPECT_EQ(degree_bound_from(6, 4, 2), 71U);
  EXPECT_EQ(degree_bound(8, 4), 285U);
  const std::vector<std::uint64_t> of_16_by_16 = tcd_lower_bounds(*mesh({16, 16}));
  EXPECT_EQ(std::ranges::min(of_16_by_16), 285U);
  EXPECT_EQ(of_16_by_16[6 + 16 * 5], 286U);
  EXPECT_EQ(of_16_by_16[6 + 16 * 3], 288U);
}

/// The least TCD of all broadcasts in log2 N steps, by trying every one.
std::uint64_t least_tcd(const Topology& topology, NodeId source)
{
  const std::uint32_t nodes = topology.node_count();
  std::uint64_t least = ~std::uint64_t{0};
  std::vector<NodeId> informed = {source};
  std::vector<bool> has(nodes, false);
  has[index(source)] = true;
  std::function<void(std::size_t, std::size_t, std::uint64_t)> send = [&](std::size_t sender, std::size_t senders,
                                                                          std::uint64_t tcd) {
    if (informed.size() == nodes) {
      least = std::min(least, tcd);
      return;
    }
    if (sender == senders) {
      sender = 0;
      senders = informed.size();
    }
    for (std::uint32_t target = 0; target < nodes; ++target) {
      if (!has[target]) {
        has[target] = true;
        informed.push_back(NodeId{target});
        send(sender + 1, senders, tcd + topology.distance(informed[sender], NodeId{target}));
        informed.pop_back();
        has[target] = false;
      }
    }
  };
  send(0, 1, 0);
  return least;
}

TEST(TcdLowerBounds, HoldForEveryBroadcastOfEightNodes)
{
  for (const std::string kind : {"mesh", "torus"}) {
    for (const std::vector<std::int64_t>& dims :
         {std::vector<std::int64_t>{8}, {2, 4}, {4, 2}, {2, 2, 2}, {8, 1}, {4}, {2, 2}, {2}, {1}}) {
      const GridTopology grid(kind, dims);
      const std::vector<std::uint64_t> bounds = tcd_lower_bounds(*grid);
      const std::vector<std::uint64_t> halving = recursive_halving_tcds(*grid);
      for (std::uint32_t node = 0; node < grid->node_count(); ++node) {
        const std::uint64_t least = least_tcd(*grid, NodeId{node});
        EXPECT_LE(bounds[node], least) << grid->title() << " " << node;
        EXPECT_EQ(halving[node], least) << grid->title() << " " << node;
      }
    }
  }
}

TEST(TcdLowerBounds, AreNotAboveTheHalvings)
{
  for (const std::string kind : {"mesh", "torus"}) {
    for (const std::vector<std::int64_t>& dims :
         {cube(1, 6), cube(2, 4), cube(2, 5), cube(3, 3), cube(4, 2), cube(5, 1), {4, 16}, {2, 8, 4}}) {
      const GridTopology grid(kind, dims);
      const std::vector<std::uint64_t> bounds = tcd_lower_bounds(*grid);
      const std::vector<std::uint64_t> halving = recursive_halving_tcds(*grid);
      for (std::size_t node = 0; node < bounds.size(); ++node) {
        EXPECT_LE(bounds[node], halving[node]) << grid->title() << " " << node;
      }
    }
  }
}

TEST(TcdLowerBounds, NeedPowersOfTwo)
{
  EXPECT_EQ(input_error([] { tcd_lower_bounds(*mesh({4, 6})); }),
            "the lower bound on the TCD needs sizes that are powers of two; the y size of the mesh 4 x 6 is 6");
}

} // namespace
} // namespace wormcast
