#include "wormcast/algorithms/hypercube/trees.hpp"
#include "wormcast/experiments/reproduction/bertsekas/cases.hpp"
#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace wormcast::bertsekas {

namespace {

/// A directed link: a node and the bit that it changes, counted from 0.
struct Link {
  std::uint32_t from = 0;
  std::uint32_t type = 0;
};

// Whether two of the translates of a set by all ids share a directed link.
bool translates_meet(std::span<const Link> links, std::uint32_t dimension)
{
  std::vector<bool> used(std::size_t{dimension} << dimension, false);
  for (const Link& link : links) {
    for (std::uint32_t t = 0; t < 1U << dimension; ++t) {
      const std::size_t place = std::size_t{link.from ^ t} * dimension + link.type;
      if (used[place]) {
        return true;
      }
      used[place] = true;
    }
  }
  return false;
}

// All sets with at most one link of each type.
Observation sets_of_different_types(std::uint32_t dimension)
{
  const std::uint32_t nodes = 1U << dimension;
  std::uint64_t sets = 0;
  std::uint64_t meeting = 0;
  std::vector<std::uint32_t> start(dimension, 0); // `nodes`: no link of the type
  const std::uint32_t of_a_type = as_claimed(1U); // a claim of one side: it says nothing of fewer links
  for (bool more = true; more;) {
    std::vector<Link> links;
    for (std::uint32_t type = 0; type < dimension; ++type) {
      for (std::uint32_t copy = 0; start[type] < nodes && copy < of_a_type; ++copy) {
        links.push_back({(start[type] + copy) % nodes, type});
      }
    }
    ++sets;
    meeting += translates_meet(links, dimension);
    more = false;
    for (std::uint32_t& one : start) {
      if (one < nodes) {
        ++one;
        more = true;
        break;
      }
      one = 0;
    }
  }
  return none(fmt::format("sets of which translates share a link, of {} with links of different types, d = {}", sets,
                          dimension),
              meeting);
}

// Two links of one type never do.
Observation sets_of_one_type(std::uint32_t dimension)
{
  std::uint64_t disjoint = 0;
  for (std::uint32_t type = 0; type < dimension; ++type) {
    for (std::uint32_t from = 1; from < 1U << dimension; ++from) { // 0 stands for every first link
      disjoint += !translates_meet(std::array{Link{0, type}, Link{from, type}}, dimension);
    }
  }
  return none(fmt::format("pairs of links of one type with disjoint translates, d = {}", dimension), disjoint);
}

Evidence translates_are_disjoint()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 4; ++d) {
    observations.push_back(sets_of_different_types(d));
    observations.push_back(sets_of_one_type(d));
  }
  Evidence evidence = all_hold("all sets of links for d = 1..4", observations);
  evidence.correction = "the condition is necessary, too: translates of a set with two links of one type always meet";
  return evidence;
}

// A_i(t) for the program's sets A_i: single node broadcasts from every node.
Evidence translates_are_broadcasts()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 7; ++d) {
    const auto cube = make_cube(d);
    const BroadcastTree tree = multinode_broadcast_tree(d);
    for (std::uint32_t root = 0; root < cube->node_count(); ++root) {
      std::vector<Hop> hops;
      for (std::uint32_t id = 1; id < tree.parent.size(); ++id) {
        hops.push_back({tree.step[id] + 1, root ^ tree.parent[id], root ^ id, 0});
      }
      observations.push_back(costs(fmt::format("A_i({}), d = {}", bits(root, d), d), *cube,
                                   schedule_of_hops(hops, Operation::broadcast, *cube, root), packets_per_link(d),
                                   (1U << d) - 1));
    }
  }
  return all_hold("the sets of section 2 for d = 1..7, from every root", observations, 12);
}

/// A broadcast on the 3-cube: parent and step of every node but 000.
struct SmallBroadcast {
  std::array<std::uint32_t, 8> parent = {};
  std::array<std::uint32_t, 8> step = {};

  // Links of the step that are of a type which the step has already.
  std::uint32_t repeated_types(std::uint32_t wanted) const
  {
    std::set<std::uint32_t> types;
    std::uint32_t repeated = 0;
    for (std::uint32_t id = 1; id < 8; ++id) {
      repeated += step[id] == wanted && !types.insert(id ^ parent[id]).second;
    }
    return repeated;
  }

