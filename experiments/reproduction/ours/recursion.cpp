#include "wormcast/algorithms/grid/lattice_tables.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/ours/cases.hpp"
#include "wormcast/experiments/reproduction/ours/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace wormcast::ours {

namespace {

const std::string recursion = "truncated_recursion";

/// A member of the family on 2^n x 2^m nodes, or on 2^n x 2^n x 2^n.
struct Member {
  int n = 0;
  int m = 0;
  int depth = 0;
  int block = 0;
  bool lattice = false;
  bool cube = false;
};

BroadcastCase broadcast_of(const Member& member, const std::string& kind = "mesh", const std::string& tie = "no_wrap")
{
  BroadcastCase broadcast{.kind = kind,
                          .dims = {std::int64_t{1} << member.n, std::int64_t{1} << member.m},
                          .algorithm = recursion,
                          .parameters = {{"depth", std::int64_t{member.depth}},
                                         {"rounds", std::string(member.lattice ? "lattice" : "pairwise")}},
                          .tie = tie};
  if (member.cube) {
    broadcast.dims.push_back(std::int64_t{1} << member.n);
  }
  if (member.block > 0) {
    broadcast.parameters["block"] = std::int64_t{member.block};
  }
  return broadcast;
}

Fraction alpha_of(const Member& member)
{
  const auto [n, m, d, j, lattice, cube] = member;
  if (cube) {
    return Fraction(3 * n + d + 1);
  }
  return Fraction(n + m + d - j + (std::int64_t{1} << j) - 1);
}

Fraction beta_of(const Member& member)
{
  const auto [n, m, d, j, lattice, cube] = member;
  const Fraction limit = lattice ? Fraction(9, 4) : Fraction(5, 2);
  if (cube) {
    return limit + over_power(Fraction(4 * (n - d) - (lattice ? 1 : 3)), d + 1);
  }
  if (j == 0) {
    return limit + over_power(Fraction(n + m - 2 * d - (lattice ? 1 : 2)), d);
  }
  if (j == d) {
    return Fraction(2) + over_power(Fraction(n + m - d - 2), d);
  }
  const Fraction round = lattice ? Fraction(1) : Fraction(3, 2);
  return Fraction(2) + over_power(Fraction(n + m - 2 * d + 1), d) +
         round * (over_power(Fraction(1), j) - over_power(Fraction(1), d - 1)) + over_power(Fraction(j), j + 1) -
         over_power(Fraction(1), j);
}

void append_case(std::vector<CostCase>& cases, const Member& member, const BroadcastCase& broadcast)
{
  std::ranges::move(with_costs(from_some_sources(broadcast, 4), alpha_of(member), beta_of(member)),
                    std::back_inserter(cases));
}

/// On the mesh and the torus with either tie.
void append_all_kinds(std::vector<CostCase>& cases, const Member& member)
{
  append_case(cases, member, broadcast_of(member));
  append_case(cases, member, broadcast_of(member, "torus"));
  append_case(cases, member, broadcast_of(member, "torus", "positive"));
}

const std::vector<std::pair<int, int>> shapes = {{2, 2}, {3, 3}, {4, 4}, {5, 5}, {3, 2}, {2, 3}, {4, 2}, {2, 4}};
const std::string where =
    "mesh, torus with either tie; 4 x 4 to 32 x 32, 8 x 4, 4 x 8, 16 x 4, 4 x 16; every depth; " + of_some_sources(4);

Evidence family_costs(bool lattice, int least_depth)
{
  std::vector<CostCase> cases;
  for (const auto& [n, m] : shapes) {
    for (int depth = least_depth; depth <= std::min(n, m); ++depth) {
      append_all_kinds(cases, {.n = n, .m = m, .depth = depth, .lattice = lattice});
    }
  }
  return free_at_costs(where, cases);
}

Evidence truncated_costs()
{
  return family_costs(false, 1);
}

Evidence lattice_costs()
{
  return family_costs(true, 2);
}

Evidence cube_costs()
{
  std::vector<CostCase> cases;
  for (int n = 1; n <= 3; ++n) {
    for (const bool lattice : {false, true}) {
      for (int depth = lattice ? 2 : 1; depth <= n; ++depth) {
        const Member member{.n = n, .m = n, .depth = depth, .lattice = lattice, .cube = true};
        append_case(cases, member, broadcast_of(member));
        append_case(cases, member, broadcast_of(member, "torus"));
      }
    }
  }
  return free_at_costs("mesh and torus (ties without the wrap-around link), 2^3 to 8^3 nodes; every depth; " +
                           of_some_sources(4),
                       cases);
}

Evidence ring_finish_costs()
{
  std::vector<CostCase> cases;
  for (const auto& [n, m] : {std::pair(2, 2), std::pair(3, 3), std::pair(4, 4), std::pair(5, 5), std::pair(4, 3)}) {
    for (int depth = 2; depth <= std::min(n, m); ++depth) {
      for (int block = 2; block <= depth; ++block) {
        for (const bool lattice : {false, true}) {
          const Member member{.n = n, .m = m, .depth = depth, .block = block, .lattice = lattice};
          append_case(cases, member, broadcast_of(member));
        }
      }
    }
  }
  return free_at_costs(
      "4 x 4 to 32 x 32 and 16 x 8 meshes; every depth and block; both kinds of rounds; " + of_some_sources(4), cases);
}

/// Section 6 of Zhuang & Liberatore goes through the longer dimension first; to stop there, at the depth of the shorter
/// one, is shorter.
Evidence non_square()
{
  std::vector<Observation> observations;
  for (const auto& [n, m] : {std::pair(3, 2), std::pair(4, 3), std::pair(4, 2), std::pair(5, 3), std::pair(5, 2)}) {
    const Member member{.n = n, .m = m, .depth = m};
    const CheckReport own = check(broadcast_of(member));
    const CheckReport theirs = check({.dims = broadcast_of(member).dims, .algorithm = "recursion_based"});
    const std::int64_t saved = (std::int64_t{1} << (n - m)) - 1;
    Observation observation{.what = title(broadcast_of(member)),
                            .expected = fmt::format("{} steps fewer than recursion_based{}", as_claimed(saved),
                                                    n - m == 1 ? ", the same beta" : ""),
                            .found = fmt::format("{} steps fewer than recursion_based{}",
                                                 static_cast<std::int64_t>(theirs.costs.alpha - own.costs.alpha),
                                                 n - m > 1                             ? ""
                                                 : own.costs.beta == theirs.costs.beta ? ", the same beta"
                                                                                       : ", another beta")};
    observation.holds =
        observation.found == observation.expected && own.valid() && own.contention_free && theirs.valid();
    observations.push_back(std::move(observation));
  }
  return all_hold("8 x 4, 16 x 8, 16 x 4, 32 x 8 and 32 x 4 meshes", observations);
}

std::uint32_t rank_of(std::uint32_t node, unsigned dimension)
{
  return (node >> (2 * dimension)) % 4;
}

/// The channels of a message on the lattice, as pairs of nodes; three ranks apart on a ring are neighbours.
std::vector<std::pair<std::uint32_t, std::uint32_t>> channels_of(std::uint32_t from, std::uint32_t to,
                                                                 unsigned dimensions, bool ring)
{
  std::vector<std::pair<std::uint32_t, std::uint32_t>> channels;
  for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
    while (rank_of(from, dimension) != rank_of(to, dimension)) {
      const std::uint32_t rank = rank_of(from, dimension);
      const std::uint32_t goal = rank_of(to, dimension);
      const bool wraps = ring && (goal > rank ? goal - rank : rank - goal) == 3;
      const std::uint32_t next = ((goal > rank) != wraps ? rank + 1 : rank + 3) % 4;
      const std::uint32_t node = from + ((next - rank) << (2 * dimension));
      channels.emplace_back(from, node);
      from = node;
    }
  }
  return channels;
}

