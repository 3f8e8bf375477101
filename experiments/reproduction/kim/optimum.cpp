#include "wormcast/experiments/reproduction/kim/optimum.hpp"

#include "wormcast/algorithms/petersen/torus_broadcast.hpp"
#include "wormcast/algorithms/verifier/broadcast_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wormcast::kim {

namespace {

// One source: steps of Algorithm 1, of its competitor, and what nothing can be below.
struct Comparison {
  PetersenTorusSize size;
  int p = 0;
  std::int64_t ours = 0;
  std::int64_t other = 0;
  std::int64_t bound = 0;
  bool valid = false;
};

BroadcastCase competitor(const BroadcastCase& broadcast)
{
  BroadcastCase other = broadcast;
  other.algorithm = broadcast.ports == sla ? "bfs_tree" : "flooding";
  return other;
}

Comparison compare(const PetersenTorus& torus, int p, PortModel ports)
{
  const BroadcastCase broadcast = algorithm_1(torus.size(), p, ports);
  const auto source = NodeId{static_cast<std::uint32_t>(p)};
  const CheckReport other = check_schedule(torus, schedule_of(competitor(broadcast), torus), {.max_violations = 1});
  return {.size = torus.size(),
          .p = p,
          .ours = static_cast<std::int64_t>(schedule_costs(torus, schedule_of(broadcast, torus)).alpha),
          .other = static_cast<std::int64_t>(other.costs.alpha),
          .bound = std::max(eccentricity(torus, p), growth_bound_steps(torus, source, ports)),
          .valid = other.valid()};
}

// One source of each kind that Condition 1 tells apart, and two more.
std::vector<Comparison> comparisons(PortModel ports)
{
  std::vector<Comparison> all;
  for (const PetersenTorusSize& size : with_m_not_below_n(all_sizes(8, 200))) {
    if (size.l <= 5) {
      const auto torus = make_torus(size);
      for (const int p : {2, 1, 0, 6, 8}) {
        all.push_back(compare(*torus, p, ports));
      }
    }
  }
  return all;
}

ExhibitTable selected_sizes(PortModel ports)
{
  ExhibitTable table{
      .title = fmt::format("steps from p = 2, {}", model_name(ports)),
      .header = {"network", "theorem", "algorithm 1", ports == sla ? "breadth-first tree" : "flooding", "lower bound"},
      .rows = {}};
  for (const PetersenTorusSize& size :
       {PetersenTorusSize{2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {5, 5, 5}, {2, 8, 8}, {10, 10, 10}}) {
    const Comparison one = compare(*make_torus(size), 2, ports);
    table.rows.push_back({text(size), fmt::to_string(petersen_torus_broadcast_bound(size, ports == mla)),
                          fmt::to_string(one.ours), fmt::to_string(one.other), fmt::to_string(one.bound)});
  }
  return table;
}

ExhibitMatrix excess_matrix(const std::vector<Comparison>& all, PortModel ports)
{
  ExhibitMatrix matrix{.title = fmt::format("steps of algorithm 1 above {}, l = 2, p = 2",
                                            ports == sla ? "a breadth-first tree" : "the optimum"),
                       .x_label = "n, from 2",
                       .y_label = "m, from 2",
                       .y_up = false,
                       .values = std::vector(7, std::vector<std::string>(7)),
                       .labels = {},
                       .marked = {}};
  for (const Comparison& one : all) {
    if (one.size.l == 2 && one.p == 2) {
      matrix.values[static_cast<std::size_t>(one.size.m - 2)][static_cast<std::size_t>(one.size.n - 2)] =
          fmt::to_string(one.ours - one.other);
    }
  }
  return matrix;
}

// A breadth-first tree (SLA) is mostly shorter and never below the bound, flooding (MLA) always meets it.
Evidence optimum(PortModel ports)
{
  const std::vector<Comparison> all = comparisons(ports);
  std::vector<Observation> observations;
  std::array<std::size_t, 3> counts{};
  std::int64_t most = 0;
  for (const Comparison& one : all) {
    ++counts.at(one.other < one.ours ? 0 : one.other == one.ours ? 1 : 2);
    most = std::max(most, one.ours - one.other);
    observations.push_back(
        {.what = title(competitor(algorithm_1(one.size, one.p, ports))),
         .expected = fmt::format("valid, {} {} steps", ports == sla ? "at least" : "exactly", one.bound),
         .found = fmt::format("{}, {} steps", one.valid ? "valid" : "not valid", one.other),
         .holds = one.valid && (ports == sla ? one.other >= one.bound : one.other == one.bound)});
  }
  observations.push_back({.what = "cases in which it is shorter than algorithm 1",
                          .expected = fmt::format("more than half of {}", all.size()),
                          .found = fmt::to_string(counts[0]),
                          .holds = 2 * counts[0] > all.size()});
  Evidence evidence = all_hold(
      fmt::format("l = 2..5, 2 <= n <= m <= 8, up to 200 modules, 5 sources; {} is shorter than algorithm 1 in {}, "
                  "equal in {}, longer in {}, and by up to {} steps shorter",
                  ports == sla ? "a breadth-first tree" : "flooding", counts[0], counts[1], counts[2], most),
      observations);
  evidence.tables.push_back(selected_sizes(ports));
  evidence.matrices.push_back(excess_matrix(all, ports));
  return evidence;
}

} // namespace

Check optimum_check(PortModel ports)
{
  return check_of(ports == sla ? "theorem_4_optimum" : "theorem_5_optimum",
                  checked(competitor(algorithm_1({2, 2, 2}, 2, ports))), [ports] { return optimum(ports); });
}

} // namespace wormcast::kim
