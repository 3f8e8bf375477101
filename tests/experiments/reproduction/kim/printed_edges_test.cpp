// What is transcribed from Kim et al., against a second transcription of another kind.

#include "wormcast/experiments/reproduction/kim/printed_edges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace wormcast::kim {
namespace {

struct Checksum {
  std::size_t hops = 0;
  int sum = 0; // of 10 * from + to

  friend bool operator==(const Checksum&, const Checksum&) = default;
};

Checksum checksum(const InternalHops& chain)
{
  std::set<int> hops;
  for (std::size_t i = 0; i < chain.hops.size(); i += 4) {
    hops.insert(10 * (chain.hops[i] - '0') + (chain.hops[i + 2] - '0'));
  }
  Checksum result{hops.size(), 0};
  for (const int hop : hops) {
    result.sum += hop;
  }
  return result;
}

// Different hops and their sums, read out of the paper's LaTeX by a pattern for "p) \rightarrow (z, x, y, q)".
TEST(KimPrintedHops, HaveTheNumbersAndSumsOfThePaper)
{
  const std::map<std::string, Checksum> expected = {{"eqs. (1) to (5)", {2, 55}},
                                                    {"SLA condition 2", {8, 360}},
                                                    {"SLA condition 3", {9, 477}},
                                                    {"MLA condition 2", {8, 240}},
                                                    {"MLA condition 3", {9, 617}},
                                                    {"algorithm 2", {10, 495}},
                                                    {"algorithm 3", {20, 990}},
                                                    {"algorithm 4, step 2", {4, 109}},
                                                    {"algorithm 4, steps 3 and 4", {3, 156}},
                                                    {"eq. (6)", {8, 285}},
                                                    {"eq. (7)", {8, 255}},
                                                    {"eqs. (8) to (11)", {6, 330}}};
  std::map<std::string, Checksum> found;
  for (const InternalHops& chain : internal_chains(false)) {
    found[chain.place] = checksum(chain);
  }
  EXPECT_EQ(found, expected);
}

// The repairs: 4>2 2>6 becomes 4>7 7>6, and 1>7 becomes 4>7.
TEST(KimPrintedHops, AreRepairedInThreePlaces)
{
  const std::vector<InternalHops> printed = internal_chains(false);
  const std::vector<InternalHops> repaired = internal_chains(true);
  std::map<std::string, int> changed;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const int change = checksum(repaired[i]).sum - checksum(printed[i]).sum;
    if (change != 0) {
      changed[printed[i].place] = change;
    }
  }
  EXPECT_THAT(changed,
              ::testing::ElementsAre(std::pair<const std::string, int>{"algorithm 4, step 2", 47 + 76 - 42 - 26},
                                     std::pair<const std::string, int>{"eq. (7)", 47 - 17}));
}

// The value of "z", "m-1", "y+1" or "0".
std::int64_t value_of(const std::string& text, const std::map<char, std::int64_t>& values)
{
  const auto found = values.find(text.front());
  const std::int64_t first = found != values.end() ? found->second : text.front() - '0';
  if (text.size() == 1) {
    return first;
  }
  const std::int64_t change = text[2] - '0';
  return text[1] == '+' ? first + change : first - change;
}

// The two nodes of "(z,x,0,9)-(z,x,n-1,6)".
DefinedEdge edge_of(const std::string& printed, const std::map<char, std::int64_t>& values)
{
  std::array<std::array<std::int64_t, 4>, 2> nodes{};
  std::size_t at = 0;
  for (std::array<std::int64_t, 4>& node : nodes) {
    at = printed.find('(', at) + 1;
    for (std::int64_t& coordinate : node) {
      const std::size_t end = printed.find_first_of(",)", at);
      coordinate = value_of(printed.substr(at, end - at), values);
      at = end + 1;
    }
  }
  const auto node = [](const std::array<std::int64_t, 4>& one) {
    return PetersenTorusNode{one[0], one[1], one[2], static_cast<int>(one[3])};
  };
  return {node(nodes[0]), node(nodes[1])};
}

