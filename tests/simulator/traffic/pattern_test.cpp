#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace wormcast {
namespace {

using testing::grid_of;
using testing::hypercube_of;
using testing::traffic_of;

/// Destinations of a pattern that has one for each node; of a silent one itself.
std::vector<std::uint32_t> destinations(const Topology& topology, PatternKind kind)
{
  const Pattern pattern(topology, traffic_of(kind, 1), 1);
  RandomStream random(1, 1);
  std::vector<std::uint32_t> all;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    all.push_back(pattern.sends(NodeId{node}) ? index(pattern.destination(NodeId{node}, random)) : node);
  }
  return all;
}

std::string error_of(const Topology& topology, const TrafficParameters& traffic)
{
  try {
    const Pattern pattern(topology, traffic, 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

// Dally & Towles (2004), table 3.1, for b = 3.
TEST(Pattern, BitPatternsAreThoseOfTheBook)
{
  const auto cube = hypercube_of(3);
  using Nodes = std::vector<std::uint32_t>;
  EXPECT_EQ(destinations(*cube, PatternKind::bit_complement), (Nodes{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(destinations(*cube, PatternKind::bit_reverse), (Nodes{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(destinations(*cube, PatternKind::bit_rotate), (Nodes{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(destinations(*cube, PatternKind::shuffle), (Nodes{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(destinations(*hypercube_of(2), PatternKind::transpose), (Nodes{0, 2, 1, 3}));
}

TEST(Pattern, GridPatternsGoByCoordinates)
{
  const auto square = grid_of("mesh", {3, 3});
  using Nodes = std::vector<std::uint32_t>;
  EXPECT_EQ(destinations(*square, PatternKind::transpose), (Nodes{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  EXPECT_EQ(destinations(*square, PatternKind::neighbour), (Nodes{4, 5, 3, 7, 8, 6, 1, 2, 0}));
  EXPECT_EQ(destinations(*grid_of("torus", {8}), PatternKind::tornado), (Nodes{3, 4, 5, 6, 7, 0, 1, 2}));
  EXPECT_EQ(destinations(*grid_of("torus", {5}), PatternKind::tornado), (Nodes{2, 3, 4, 0, 1}));
}

TEST(Pattern, PermutationIsOneAndDependsOnTheSeed)
{
  const auto mesh = grid_of("mesh", {8, 8});
  const std::vector<std::uint32_t> to = destinations(*mesh, PatternKind::permutation);
  EXPECT_EQ(std::set<std::uint32_t>(to.begin(), to.end()).size(), 64U);
  const Pattern other(*mesh, traffic_of(PatternKind::permutation, 1), 2);
  RandomStream random(1, 1);
  int same = 0;
  for (std::uint32_t node = 0; node < 64; ++node) {
    same += other.sends(NodeId{node}) && index(other.destination(NodeId{node}, random)) == to[node] ? 1 : 0;
  }
  EXPECT_LT(same, 10);
}

TEST(Pattern, SilentNodesAreThoseThatWouldSendToThemselves)
{
  const auto mesh = grid_of("mesh", {4, 4});
  TrafficParameters traffic = traffic_of(PatternKind::transpose, 1);
  EXPECT_EQ(Pattern(*mesh, traffic, 1).sender_count(), 12U);
  EXPECT_FALSE(Pattern(*mesh, traffic, 1).sends(NodeId{5}));
  traffic.include_self = true;
  EXPECT_EQ(Pattern(*mesh, traffic, 1).sender_count(), 16U);
}

// What is drawn comes as often as the shares say.
void expect_shares(const Topology& topology, const TrafficParameters& traffic, NodeId from)
{
  const Pattern pattern(topology, traffic, 1);
  std::map<std::uint32_t, double> shares;
  double all = 0;
  pattern.for_each_share(from, [&](NodeId to, double share) {
    shares[index(to)] += share;
    all += share;
  });
  EXPECT_NEAR(all, 1, 1e-9);
  constexpr int draws = 100'000;
  RandomStream random(9, 0);
  std::map<std::uint32_t, double> drawn;
  for (int i = 0; i < draws; ++i) {
    drawn[index(pattern.destination(from, random))] += 1.0 / draws;
  }
  for (const auto& [to, share] : shares) {
    EXPECT_NEAR(drawn[to], share, 0.01) << to;
  }
  EXPECT_LE(drawn.size(), shares.size());
}

TEST(Pattern, DrawsAsItsSharesSay)
{
  const auto mesh = grid_of("mesh", {4, 2});
  TrafficParameters traffic = traffic_of(PatternKind::uniform, 1);
  expect_shares(*mesh, traffic, NodeId{3});
  traffic.include_self = true;
  expect_shares(*mesh, traffic, NodeId{3});
  traffic = traffic_of(PatternKind::hot_spot, 1);
  traffic.hot_spots = {2, 5, 7};
  traffic.hot_share = 0.4;
  expect_shares(*mesh, traffic, NodeId{0});
  expect_shares(*mesh, traffic, NodeId{2});
  expect_shares(*mesh, traffic, NodeId{7});
  traffic.hot_spots = {2};
  expect_shares(*mesh, traffic, NodeId{2}); // the only hot spot sends to all others alike
}

class WeightsFile : public ::testing::Test {
protected:
  ~WeightsFile() override { std::filesystem::remove(file_); }

  TrafficParameters traffic(const std::string& text)
  {
    std::ofstream(file_) << text;
    TrafficParameters traffic = traffic_of(PatternKind::file, 1);
    traffic.file = file_;
    return traffic;
  }

  std::filesystem::path file_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("weights_") + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt");
};

TEST_F(WeightsFile, GivesDestinationsByWeight)
{
  const auto mesh = grid_of("mesh", {4});
  const TrafficParameters given = traffic("# from to weight\n0 1 3\n0 3 1\n\n2 0 5 # the only one\n1 1 4\n");
  expect_shares(*mesh, given, NodeId{0});
  expect_shares(*mesh, given, NodeId{2});
  const Pattern pattern(*mesh, given, 1);
  EXPECT_FALSE(pattern.sends(NodeId{1})); // to itself alone
  EXPECT_FALSE(pattern.sends(NodeId{3}));
}

TEST_F(WeightsFile, RefusesWhatIsNotOne)
{
  const auto mesh = grid_of("mesh", {4});
  for (const char* text : {"0 4 1\n", "0 1\n", "0 1 -2\n", "0 1 2 3\n", "a b c\n", "0 1 99999999999\n"}) {
    EXPECT_NE(error_of(*mesh, traffic(text)).find(":1: found \""), std::string::npos) << text;
  }
  EXPECT_EQ(error_of(*mesh, traffic("# nothing\n")), "pattern: no node sends anything to another one");
}

TEST(Pattern, RefusesNetworksThatDoNotFit)
{
  const auto mesh = grid_of("mesh", {6, 4});
  EXPECT_EQ(error_of(*mesh, traffic_of(PatternKind::shuffle, 1)),
            "pattern: \"shuffle\" needs 2^b nodes, but the mesh 6 x 4 has 24");
  EXPECT_EQ(error_of(*mesh, traffic_of(PatternKind::transpose, 1)),
            "pattern: \"transpose\" needs a square or 2^b nodes with an even b, but the mesh 6 x 4 has 24");
  EXPECT_EQ(error_of(*hypercube_of(3), traffic_of(PatternKind::tornado, 1)),
            "pattern: \"tornado\" needs a mesh or a torus, but this is a hypercube of dimension 3");
  EXPECT_NE(error_of(*hypercube_of(3), traffic_of(PatternKind::transpose, 1)).find("with an even b"),
            std::string::npos);
  TrafficParameters traffic = traffic_of(PatternKind::hot_spot, 1);
  traffic.hot_spots = {24};
  EXPECT_EQ(error_of(*mesh, traffic), "hot_spot.nodes: found 24, expected nodes from 0 to 23");
}

// Uniform traffic over all pairs: mean distance of an n x n mesh 2(n^2 - 1)/(3n), and n/4 a channel of the bisection at
// load 1 (Dally & Towles, 3.3.1), so that 4/n can be carried.
TEST(Pattern, UniformTrafficOnAMeshHasItsClosedForm)
{
  const auto mesh = grid_of("mesh", {8, 8});
  TrafficParameters traffic = traffic_of(PatternKind::uniform, 16);
  traffic.include_self = true;
  NetworkParameters network = testing::plain_network();
  network.startup = Time{5000};
  network.per_hop = Time{200};
  const ExpectedLoad expected = expected_load(*mesh, network, traffic, Pattern(*mesh, traffic, 1));
  EXPECT_NEAR(expected.mean_hops, 2.0 * 63 / 24, 1e-9);
  EXPECT_NEAR(expected.capacity, 0.5, 1e-9);
  EXPECT_NEAR(expected.zero_load_picoseconds, 5000 + 5.25 * 200 + 16000, 1e-6);
}

} // namespace
} // namespace wormcast