/// What is wrong with a table; empty: nothing.
std::string fault_of(const LatticeTable& table, unsigned dimensions, bool ring, std::size_t units)
{
  std::map<std::uint32_t, std::multiset<std::uint32_t>> owned;
  for (const std::uint32_t owner : table.owners) {
    owned[owner].insert(owner);
  }
  for (const std::vector<LatticeSend>& step : table.steps) {
    const auto before = owned;
    std::set<std::uint32_t> senders;
    std::set<std::uint32_t> receivers;
    std::set<std::pair<std::uint32_t, std::uint32_t>> used;
    for (const LatticeSend& send : step) {
      const auto held = before.find(send.from);
      if (held == before.end() || !held->second.contains(send.owner)) {
        return "a node sends what it has not";
      }
      if (!senders.insert(send.from).second || !receivers.insert(send.to).second) {
        return "a port is used twice";
      }
      for (const auto& channel : channels_of(send.from, send.to, dimensions, ring)) {
        if (!used.insert(channel).second) {
          return "a channel is used twice";
        }
      }
      owned[send.to].insert(send.owner);
    }
  }
  std::map<std::uint32_t, std::multiset<std::uint32_t>> parts;
  for (std::uint32_t node = 0; node < 1U << (2 * dimensions); ++node) {
    std::uint32_t part = 0;
    for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
      part += (rank_of(node, dimension) / 2) << dimension;
    }
    if (owned[node].size() != units) {
      return fmt::format("a node ends with {} units", owned[node].size());
    }
    parts[part].insert(owned[node].begin(), owned[node].end());
  }
  const std::multiset<std::uint32_t> all(table.owners.begin(), table.owners.end());
  const bool complete = std::ranges::all_of(parts, [&](const auto& part) { return part.second == all; });
  return complete ? "" : "a part has not every unit once";
}