// The text that is shown and the edges that are made.
TEST(KimWrapEdges, AreThoseOfTheirText)
{
  const PetersenTorusSize size{3, 5, 7};
  for (const auto& edges : {printed_wrap_edges(size), repaired_wrap_edges(size)}) {
    for (const WrapEdge& one : edges) {
      // u and v are the two open coordinates in the order z, x, y; where z is 0, v alone.
      const bool has_z = one.printed.find('z') != std::string::npos;
      const bool has_x = one.printed.find("x") != std::string::npos;
      const bool has_y = one.printed.find("y") != std::string::npos;
      const bool x_is_first = has_x && has_y;
      std::map<char, std::int64_t> values = {{'l', size.l}, {'m', size.m}, {'n', size.n}};
      constexpr std::int64_t u = 1;
      constexpr std::int64_t v = 2;
      values['z'] = has_z ? u : 0;
      values['x'] = x_is_first ? u : v;
      values['y'] = v;
      EXPECT_EQ(one.at(u, v), edge_of(one.printed, values)) << one.printed;
    }
  }
}

TEST(KimWrapEdges, AreAsManyAsWrapAround)
{
  // n planes of l * m edges each wrap for the longitudinal edges, and so on; diagonal ones that wrap in both count
  // once.
  const PetersenTorusSize size{3, 4, 5};
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const WrapEdge& one : repaired_wrap_edges(size)) {
    for (std::int64_t u = 0; u < one.first; ++u) {
      for (std::int64_t v = 0; v < one.second; ++v) {
        const auto [from, to] = one.at(u, v);
        edges.insert(std::minmax(index(petersen_torus_id(size, from)), index(petersen_torus_id(size, to))));
      }
    }
  }
  const std::int64_t expected =
      size.l * size.m + size.l * size.n + size.m * size.n + 2 * size.l * (size.m + size.n - 1);
  EXPECT_EQ(edges.size(), static_cast<std::size_t>(expected));
}

// LU is opposite to RD, LD to RU, in direction and in the nodes that they join.
TEST(KimNamedEdges, AreOpposites)
{
  const std::vector<ExternalHop> hops = named_edges(true);
  ASSERT_EQ(hops.size(), 4U);
  for (const auto& [one, other] : {std::pair{0U, 1U}, std::pair{2U, 3U}}) {
    EXPECT_EQ(hops[one].to.x, -hops[other].to.x);
    EXPECT_EQ(hops[one].to.y, -hops[other].to.y);
    EXPECT_EQ(hops[one].to.p, hops[other].from);
    EXPECT_EQ(hops[one].from, hops[other].to.p);
  }
  for (const ExternalHop& hop : named_edges(false)) {
    EXPECT_EQ(hop.from, 7) << hop.place;
    EXPECT_EQ(hop.to.p, 8) << hop.place;
  }
}

// By the nodes at their ends: the paper prints nine kinds of hops between modules, those of condition 3 twice.
TEST(KimChainHops, HaveTheEndsOfThePaper)
{
  std::map<std::pair<int, int>, int> ends;
  for (const ExternalHop& hop : chain_hops(false)) {
    ++ends[{hop.from, hop.to.p}];
  }
  const std::map<std::pair<int, int>, int> expected = {{{0, 5}, 2}, {{1, 4}, 2}, {{2, 3}, 2}, {{3, 2}, 2}, {{4, 1}, 3},
                                                       {{5, 0}, 3}, {{6, 9}, 4}, {{7, 8}, 2}, {{9, 6}, 1}};
  EXPECT_EQ(ends, expected);
}

// Definition 2 (1) to (5): every node has one external edge, and the edges of a kind add up to its offset.
TEST(KimDefinition2, GivesEveryNodeOneExternalEdge)
{
  const PetersenTorusSize size{3, 4, 5};
  std::set<std::uint32_t> ends;
  for (const auto& [from, to] : external_edges(size)) {
    EXPECT_TRUE(ends.insert(index(petersen_torus_id(size, from))).second);
    EXPECT_TRUE(ends.insert(index(petersen_torus_id(size, to))).second);
    EXPECT_EQ(external_edge(from.p).p, to.p);
    EXPECT_EQ(petersen_torus_id(size, external_partner(from)), petersen_torus_id(size, to));
  }
  EXPECT_EQ(ends.size(), static_cast<std::size_t>(size.nodes()));
}

} // namespace
} // namespace wormcast::kim