  Schedule multinode(const Topology& cube) const
  {
    std::vector<Hop> hops;
    for (std::uint32_t id = 1; id < 8; ++id) {
      for (std::uint32_t origin = 0; origin < 8; ++origin) {
        hops.push_back({step[id], origin ^ parent[id], origin ^ id, origin});
      }
    }
    return schedule_of_hops(hops, Operation::multinode_broadcast, cube);
  }
};

// Every broadcast of the 3-cube in three steps: nine choices of a link and a step for each of seven nodes.
std::vector<SmallBroadcast> small_broadcasts()
{
  std::vector<SmallBroadcast> all;
  for (std::uint32_t choice = 0; choice < 4'782'969; ++choice) {
    SmallBroadcast one;
    std::uint32_t rest = choice;
    for (std::uint32_t id = 1; id < 8; ++id) {
      one.parent[id] = id ^ 1U << rest % 3;
      one.step[id] = 1 + rest / 3 % 3;
      rest /= 9;
    }
    bool in_order = true;
    for (std::uint32_t id = 1; id < 8; ++id) {
      in_order = in_order && one.step[one.parent[id]] < one.step[id];
    }
    if (in_order) {
      all.push_back(one);
    }
  }
  return all;
}

ExhibitTable sets_table(const SmallBroadcast& one)
{
  ExhibitTable table{.title = "the first broadcast that fits the caption", .header = {"set", "links"}, .rows = {}};
  for (std::uint32_t step = 1; step <= 3; ++step) {
    std::string links;
    for (std::uint32_t id = 1; id < 8; ++id) {
      if (one.step[id] == step) {
        links += fmt::format("{}({}, {})", links.empty() ? "" : ", ", bits(one.parent[id], 3), bits(id, 3));
      }
    }
    table.rows.push_back({fmt::format("A_{}", step), links});
  }
  return table;
}

// What the caption says of the broadcast that is drawn: (000, 010) is in A_2, which alone has two links of one type;
// with the link in A_1 all sets have links of different types.
Evidence figure_2()
{
  const auto cube = make_cube(3);
  std::vector<Observation> observations;
  Evidence evidence;
  for (const SmallBroadcast& one : small_broadcasts()) {
    SmallBroadcast moved = one;
    moved.step[2] = 1;
    const bool fits = one.parent[2] == 0 && one.step[2] == 2 && one.repeated_types(1) == 0 &&
                      one.repeated_types(2) == 1 && one.repeated_types(3) == 0;
    const bool moved_fits =
        moved.repeated_types(1) == 0 && moved.repeated_types(2) == 0 && moved.repeated_types(3) == 0;
    if (!fits || !moved_fits) {
      continue;
    }
    if (evidence.tables.empty()) {
      evidence.tables.push_back(sets_table(one));
    }
    const CheckReport report = check_schedule(*cube, one.multinode(*cube), {.max_violations = 1});
    const std::string what = fmt::format("broadcast {}", observations.size() / 2 + 1);
    observations.push_back({.what = what + " as drawn",
                            .expected = "two packets for each link of a type in step 2",
                            .found = fmt::format("{} contended pairs", report.contended_pairs),
                            .holds = report.complete && report.possession && report.contended_pairs == 8});
    observations.push_back(costs(what + " with (000, 010) in A_1", *cube, moved.multinode(*cube), 3, 56));
  }
  const ExhibitTable drawn = evidence.tables.at(0);
  evidence = all_hold("all broadcasts of the 3-cube in three steps that the caption describes", observations, 12);
  evidence.tables.push_back(drawn);
  return not_testable(lost_drawing, std::move(evidence));
}

} // namespace

std::vector<Check> link_type_checks()
{
  const Demonstration shown = checked({.dimension = 3, .algorithm = "multinode_broadcast"});
  return {check_of("translated_broadcasts", shown, translates_are_broadcasts),
          check_of("disjoint_translates", shown, translates_are_disjoint), check_of("figure_2", shown, figure_2)};
}

} // namespace wormcast::bertsekas
