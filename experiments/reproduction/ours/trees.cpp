#include "wormcast/algorithms/grid_trees/two_tree_blocks.hpp"
#include "wormcast/algorithms/grid_trees/two_trees.hpp"
#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/ours/cases.hpp"
#include "wormcast/experiments/reproduction/ours/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

namespace wormcast::ours {

namespace {

BroadcastCase pipeline(const std::string& algorithm, std::vector<std::int64_t> dims, std::int64_t segments)
{
  return {.dims = std::move(dims), .algorithm = algorithm, .parameters = {{"segments", segments}}};
}

/// Steps that two combs take for no segment at all, from a source on X x Y nodes.
std::int64_t depth_of_combs(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& source)
{
  const bool on_long_border = source[1] == 0 || source[1] == dims[1] - 1;
  const bool in_corner = on_long_border && (source[0] == 0 || source[0] == dims[0] - 1);
  if (on_long_border && !in_corner) {
    return dims[1] + 2 * dims[0] - 3;
  }
  return dims[0] + 2 * dims[1] - 3 - (!in_corner && source[0] == dims[0] - 1 ? 1 : 0);
}

Evidence comb_costs()
{
  std::vector<CostCase> cases;
  for (std::int64_t x = 2; x <= 6; ++x) {
    for (std::int64_t y = 2; y <= 6; ++y) {
      for (const std::int64_t segments : {2, 5, 8}) {
        for (const BroadcastCase& one : from_every_source(pipeline("two_combs", {x, y}, segments))) {
          const std::int64_t alpha = segments + depth_of_combs(one.dims, one.source);
          cases.push_back({one, Fraction(alpha), Fraction(alpha, segments)});
        }
      }
    }
  }
  return free_at_costs("every source of the X x Y meshes, X, Y = 2..6; k = 2, 5, 8", cases);
}

/// Steps that two trees take for no segment at all.
std::int64_t depth_of_trees(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  return std::int64_t{depth_of(two_trees(dynamic_cast<const Grid&>(*topology), topology->node_at(broadcast.source)))};
}

struct TreeDepths {
  std::int64_t side;
  std::int64_t least;
  std::int64_t most;
};

void observe_trees(const TreeDepths& claimed, std::vector<Observation>& observations)
{
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = 0;
  std::size_t sources = 0;
  std::vector<std::pair<BroadcastCase, std::int64_t>> checked; // with the depth
  for (const BroadcastCase& one : from_every_source(pipeline("two_trees", {claimed.side, claimed.side}, 2))) {
    if (std::ranges::max(one.source) >= claimed.side / 2) {
      continue; // depths of its reflection are the same
    }
    const std::int64_t depth = depth_of_trees(one);
    least = std::min(least, depth);
    most = std::max(most, depth);
    if (claimed.side <= 8 || sources % 16 == 0) {
      checked.emplace_back(one, depth);
    }
    ++sources;
  }
  const std::string expected = fmt::format("D from {} to {}", as_claimed(claimed.least), claimed.most);
  const std::string found = fmt::format("D from {} to {}", least, most);
  observations.push_back(
      same_texts(fmt::format("{0} x {0}, {1} sources of a quarter", claimed.side, sources), expected, found));
  for (auto& [one, depth] : checked) {
    for (const std::int64_t segments : {2, 6}) {
      one.parameters["segments"] = segments;
      const CheckReport report = check(one);
      observations.push_back(
          {.what = title(one),
           .expected = fmt::format("{} steps, no contention", segments + depth),
           .found = fmt::format("{} steps, {} contended pairs", report.costs.alpha, report.contended_pairs),
           .holds = report.valid() && report.contention_free &&
                    report.costs.alpha == static_cast<std::uint64_t>(segments + depth)});
    }
  }
}

constexpr std::array<TreeDepths, 4> tree_depths = {{{4, 5, 5}, {8, 9, 10}, {16, 13, 15}, {32, 17, 19}}};

Evidence tree_costs()
{
  std::vector<Observation> observations;
  for (const TreeDepths& claimed : tree_depths) {
    observe_trees(claimed, observations);
  }
  return all_hold("depths from every source of a quarter; schedules of 2 and 6 segments from all of them on 4 x 4 and "
                  "8 x 8, and from one in 16 on 16 x 16 and 32 x 32",
                  observations, 16);
}

Evidence all_port_costs()
{
  std::vector<CostCase> cases;
  for (const std::int64_t x : {3, 4, 6}) {
    for (const std::int64_t y : {3, 5, 6}) {
      for (const std::int64_t segments : {4, 8, 24}) {
        BroadcastCase mesh = pipeline("edge_disjoint_trees", {x, y}, segments);
        mesh.ports = PortModel{PortModel::all};
        for (const BroadcastCase& one : from_every_source(mesh)) {
          const std::int64_t ex = std::max(one.source[0], x - 1 - one.source[0]);
          const std::int64_t ey = std::max(one.source[1], y - 1 - one.source[1]);
          const std::int64_t alpha = segments / 2 - 1 + std::max({ex + ey, ex + 2, ey + 2});
          cases.push_back({one, Fraction(alpha), Fraction(alpha, segments)});
        }
        BroadcastCase torus = mesh;
        torus.kind = "torus";
        const std::int64_t alpha = segments / 4 + x + y - 2;
        std::ranges::move(with_costs(from_some_sources(torus, 4), Fraction(alpha), Fraction(alpha, segments)),
                          std::back_inserter(cases));
      }
    }
  }
  return free_at_costs(
      "X = 3, 4, 6, Y = 3, 5, 6, k = 4, 8, 24: meshes from every source, tori from " + of_some_sources(4), cases);
}

/// The optimum by its rule against the simulated latencies of all numbers of segments up to 24, which divide the
/// length.
Evidence best_segments()
{
  constexpr std::int64_t depth = 21; // of combs on 8 x 8 from a corner
  constexpr std::int64_t most = 24;
  constexpr std::int64_t length = 5'354'228'880; // the least common multiple of 1 to 24
  std::vector<Observation> observations;
  for (const std::int64_t wanted : {3, 9, 20}) {
    NetworkParameters network = figure_network(pipeline("two_combs", square(3), 2));
    network.per_byte = Time{1};
    network.startup = Time{depth * length / (wanted * wanted)};
    std::int64_t best = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t segments = 2; segments <= most; ++segments) {
      const BroadcastCase one = pipeline("two_combs", square(3), segments);
      const auto topology = topology_of(one);
      const std::int64_t latency =
          simulated(*topology, schedule_of(one, *topology, length), network).latency.value().picoseconds;
      if (latency < least) {
        least = latency;
        best = segments;
      }
    }
    std::int64_t rule = 1;
    while (rule * (rule + 1) * network.startup.picoseconds < depth * length * network.per_byte.picoseconds()) {
      ++rule;
    }
    observations.push_back(
        {.what = fmt::format("L T_c/T_s = {}",
                             decimal(static_cast<double>(length) / static_cast<double>(network.startup.picoseconds))),
         .expected = fmt::format("{} segments", as_claimed(rule)),
         .found = fmt::format("{} segments are the fastest of 2 to {}, simulated", best, most),
         .holds = best == as_claimed(rule)});
  }
  return all_hold("two combs on an 8 x 8 mesh, D = 21, every number of segments "
                  "up to 24 simulated, with a length that all of them divide",
                  observations);
}

} // namespace

std::vector<Check> tree_checks()
{
  const auto check = [](const std::string& name, const BroadcastCase& shown, std::function<Evidence()> measure) {
    return own_check(name, shown, check_command, std::move(measure));
  };
  BroadcastCase all_ports = pipeline("edge_disjoint_trees", {8, 8}, 16);
  all_ports.ports = PortModel{PortModel::all};
  return {check("two_combs_costs", pipeline("two_combs", {8, 8}, 16), comb_costs),
          check("two_trees_costs",
                {.dims = {16, 16}, .algorithm = "two_trees", .parameters = {{"segments", std::int64_t{16}}}},
                tree_costs),
          check("edge_disjoint_trees_costs", all_ports, all_port_costs),
          check("best_number_of_segments", pipeline("two_combs", {8, 8}, 16), best_segments)};
}

} // namespace wormcast::ours
