#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/simulator/traffic/patterns.hpp"
#include "wormcast/simulator/traffic/router_work.hpp"
#include "wormcast/values/input_error.hpp"

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
std::vector<std::uint32_t> destinations(const Topology& topology, const char* kind)
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

// 8 messages of each node of a line to the next one, of the last node back to the first.
TEST(Pattern, MakesWorkForTheRoutersOfItsRoutes)
{
  const auto line = grid_of("mesh", {4});
  const TrafficClasses neighbour(*line, traffic_of("neighbour", 1), 1);
  EXPECT_EQ(router_work(*line, neighbour, 1), (std::vector<std::uint32_t>{16, 24, 24, 16}));
}

// Dally & Towles (2004), table 3.1, for b = 3.
TEST(Pattern, BitPatternsAreThoseOfTheBook)
{
  const auto cube = hypercube_of(3);
  using Nodes = std::vector<std::uint32_t>;
  EXPECT_EQ(destinations(*cube, "bit_complement"), (Nodes{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(destinations(*cube, "bit_reverse"), (Nodes{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(destinations(*cube, "bit_rotate"), (Nodes{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(destinations(*cube, "shuffle"), (Nodes{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(destinations(*hypercube_of(2), "transpose"), (Nodes{0, 2, 1, 3}));
}

TEST(Pattern, GridPatternsGoByCoordinates)
{
  const auto square = grid_of("mesh", {3, 3});
  using Nodes = std::vector<std::uint32_t>;
  EXPECT_EQ(destinations(*square, "transpose"), (Nodes{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  EXPECT_EQ(destinations(*square, "neighbour"), (Nodes{4, 5, 3, 7, 8, 6, 1, 2, 0}));
  EXPECT_EQ(destinations(*grid_of("torus", {8}), "tornado"), (Nodes{3, 4, 5, 6, 7, 0, 1, 2}));
  EXPECT_EQ(destinations(*grid_of("torus", {5}), "tornado"), (Nodes{2, 3, 4, 0, 1}));
}

TEST(Pattern, PermutationIsOneAndDependsOnTheSeed)
{
  const auto mesh = grid_of("mesh", {8, 8});
  const std::vector<std::uint32_t> to = destinations(*mesh, "permutation");
  EXPECT_EQ(std::set<std::uint32_t>(to.begin(), to.end()).size(), 64U);
  const Pattern other(*mesh, traffic_of("permutation", 1), 2);
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
  TrafficParameters traffic = traffic_of("transpose", 1);
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
  const auto add = [&](NodeId to, double share) {
    shares[index(to)] += share;
    all += share;
  };
  const std::uint32_t others = topology.node_count() - (traffic.include_self ? 0 : 1);
  for (std::uint32_t to = 0; to < topology.node_count(); ++to) {
    if (pattern.even_share(from) > 0 && (traffic.include_self || NodeId{to} != from)) {
      add(NodeId{to}, pattern.even_share(from) / others);
    }
  }
  pattern.for_each_chosen(from, add);
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
  TrafficParameters traffic = traffic_of("uniform", 1);
  expect_shares(*mesh, traffic, NodeId{3});
  traffic.include_self = true;
  expect_shares(*mesh, traffic, NodeId{3});
  traffic = traffic_of("hot_spot", 1);
  traffic.pattern_parameters.set("hot_spot.nodes", std::vector<std::int64_t>{2, 5, 7});
  traffic.pattern_parameters.set("hot_spot.share", 0.4);
  expect_shares(*mesh, traffic, NodeId{0});
  expect_shares(*mesh, traffic, NodeId{2});
  expect_shares(*mesh, traffic, NodeId{7});
  traffic.pattern_parameters.set("hot_spot.nodes", std::vector<std::int64_t>{2});
  expect_shares(*mesh, traffic, NodeId{2}); // the only hot spot sends to all others alike
}

class WeightsFile : public ::testing::Test {
protected:
  ~WeightsFile() override { std::filesystem::remove(file_); }

  TrafficParameters traffic(const std::string& text)
  {
    std::ofstream(file_) << text;
    TrafficParameters traffic = traffic_of("file", 1);
    traffic.pattern_parameters.set("file", file_.string());
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
  EXPECT_EQ(error_of(*mesh, traffic_of("shuffle", 1)),
            "pattern: \"shuffle\" needs 2^b nodes, but the mesh 6 x 4 has 24");
  EXPECT_EQ(error_of(*mesh, traffic_of("transpose", 1)),
            "pattern: \"transpose\" needs a square or 2^b nodes with an even b, but the mesh 6 x 4 has 24");
  EXPECT_EQ(error_of(*hypercube_of(3), traffic_of("tornado", 1)),
            "pattern: \"tornado\" needs a mesh or a torus, but this is a hypercube of dimension 3");
  EXPECT_NE(error_of(*hypercube_of(3), traffic_of("transpose", 1)).find("with an even b"), std::string::npos);
  TrafficParameters traffic = traffic_of("hot_spot", 1);
  traffic.pattern_parameters.set("hot_spot.nodes", std::vector<std::int64_t>{24});
  traffic.pattern_parameters.set("hot_spot.share", 0.1);
  EXPECT_EQ(error_of(*mesh, traffic), "hot_spot.nodes: found 24, expected nodes from 0 to 23");
}

TEST(Pattern, RefusesSharesThatAreNone)
{
  const auto mesh = grid_of("mesh", {2, 2});
  static PatternShares given;
  static const bool registered = [] {
    register_pattern(
        {.name = "given_by_test", .summary = "", .make = [](const Topology&, const PatternRequest&) { return given; }});
    return true;
  }();
  ASSERT_TRUE(registered);
  const TrafficParameters traffic = traffic_of("given_by_test", 1);
  given = {.even = 1.5};
  EXPECT_NE(error_of(*mesh, traffic).find("the share 1.5"), std::string::npos);
  given = {.chosen = {{NodeId{0}, NodeId{4}}}};
  EXPECT_NE(error_of(*mesh, traffic).find("from 0 to 4, expected nodes from 0 to 3"), std::string::npos);
  given = {.chosen = {{NodeId{0}, NodeId{1}, 0}}};
  EXPECT_NE(error_of(*mesh, traffic).find("the weight 0"), std::string::npos);
  given = {.even = 0.5, .chosen = {{NodeId{0}, NodeId{1}, 3}, {NodeId{0}, NodeId{2}}}};
  expect_shares(*mesh, traffic, NodeId{0});
  expect_shares(*mesh, traffic, NodeId{1});
}

TEST(Pattern, RegistersWhatCanBeUsed)
{
  const auto error = [](TrafficPattern pattern) -> std::string {
    try {
      register_pattern(std::move(pattern));
    } catch (const InputError& found) {
      return found.what();
    }
    return "none";
  };
  const auto make = [](const Topology&, const PatternRequest&) { return PatternShares{.even = 1}; };
  EXPECT_NE(error({.name = "Mine", .make = make}).find("expected a name of lower-case letters"), std::string::npos);
  EXPECT_NE(error({.name = "uniform", .make = make}).find("already"), std::string::npos);
  EXPECT_NE(error({.name = "mine", .make = {}}).find("expected a function"), std::string::npos);
  EXPECT_NE(error({.name = "mine", .parameters = {{.name = "load"}}, .make = make}).find("\"mine.NAME\""),
            std::string::npos);
  EXPECT_THROW(find_pattern("unifrom"), InputError);
}

} // namespace
} // namespace wormcast
