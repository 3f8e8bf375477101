#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/all_port.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/holdings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <set>

namespace wormcast::zhuang_liberatore {

namespace {

/// How the paper divides a square or cube of side 2^n: into parts whose side is a 1/ways of the whole.
struct Division {
  std::string name;
  std::size_t dimensions = 2;
  std::int64_t ways = 2;
  std::int64_t parts = 4; ///< p, as the paper counts them
};

const std::vector<Division>& divisions()
{
  static const std::vector<Division> all = {
      {.name = "2-D, one port", .dimensions = 2, .ways = 2, .parts = 4},
      {.name = "3-D, one port", .dimensions = 3, .ways = 2, .parts = 8},
      {.name = "2-D, all ports", .dimensions = 2, .ways = 4, .parts = 16},
  };
  return all;
}

/// A number for each place of a square or cube of that side.
NodeOfPlace numbered_places(std::int64_t side)
{
  return [side](std::span<const std::int64_t> place) {
    std::int64_t number = 0;
    for (const std::int64_t coordinate : place) {
      number = number * side + coordinate;
    }
    return NodeId{static_cast<std::uint32_t>(number)};
  };
}

/// All nodes of a part.
std::set<NodeId> nodes_of_part(const GridPart& part, const NodeOfPlace& node_of)
{
  std::set<NodeId> nodes;
  for (const GridPart& node : parts_of_side(std::vector<std::int64_t>(part.origin.size(), part.side), 1)) {
    std::vector<std::int64_t> place = part.origin;
    for (std::size_t dimension = 0; dimension < place.size(); ++dimension) {
      place[dimension] += node.origin[dimension];
    }
    nodes.insert(node_of(place));
  }
  return nodes;
}

// Conditions 1 to 3: the parts cover the graph, have no node in common and, as translated squares or cubes, the same
// shape.
Observation parts_divide_the_graph(const Division& division, int n)
{
  const std::int64_t side = std::int64_t{1} << n;
  const std::vector<GridPart> parts = parts_of_side(square(n, division.dimensions), side / division.ways);
  std::set<NodeId> covered;
  std::size_t in_parts = 0;
  for (const GridPart& part : parts) {
    const std::set<NodeId> nodes = nodes_of_part(part, numbered_places(side));
    in_parts += nodes.size();
    covered.insert(nodes.begin(), nodes.end());
  }
  const std::size_t all = std::size_t{1} << (static_cast<std::size_t>(n) * division.dimensions);
  const auto claimed = static_cast<std::size_t>(as_claimed(division.parts));
  return {.what = fmt::format("conditions 1 to 3, {}, side {}", division.name, side),
          .expected = fmt::format("{} equal parts with {} nodes, each in one", claimed, all),
          .found = fmt::format("{} parts with {} nodes, {} different ones", parts.size(), in_parts, covered.size()),
          .holds = parts.size() == claimed && in_parts == all && covered.size() == all};
}

// Condition 4: how many times as many nodes H has as each H_i.
Observation size_of_diagonals(const Division& division, int n, std::int64_t claimed)
{
  const std::int64_t side = std::int64_t{1} << n;
  const std::vector<Mirrored> diagonals = all_diagonals(division.dimensions);
  const NodeOfPlace node_of = numbered_places(side);
  const GridPart whole_graph{.origin = std::vector<std::int64_t>(division.dimensions), .side = side};
  const std::size_t of_whole = nodes_on_diagonals(whole_graph, diagonals, node_of).size();
  std::set<std::size_t> of_parts;
  for (const GridPart& part : parts_of_side(square(n, division.dimensions), side / division.ways)) {
    of_parts.insert(nodes_on_diagonals(part, diagonals, node_of).size());
  }
  return {.what = fmt::format("condition 4, {}, side {}", division.name, side),
          .expected = fmt::format("H_i with 1/{} of the nodes of H", claimed),
          .found = fmt::format("{} of {} nodes", fmt::join(of_parts, ", "), of_whole),
          .holds = of_parts.size() == 1 && static_cast<std::size_t>(claimed) * *of_parts.begin() == of_whole};
}

Evidence conditions(const std::function<std::int64_t(const Division&)>& ratio_of_diagonals)
{
  std::vector<Observation> observations;
  for (const Division& division : divisions()) {
    for (int n = division.ways == 2 ? 2 : 3; n <= (division.dimensions == 2 ? 6 : 4); ++n) {
      observations.push_back(parts_divide_the_graph(division, n));
      observations.push_back(size_of_diagonals(division, n, ratio_of_diagonals(division)));
    }
  }
  return all_hold("the divisions of sections 4.1, 7.1 and 8.1, "
                  "parts of more than one node, 2-D up to n = 6, 3-D up to n = 4",
                  observations, 30);
}

Evidence conditions_on_subgraphs()
{
  return misprinted(conditions([](const Division& division) { return as_stated(division.parts, division.ways); }),
                    "conditions 1 to 3 hold, but each H_i has 1/2 of the nodes of H (with 16 parts 1/4), as its "
                    "diagonals are 1/2 (1/4) as long",
                    conditions([](const Division& division) { return division.ways; }));
}

BroadcastCase one_port_recursion(const std::string& kind, int n, std::size_t dimensions)
{
  return {.kind = kind, .dims = square(n, dimensions), .algorithm = "recursion_based"};
}

/// The frame of section 5, in which every source is at the origin.
NodeOfPlace seen_from_source(const BroadcastCase& broadcast, const Topology& topology)
{
  const std::vector<std::int64_t> source =
      broadcast.source.empty() ? std::vector<std::int64_t>(broadcast.dims.size()) : broadcast.source;
  return [&topology, source](std::span<const std::int64_t> place) {
    std::vector<std::int64_t> node(place.begin(), place.end());
    for (std::size_t dimension = 0; dimension < node.size(); ++dimension) {
      node[dimension] ^= source[dimension];
    }
    return topology.node_at(node);
  };
}

/// The diagonals that stage 1 fills: one of a square's two, two of a cube's four.
std::vector<Mirrored> filled_diagonals(std::size_t dimensions)
{
  return dimensions == 2 ? std::vector<Mirrored>{0} : std::vector<Mirrored>{0, mirrored_y};
}

std::optional<std::uint32_t> run_scatter(Holdings& holdings, const BroadcastCase& broadcast, const NodeOfPlace& node_of)
{
  const GridPart whole_graph{.origin = std::vector<std::int64_t>(broadcast.dims.size()), .side = broadcast.dims[0]};
  const std::vector<NodeId> nodes = nodes_on_diagonals(whole_graph, filled_diagonals(broadcast.dims.size()), node_of);
  return holdings.run_until([&] { return have_equal_parts(holdings, nodes); });
}

/// Squares up to n = 6 and cubes up to n = 4 from every source of up to 64 nodes, above from 8.
std::vector<BroadcastCase> squares_and_cubes()
{
  std::vector<BroadcastCase> cases;
  for (const std::size_t dimensions : {2U, 3U}) {
    for (int n = 1; n <= (dimensions == 2 ? 6 : 4); ++n) {
      const BroadcastCase broadcast = one_port_recursion("mesh", n, dimensions);
      const bool is_small = topology_of(broadcast)->node_count() <= 64;
      std::ranges::move(from_some_sources(broadcast, is_small ? 64 : 8), std::back_inserter(cases));
    }
  }
  return cases;
}

std::string squares_and_cubes_text()
{
  return "squares n = 1..6, cubes n = 1..4, every source up to 64 nodes, " + of_some_sources(8) + " above";
}

// Number of nodes of H as a power of two, for all diagonals or for those alone that stage 1 fills.
Evidence stage_1_takes_log_h(bool filled_alone)
{
  std::vector<Observation> observations;
  for (const BroadcastCase& one : squares_and_cubes()) {
    const auto topology = topology_of(one);
    const Schedule schedule = schedule_of(one, *topology);
    Holdings holdings(schedule, topology->node_count());
    const std::size_t dimensions = one.dims.size();
    const std::size_t diagonals = (filled_alone ? filled_diagonals(dimensions) : all_diagonals(dimensions)).size();
    const std::int64_t claimed = as_claimed(std::int64_t{exponent(one)} + std::countr_zero(diagonals));
    const std::optional<std::uint32_t> found = run_scatter(holdings, one, seen_from_source(one, *topology));
    observations.push_back({.what = title(one),
                            .expected = fmt::format("{} steps", claimed),
                            .found = found ? fmt::format("{} steps", *found) : "no end of stage 1",
                            .holds = found && *found == claimed});
  }
  return all_hold(squares_and_cubes_text(), observations, 12);
}

Evidence steps_of_stage_1()
{
  return by_reading({{"H is all diagonals (sections 4.1, 7.1)", stage_1_takes_log_h(false)},
                     {"H is the diagonals that stage 1 fills, one of two or two of four", stage_1_takes_log_h(true)}});
}

Observation logarithmic_steps(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  const ScheduleCosts costs = schedule_costs(*topology, schedule_of(broadcast, *topology));
  const int log_h = exponent(broadcast) + std::countr_zero(all_diagonals(broadcast.dims.size()).size());
  const int log_g = std::countr_zero(topology->node_count());
  const auto steps = static_cast<std::uint64_t>(as_upper_bound(std::int64_t{log_h} + log_g));
  const Fraction bytes = as_upper_bound(Fraction(5, 2), Fraction(1, costs.beta.denominator()));
  return {.what = title(broadcast),
          .expected = fmt::format("alpha at most {} + {}, beta less than {}", log_h, log_g, format_fraction(bytes)),
          .found = fmt::format("alpha {}, beta {}", costs.alpha, format_fraction(costs.beta)),
          .holds = costs.alpha <= steps && costs.beta < bytes};
}

Evidence general_costs()
{
  std::vector<Observation> observations;
  for (const BroadcastCase& one : squares_and_cubes()) {
    observations.push_back(logarithmic_steps(one));
  }
  for (int n = 1; n <= 6; ++n) {
    for (const std::string kind : {"mesh", "torus"}) {
      observations.push_back(logarithmic_steps(all_port(kind, n, "recursion_based")));
    }
  }
  Evidence evidence = all_hold("alpha <= log2 #H + log2 #G and beta < 5/2: " + squares_and_cubes_text() +
                                   "; all ports (our schedules), squares n = 1..6 from the corner",
                               observations, 24);
  evidence.correction = "the rows of squares of section 6 are outside: "
                        "a division into two takes 2^(k-1) steps there, not O(1)";
  return evidence;
}

/// Steps of each round: until the diagonals of all parts have the whole message. Too few numbers where they never do.
std::vector<std::uint32_t> steps_of_one_port_rounds(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  const Schedule schedule = schedule_of(broadcast, *topology);
  const NodeOfPlace node_of = seen_from_source(broadcast, *topology);
  const std::vector<Mirrored> diagonals = all_diagonals(broadcast.dims.size());
  Holdings holdings(schedule, topology->node_count());
  std::optional<std::uint32_t> before = run_scatter(holdings, broadcast, node_of);
  std::vector<std::uint32_t> steps;
  for (std::int64_t side = broadcast.dims[0] / 2; side >= 1 && before; side /= 2) {
    const std::vector<GridPart> parts = parts_of_side(broadcast.dims, side);
    const std::optional<std::uint32_t> after = holdings.run_until([&] {
      return std::ranges::all_of(parts, [&](const GridPart& part) {
        return have_everything(holdings, nodes_on_diagonals(part, diagonals, node_of));
      });
    });
    if (after) {
      steps.push_back(*after - *before);
    }
    before = after;
  }
  return steps;
}

Evidence rounds_of_the_cube()
{
  std::vector<BroadcastCase> cases;
  for (int n = 1; n <= 4; ++n) {
    for (const std::string kind : {"mesh", "torus"}) {
      std::ranges::move(from_some_sources(one_port_recursion(kind, n, 3), 16), std::back_inserter(cases));
    }
  }
  std::vector<Observation> observations;
  for (const BroadcastCase& one : cases) {
    const CheckReport report = check(one);
    const std::vector<std::uint32_t> found = steps_of_one_port_rounds(one);
    const auto three = static_cast<std::uint32_t>(as_claimed(std::int64_t{3}));
    const std::vector<std::uint32_t> expected(static_cast<std::size_t>(exponent(one)), three);
    observations.push_back(
        {.what = title(one),
         .expected = fmt::format("rounds of {} steps, 0 contended pairs", fmt::join(expected, ", ")),
         .found = fmt::format("rounds of {} steps, {} contended pairs", fmt::join(found, ", "), report.contended_pairs),
         .holds = report.valid() && report.contention_free && found == expected});
  }
  return all_hold("from stage 1 on, the steps until the four main diagonals of all 8, 64, ... cubes have the whole "
                  "message, mesh and torus, n = 1..4, " +
                      of_some_sources(16) + " each",
                  observations, 12);
}

} // namespace

std::vector<Check> recursion_checks()
{
  const std::string square_config = config_text(one_port_recursion("mesh", 3, 2));
  return {{.name = "conditions_on_subgraphs", .measurement = measured_at_once(conditions_on_subgraphs)},
          {.name = "steps_of_stage_1",
           .demonstration = {square_config, "wormcast schedule CONFIG"},
           .measurement = measured_at_once(steps_of_stage_1)},
          {.name = "general_costs",
           .demonstration = {square_config, "wormcast check CONFIG --contention-free"},
           .measurement = measured_at_once(general_costs)},
          {.name = "rb_3d_rounds_of_three_steps",
           .demonstration = {config_text(one_port_recursion("mesh", 2, 3)), "wormcast check CONFIG --contention-free"},
           .measurement = measured_at_once(rounds_of_the_cube)}};
}

} // namespace wormcast::zhuang_liberatore