Evidence tables()
{
  std::vector<Observation> observations;
  const auto observe = [&](const std::string& what, const LatticeTable& table, unsigned dimensions, bool ring,
                           std::int64_t units) {
    const std::string fault = fault_of(table, dimensions, ring, static_cast<std::size_t>(as_claimed(units)));
    observations.push_back({.what = what,
                            .expected = "complete, one port, no channel twice",
                            .found = fault.empty() ? "complete, one port, no channel twice" : fault,
                            .holds = fault.empty()});
  };
  for (const std::uint32_t y_class : {0U, 1U}) {
    observe(fmt::format("2-D, class {}", y_class), lattice_table(y_class), 2, false, 2);
    for (const std::uint32_t z_class : {0U, 1U}) {
      observe(fmt::format("3-D, classes {} {}", y_class, z_class), lattice_table(y_class, z_class), 3, false, 2);
    }
  }
  for (std::uint32_t delta = 0; delta < 4; ++delta) {
    observe(fmt::format("first round on a torus, displacement {}", delta), first_torus_table(delta), 2, true, 1);
  }
  return all_hold("every table", observations);
}

Check recursion_check(const std::string& name, const Member& shown, std::function<Evidence()> measure)
{
  return own_check(name, broadcast_of(shown), check_command, std::move(measure));
}

} // namespace

std::vector<Check> recursion_checks()
{
  return {recursion_check("truncated_costs", {.n = 4, .m = 4, .depth = 3}, truncated_costs),
          recursion_check("lattice_costs", {.n = 4, .m = 4, .depth = 4, .lattice = true}, lattice_costs),
          recursion_check("lattice_tables", {.n = 4, .m = 4, .depth = 4, .lattice = true}, tables),
          recursion_check("cube_costs", {.n = 3, .m = 3, .depth = 3, .lattice = true, .cube = true}, cube_costs),
          recursion_check("ring_finish_costs", {.n = 4, .m = 4, .depth = 4, .block = 2, .lattice = true},
                          ring_finish_costs),
          recursion_check("non_square", {.n = 4, .m = 3, .depth = 3}, non_square)};
}

} // namespace wormcast::ours
