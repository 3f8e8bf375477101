#include "tests/algorithms/hypercube/hypercubes.hpp"
#include "wormcast/algorithms/hypercube/rotation_classes.hpp"
#include "wormcast/algorithms/hypercube/trees.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

namespace wormcast {
namespace {

using testing::hypercube_golden;

std::uint32_t dimension_of(const std::string& text)
{
  return static_cast<std::uint32_t>(std::stoul(text));
}

TEST(MultinodeBroadcastTree, HasTheGoldenLinks)
{
  for (const auto& [text, whole] : hypercube_golden().items()) {
    const auto& golden = whole["multinode_broadcast_mla"];
    const std::uint32_t dimension = dimension_of(text);
    const BroadcastTree tree = multinode_broadcast_tree(dimension);
    std::vector<std::set<std::pair<std::uint32_t, std::uint32_t>>> links(golden["q"].get<std::size_t>());
    for (std::uint32_t id = 1; id < tree.parent.size(); ++id) {
      links.at(tree.step[id]).insert({tree.parent[id], id});
    }
    EXPECT_EQ(links.back().size(), golden["last_set_size"].get<std::size_t>());
    if (golden.contains("A")) {
      EXPECT_EQ(links, golden["A"].get<decltype(links)>());
    }
  }
}

// Section 2: what makes the copies of the tree from all nodes free of contention.
RC_GTEST_PROP(MultinodeBroadcastTree, LinksOfAStepDiffer, ())
{
  const auto dimension = *rc::gen::inRange<std::uint32_t>(1, 13);
  const BroadcastTree tree = multinode_broadcast_tree(dimension);
  std::map<std::uint32_t, std::set<std::uint32_t>> links;
  for (std::uint32_t id = 1; id < tree.parent.size(); ++id) {
    const std::uint32_t changed = id ^ tree.parent[id];
    RC_ASSERT(std::has_single_bit(changed));
    RC_ASSERT(links[tree.step[id]].insert(changed).second);
    if (tree.parent[id] != 0) {
      RC_ASSERT(tree.step[tree.parent[id]] < tree.step[id]);
    }
  }
  RC_ASSERT(links.size() == ((1U << dimension) - 1 + dimension - 1) / dimension);
}

TEST(BalancedTree, HasTheGoldenParents)
{
  for (const auto& [text, whole] : hypercube_golden().items()) {
    const auto& golden = whole["scatter_mla"];
    const std::vector<std::uint32_t> parent = balanced_tree(dimension_of(text));
    if (golden.contains("parent")) {
      std::vector<std::int64_t> signed_parent(parent.begin(), parent.end());
      signed_parent[0] = -1;
      EXPECT_EQ(nlohmann::json(signed_parent), golden["parent"]);
    }
    std::map<std::uint32_t, std::uint32_t> sizes;
    const std::vector<std::uint32_t> neighbour = first_hops(parent);
    for (std::uint32_t id = 1; id < parent.size(); ++id) {
      ++sizes[neighbour[id]];
    }
    nlohmann::json first_nodes = nlohmann::json::array();
    nlohmann::json counts = nlohmann::json::array();
    for (const auto& [first, size] : sizes) {
      first_nodes.push_back(first);
      counts.push_back(size);
    }
    EXPECT_EQ(first_nodes, golden["subtree_first_node"]);
    EXPECT_EQ(counts, golden["subtree_sizes"]);
  }
}

// Section 3: a shortest-path tree whose subtrees have floor or ceil of (2^d - 1) / d nodes.
RC_GTEST_PROP(BalancedTree, IsPerfectlyBalanced, ())
{
  const auto dimension = *rc::gen::inRange<std::uint32_t>(1, 13);
  const std::vector<std::uint32_t> parent = balanced_tree(dimension);
  std::map<std::uint32_t, std::uint32_t> sizes;
  for (std::uint32_t id = 1; id < parent.size(); ++id) {
    RC_ASSERT(std::has_single_bit(id ^ parent[id]));
    RC_ASSERT(parent[id] < id);
    std::uint32_t top = id;
    while (parent[top] != 0) {
      top = parent[top];
    }
    ++sizes[top];
  }
  const std::uint32_t others = (1U << dimension) - 1;
  RC_ASSERT(sizes.size() == dimension);
  for (const auto& [top, size] : sizes) {
    RC_ASSERT(size == others / dimension || size == (others + dimension - 1) / dimension);
  }
}

// Section 3: the root starts its last packet into a subtree of n nodes in step n - 1, and all have arrived then.
RC_GTEST_PROP(BalancedTree, ScatterEndsWithTheLastPacketSent, ())
{
  const auto dimension = *rc::gen::inRange<std::uint32_t>(1, 11);
  const ScatterTree tree = balanced_scatter_tree(dimension);
  const std::vector<std::uint32_t> neighbour = first_hops(tree.parent);
  std::map<std::uint32_t, std::set<std::uint32_t>> starts;
  std::map<std::uint32_t, std::uint32_t> end;
  for (std::uint32_t id = 1; id < tree.parent.size(); ++id) {
    RC_ASSERT(starts[neighbour[id]].insert(tree.start[id]).second);
    std::uint32_t& last = end[neighbour[id]];
    last = std::max(last, tree.start[id] + static_cast<std::uint32_t>(std::popcount(id)));
  }
  for (const auto& [top, steps] : starts) {
    RC_ASSERT(*steps.rbegin() + 1 == steps.size());
    RC_ASSERT(end[top] == steps.size());
  }
}

TEST(BinomialTree, OfTheThreeCube)
{
  const BroadcastTree tree = binomial_tree(3);
  EXPECT_EQ(tree.parent, (std::vector<std::uint32_t>{0, 0, 0, 2, 0, 4, 4, 6}));
  EXPECT_EQ(tree.step, (std::vector<std::uint32_t>{0, 2, 1, 2, 0, 2, 1, 2}));
}

TEST(AllPortBroadcastTree, OfTheThreeCube)
{
  const BroadcastTree tree = all_port_broadcast_tree(3);
  EXPECT_EQ(tree.parent, (std::vector<std::uint32_t>{0, 0, 0, 1, 0, 1, 2, 3}));
  EXPECT_EQ(tree.step, (std::vector<std::uint32_t>{0, 0, 0, 1, 0, 1, 1, 2}));
}

} // namespace
} // namespace wormcast
