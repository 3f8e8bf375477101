#include "wormcast/algorithms/petersen/torus_all_to_all.hpp"
#include "wormcast/algorithms/petersen/torus_conditions.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <set>

namespace wormcast::kim {

namespace {

bool is_one_of(int p, std::initializer_list<int> nodes)
{
  return std::ranges::find(nodes, p) != nodes.end();
}

// Condition 1 (1), SLA: p0 > p1 > 0 or 5 (hub) > 5 or 0. Without p0 > p1 the node p0 itself sends to the hub.
ModuleSteps sla_source_steps(int p0, int p1, int hub, bool repaired)
{
  const bool near_hub = is_one_of(p0, {1, 4, 6, 9});
  const bool at_hub = repaired ? is_one_of(p0, {0, 5}) : is_one_of(p1, {0, 5});
  ModuleSteps steps;
  if (!near_hub && !(repaired && at_hub)) {
    steps.push_back({{p0, p1}});
  }
  if (!at_hub) {
    steps.push_back({{near_hub ? p0 : p1, hub}});
  }
  steps.push_back({{hub, 5 - hub}});
  return steps;
}

// One of MLA's two chains p0 > middle > hub, one send a step.
std::vector<ModuleSend> mla_chain(int p0, int middle, int hub, bool without_first, bool without_second)
{
  if (without_first) {
    return {{p0, hub}};
  }
  return without_second ? std::vector<ModuleSend>{{p0, middle}} : std::vector<ModuleSend>{{p0, middle}, {middle, hub}};
}

// Condition 1 (1), MLA: p0 > p1 > 0 and p0 > p2 > 5. Printed: p0 > p1 is left out for all of 1, 4, 6 and 9.
ModuleSteps mla_source_steps(int p0, int p1, int p2, bool repaired)
{
  if (repaired && is_one_of(p0, {0, 5})) {
    return {{{p0, 5 - p0}}};
  }
  const bool without_p1 = repaired ? is_one_of(p0, {1, 4}) : is_one_of(p0, {1, 4, 6, 9});
  const bool without_p2 = repaired && is_one_of(p0, {6, 9});
  const bool stops_at_p1 = !repaired && is_one_of(p1, {0, 5});
  ModuleSteps steps(2);
  for (const std::vector<ModuleSend>& sends :
       {mla_chain(p0, p1, 0, without_p1, stops_at_p1), mla_chain(p0, p2, 5, without_p2, false)}) {
    for (std::size_t step = 0; step < sends.size(); ++step) {
      if (std::ranges::find(steps[step], sends[step]) == steps[step].end()) {
        steps[step].push_back(sends[step]);
      }
    }
  }
  return steps;
}

// Whether the sends bring the message from p0 to 0 and 5 over edges of the module, never to who has it.
bool reaches_hubs(const ModuleSteps& steps, int p0)
{
  std::set<int> known = {p0};
  for (const ModuleStep& step : steps) {
    const std::set<int> before = known;
    for (const ModuleSend send : step) {
      const bool is_edge =
          std::ranges::find(petersen_neighbours(send.from), send.to) != petersen_neighbours(send.from).end();
      if (!is_edge || !before.contains(send.from) || !known.insert(send.to).second) {
        return false;
      }
    }
  }
  return known.contains(0) && known.contains(5);
}

// The fewest steps of condition 1 (1) for any choice that the text leaves.
std::optional<std::int64_t> source_module_time(int p0, PortModel ports, bool repaired)
{
  std::optional<std::int64_t> fewest;
  for (int p1 = 0; p1 < 10; ++p1) {
    for (int choice = 0; choice < 10; ++choice) {
      if (ports == sla && choice % 5 != 0) {
        continue;
      }
      const ModuleSteps steps =
          ports == sla ? sla_source_steps(p0, p1, choice, repaired) : mla_source_steps(p0, p1, choice, repaired);
      if (reaches_hubs(steps, p0)) {
        const auto sending = std::ranges::count_if(steps, [](const ModuleStep& step) { return !step.empty(); });
        fewest = std::min(fewest.value_or(sending), std::int64_t{sending});
      }
    }
  }
  return fewest;
}

// The proofs of theorems 4 and 5 give it 3 steps (SLA) or 2 (MLA).
Evidence condition_1_exceptions(PortModel ports, bool repaired)
{
  const std::int64_t most = ports == sla ? 3 : 2;
  std::vector<Observation> observations;
  for (int p0 = 0; p0 < 10; ++p0) {
    const std::optional<std::int64_t> time = source_module_time(p0, ports, repaired);
    observations.push_back({.what = fmt::format("p0 = {}, {}", p0, model_name(ports)),
                            .expected = fmt::format("0 and 5 get the message in at most {} steps, no node twice", most),
                            .found = time ? fmt::format("{} steps", *time) : "no choice of p1 and p2 does it",
                            .holds = time && *time <= most});
  }
  return all_hold("every p0, with any nodes for p1 and p2", observations);
}

// Kinds of edges by their numbers in definition 2: longitudinal, latitudinal, diagonal, reverse-diagonal, dimensional.
int definition_2_number(int p)
{
  return is_one_of(p, {6, 9}) ? 1 : is_one_of(p, {1, 4}) ? 2 : is_one_of(p, {2, 3}) ? 3 : is_one_of(p, {7, 8}) ? 4 : 5;
}

std::string kinds_text(const std::vector<std::int64_t>& numbers)
{
  constexpr std::array names = {"longitudinal", "latitudinal", "diagonal", "reverse-diagonal", "dimensional"};
  std::vector<std::string> texts;
  for (const std::int64_t number : numbers) {
    texts.emplace_back(number >= 1 && number <= 5 ? names.at(static_cast<std::size_t>(number - 1)) : "none");
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

Observation same_kinds(const std::string& what, const std::vector<std::int64_t>& claimed,
                       const std::vector<std::int64_t>& found)
{
  return {.what = what, .expected = kinds_text(claimed), .found = kinds_text(found), .holds = claimed == found};
}

// (x): over which edges a module M_s forwards, the last step of condition 3.
Evidence forwarding_modules(bool repaired)
{
  std::vector<Observation> observations;
  for (const int entry : {2, 3, 7, 8}) {
    const bool diagonal = definition_2_number(entry) == 3;
    std::set<std::int64_t> found;
    const ModuleSteps steps = diagonal_module_steps(entry, false);
    for (const ModuleSend send : steps.back()) {
      found.insert(definition_2_number(send.from));
    }
    observations.push_back(
        same_kinds(fmt::format("entered at {} over a {} edge", entry, diagonal ? "diagonal" : "reverse-diagonal"),
                   diagonal || !repaired ? std::vector<std::int64_t>{1, 2, 4} : std::vector<std::int64_t>{1, 2, 3},
                   {found.begin(), found.end()}));
  }
  return all_hold("the last step of condition 3, from the printed one for LU-edges and the network's symmetries",
                  observations);
}

// The kinds of external edges in the order in which the sends use them.
std::vector<std::int64_t> kinds_in_order(const ModuleSteps& steps)
{
  std::vector<std::int64_t> kinds;
  for (const ModuleStep& step : steps) {
    for (const ModuleSend send : step) {
      const std::int64_t kind = definition_2_number(send.from);
      if (send.to == ModuleSend::external && (kinds.empty() || kinds.back() != kind)) {
        kinds.push_back(kind);
      }
    }
  }
  return kinds;
}

// The names of the external edges of Steps 2 to 4 where the times are counted.
Evidence edges_of_steps(bool repaired)
{
  const std::vector<std::int64_t> right = {2, 1, 5};
  const auto observe = [&](const std::string& what, const ModuleSteps& steps,
                           const std::vector<std::int64_t>& printed) {
    return same_kinds(what, repaired ? right : printed, kinds_in_order(steps));
  };
  return all_hold(
      "external edges of steps 2, 3 and 4",
      {observe("algorithm 4", petersen_torus_algorithm_4({3, 3, 3}, AllToAllVariant::literal), {1, 2, 5}),
       observe("algorithm 5, odd sizes", petersen_torus_algorithm_5({3, 3, 3}, AllToAllVariant::literal), {1, 2, 5}),
       observe("algorithm 5, even sizes", petersen_torus_algorithm_5({4, 4, 4}, AllToAllVariant::literal), {1, 1, 1})});
}

// (xi) and (xii): what becomes of the coordinates -1 and size.
std::int64_t wrapped(std::int64_t coordinate, std::int64_t size, bool at_the_top)
{
  if (coordinate == -1) {
    return size - 1;
  }
  return coordinate == size && at_the_top ? 0 : coordinate;
}

Evidence wrap_rules(bool repaired)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(5)) {
    const auto torus = make_torus(size);
    std::uint64_t outside = 0;
    for (std::uint32_t node = 0; node < torus->node_count(); ++node) {
      PetersenTorusNode to = external_partner(petersen_torus_node(size, NodeId{node}));
      to = {wrapped(to.z, size.l, true), wrapped(to.x, size.m, repaired), wrapped(to.y, size.n, true), to.p};
      outside += to.z >= size.l || to.x >= size.m || to.y >= size.n;
    }
    observations.push_back({.what = text(size),
                            .expected = "every external edge ends at a node",
                            .found = fmt::format("{} end outside of the network", outside),
                            .holds = outside == 0});
  }
  return all_hold("l, m, n = 2..5, both ends of all external edges", observations);
}

// Of theorem 5, cases 2 and 3: the destination module's time.
Evidence destination_time(PortModel ports)
{
  const auto petersen = petersen_graph();
  std::vector<Observation> observations;
  for (int p = 0; p < 10; ++p) {
    observations.push_back(takes_steps(fmt::format("from {}, {}", p, model_name(ports)), *petersen,
                                       petersen_schedule(*petersen, "petersen_broadcast", ports, "", p), 2));
  }
  return all_hold("every source in the destination module", observations);
}

// Section 3 divides the networks into two cases, of which it works out the first.
Evidence two_cases(bool repaired)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(6)) {
    const std::int64_t cases = (size.m >= size.n ? 1 : 0) + ((repaired ? size.m < size.n : size.n < size.m) ? 1 : 0);
    observations.push_back({.what = text(size),
                            .expected = "in 1 of the two cases",
                            .found = fmt::format("in {}", cases),
                            .holds = cases == 1});
  }
  return all_hold("l, m, n = 2..6", observations);
}

} // namespace

