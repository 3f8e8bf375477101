#include "wormcast/algorithms/hypercube/rotation_classes.hpp"
#include "wormcast/algorithms/hypercube/trees.hpp"
#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"
#include "wormcast/experiments/reproduction/bertsekas/trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

namespace wormcast::bertsekas {

namespace {

/// Calls `visit` with every spanning tree of a small hypercube; with every shortest-path tree alone if asked to.
void for_each_tree(std::uint32_t dimension, bool shortest, const std::function<void(const Tree&)>& visit)
{
  const std::uint32_t nodes = 1U << dimension;
  Tree parent(nodes, 0);
  const std::function<void(std::uint32_t)> choose = [&](std::uint32_t id) {
    if (id == nodes) {
      if (is_spanning_tree(parent)) {
        visit(parent);
      }
      return;
    }
    for (std::uint32_t link = 1; link <= dimension; ++link) {
      if (!shortest || (id & link_bit(link)) != 0) {
        parent[id] = id ^ link_bit(link);
        choose(id + 1);
      }
    }
  };
  choose(1);
}

/// Small trees that the rule is tried on: all of d = 1..3, all shortest-path trees of d = 4.
void for_each_small_tree(const std::function<void(std::uint32_t, const Tree&)>& visit)
{
  for (std::uint32_t d = 1; d <= 4; ++d) {
    for_each_tree(d, d == 4, [&](const Tree& tree) { visit(d, tree); });
  }
}

constexpr const char* small_trees = "all spanning trees for d = 1..3, all shortest-path trees for d = 4";

// By subtree: the last step in which the root sends into it, and the last in which one of its nodes gets its packet.
struct SubtreeTimes {
  std::vector<std::uint32_t> last_start;
  std::vector<std::uint32_t> done;
};

SubtreeTimes subtree_times(const Tree& tree, std::span<const Hop> hops, std::uint32_t dimension)
{
  const std::vector<std::uint32_t> subtree = subtree_of(tree);
  SubtreeTimes times{std::vector<std::uint32_t>(dimension, 0), std::vector<std::uint32_t>(dimension, 0)};
  for (const Hop& hop : hops) {
    std::uint32_t& done = times.done[subtree[hop.packet]];
    done = std::max(done, hop.step);
    if (hop.from == 0) {
      std::uint32_t& start = times.last_start[subtree[hop.packet]];
      start = std::max(start, hop.step);
    }
  }
  return times;
}

Evidence sending_rule()
{
  std::uint64_t trees = 0;
  std::uint64_t invalid = 0;
  std::uint64_t late = 0;
  std::uint64_t early = 0;
  const auto examine = [&](std::uint32_t d, const Tree& tree) {
    const std::vector<Hop> hops = scatter_hops(tree);
    const auto cube = make_cube(d);
    const CheckReport report = check_schedule(*cube, schedule_of_hops(hops, Operation::scatter, *cube));
    invalid += !report.valid() || !report.contention_free;
    const std::vector<std::uint32_t> sizes = subtree_sizes(tree, d);
    const SubtreeTimes times = subtree_times(tree, hops, d);
    for (std::uint32_t i = 0; i < d; ++i) {
      late += times.last_start[i] > sizes[i] || times.done[i] > sizes[i];
      early += times.last_start[i] < sizes[i];
    }
    ++trees;
  };
  for_each_small_tree(examine);
  for (std::uint32_t d = 5; d <= 10; ++d) {
    examine(d, balanced_tree(d));
    examine(d, binomial_tree(d).parent);
  }
  return all_hold(fmt::format("{} trees: {}, two trees for d = 5..10", trees, small_trees),
                  {none("schedules that are not valid", invalid),
                   none("subtrees T_i that are sent to after time N_i - 1 or not done by N_i", late),
                   none("subtrees T_i that are done before N_i", early)});
}

Evidence condition_for_optimal_time()
{
  std::vector<Observation> observations;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> trees_by_time;
  std::map<std::uint32_t, std::uint64_t> contradicting;
  for_each_small_tree([&](std::uint32_t d, const Tree& tree) {
    const std::vector<Hop> hops = scatter_hops(tree);
    const std::uint32_t time = std::ranges::max_element(hops, {}, &Hop::step)->step;
    const std::vector<std::uint32_t> sizes = subtree_sizes(tree, d);
    const bool condition =
        std::ranges::min(sizes) > 0 && std::ranges::max(sizes) <= as_upper_bound(packets_per_link(d));
    contradicting[d] += condition != (time == packets_per_link(d));
    ++trees_by_time[{d, time}];
  });
  for (const auto& [d, count] : contradicting) {
    observations.push_back(none(fmt::format("trees that contradict, d = {}", d), count));
  }
  Evidence evidence = all_hold(small_trees, observations);
  ExhibitTable table{.title = "trees by the rule's time", .header = {"d", "time", "trees"}, .rows = {}};
  for (const auto& [key, count] : trees_by_time) {
    table.rows.push_back({fmt::to_string(key.first), fmt::to_string(key.second), fmt::to_string(count)});
  }
  evidence.tables.push_back(std::move(table));
  return evidence;
}

Evidence scatter_from_multinode()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 10; ++d) {
    const CubeCase one{.dimension = d, .algorithm = "single_node_scatter", .tree = "from_multinode"};
    for (const CubeCase& rooted : from_roots(one, 32)) {
      observations.push_back(costs(rooted, packets_per_link(d), std::uint64_t{d} << (d - 1)));
    }
    // The whole multinode broadcast, reversed in time, would scatter as well.
    const auto cube = make_cube(d);
    const std::uint64_t whole =
        schedule_of({.dimension = d, .algorithm = "multinode_broadcast"}, *cube).messages.size();
    observations.push_back({.what = fmt::format("transmissions of the multinode broadcast, d = {}", d),
                            .expected = fmt::format("more than {}", std::uint64_t{d} << (d - 1)),
                            .found = fmt::to_string(whole),
                            .holds = whole > std::uint64_t{d} << (d - 1)});
  }
  return all_hold("d = 1..10, up to 32 roots: the packets' ways to the root, reversed in time", observations, 24);
}

Evidence tree_of_johnsson_and_ho()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 2; d <= 14; ++d) {
    const Tree tree = rotation_tree(d);
    const std::vector<std::uint32_t> sizes = subtree_sizes(tree, d);
    const auto [least, most] = std::ranges::minmax(sizes);
    observations.push_back({.what = fmt::format("d = {}, subtrees of {} to {} nodes", d, least, most),
                            .expected = is_prime(as_claimed(d)) ? "perfectly balanced" : "not perfectly balanced",
                            .found = most - least <= 1 ? "perfectly balanced" : "not perfectly balanced",
                            .holds = is_spanning_tree(tree) && is_prime(as_claimed(d)) == (most - least <= 1)});
  }
  return all_hold("d = 2..14", observations);
}

} // namespace

std::vector<Check> scatter_rule_checks()
{
  const Demonstration shown = checked({.dimension = 4, .algorithm = "single_node_scatter"});
  return {check_of("scatter_from_multinode",
                   checked({.dimension = 4, .algorithm = "single_node_scatter", .tree = "from_multinode"}),
                   scatter_from_multinode),
          check_of("sending_rule", shown, sending_rule),
          check_of("condition_for_optimal_time", shown, condition_for_optimal_time),
          check_of("johnsson_ho_tree", {"", ""}, tree_of_johnsson_and_ho)};
}

} // namespace wormcast::bertsekas