std::vector<Check> erratum_checks()
{
  return {check_of("two_cases", checked(algorithm_1({2, 2, 3}, 2, sla)),
                   [] { return misprinted(two_cases(as_stated(false, true)), "m >= n and m < n", two_cases(true)); }),
          check_of("wrap_rules", checked(algorithm_1({2, 2, 2}, 2, sla)),
                   [] {
                     return misprinted(wrap_rules(as_stated(false, true)), "and at x = m - 1, where x + 1 = 0",
                                       wrap_rules(true));
                   }),
          check_of("forwarding_modules", checked(algorithm_1({2, 6, 6}, 2, sla)),
                   [] {
                     return misprinted(forwarding_modules(as_stated(false, true)),
                                       "those entered over a reverse-diagonal edge forward over diagonal ones instead",
                                       forwarding_modules(true));
                   }),
          check_of("condition_1_exceptions", checked(algorithm_1({2, 2, 2}, 0, sla)),
                   [] {
                     return misprinted(condition_1_exceptions(sla, as_stated(false, true)),
                                       "if p0, not p1, is 0 or 5, it sends to the other of both alone",
                                       condition_1_exceptions(sla, true));
                   }),
          check_of("condition_1_exceptions_mla", checked(algorithm_1({2, 2, 2}, 6, mla)),
                   [] {
                     return misprinted(
                         condition_1_exceptions(mla, as_stated(false, true)),
                         "for p0 = 6 and 9 it is p0 to p2 that has to be left out, and p0 = 0 and 5 send to each other "
                         "alone; from 1, 4, 6 and 9 the nodes 0 and 5 are reached one after the other",
                         condition_1_exceptions(mla, true));
                   }),
          check_of("theorem_5_destination", {petersen_config("petersen_broadcast", mla, ""), "wormcast check CONFIG"},
                   [] {
                     return misprinted(destination_time(as_stated(sla, mla)), "under the MLA model, as case 1 says",
                                       destination_time(mla));
                   }),
          check_of("edges_of_steps", checked(all_to_all({2, 2, 2}, mla, "literal")), [] {
            return misprinted(edges_of_steps(as_stated(false, true)),
                              "latitudinal, longitudinal and dimensional edges, as the steps say themselves",
                              edges_of_steps(true));
          })};
}

} // namespace wormcast::kim
