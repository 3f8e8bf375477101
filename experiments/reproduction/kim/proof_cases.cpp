// The cases of the proofs of theorems 4 and 5: what they add up, against the schedules of algorithm 1.

#include "wormcast/algorithms/petersen/broadcast.hpp"
#include "wormcast/algorithms/petersen/torus_broadcast.hpp"
#include "wormcast/algorithms/petersen/torus_conditions.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/checks.hpp"
#include "wormcast/experiments/reproduction/kim/plane_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

namespace wormcast::kim {

namespace {

// The constants of the sums in cases 1 to 3, for odd l.
std::array<std::int64_t, 3> case_constants(PortModel ports)
{
  return ports == sla ? std::array<std::int64_t, 3>{9, 12, 15} : std::array<std::int64_t, 3>{5, 6, 7};
}

// The printed time of a case.
std::int64_t case_time(const PetersenTorusSize& size, PortModel ports, std::int64_t number)
{
  const std::int64_t constant = case_constants(ports).at(static_cast<std::size_t>(number - 1));
  return 2 * (size.l / 2) + 2 * (size.m / 2) + constant - (size.l % 2 == 0 ? 1 : 0);
}

// The planes whose modules are looked at, by number of modules; the planes of a network are alike.
std::vector<PetersenTorusSize> planes_of_cases()
{
  std::vector<PetersenTorusSize> planes;
  for (std::int64_t m = 2; m <= 12; ++m) {
    for (std::int64_t n = 2; n <= m; ++n) {
      planes.push_back({1, m, n});
    }
  }
  std::ranges::stable_sort(planes, {}, &PetersenTorusSize::nodes);
  return planes;
}

// Kinds of edges within a plane, as the proofs have them, by the node that sends.
std::string kind_of_edge(std::uint32_t from)
{
  constexpr std::array names = {"", "latitudinal",  "RU", "LD", "latitudinal",
                                "", "longitudinal", "LU", "RD", "longitudinal"};
  return names.at(from);
}

// How the message comes to a module of the plane, and when its last node has it.
struct ModuleWay {
  std::set<std::string> kinds;
  std::uint32_t complete = 0;
};

/// From the first send that each node gets, the ways of the modules.
class Ways {
public:
  Ways(const PetersenTorusSize& plane, const SendSteps& steps) : first_(static_cast<std::size_t>(plane.nodes()))
  {
    for (std::uint32_t step = 0; step < steps.size(); ++step) {
      for (const NodeSend send : steps[step]) {
        Arrival& arrival = first_[index(send.to)];
        if (step + 1 < arrival.step) {
          arrival = {step + 1, index(send.from)};
        }
      }
    }
  }

  ModuleWay of(std::uint32_t module) const
  {
    ModuleWay way;
    for (std::uint32_t node = 10 * module; node < 10 * module + 10; ++node) {
      way.complete = std::max(way.complete, first_[node].step);
    }
    while (module != 0) {
      const std::uint32_t from = entry(module).from;
      way.kinds.insert(kind_of_edge(from % 10));
      module = from / 10;
    }
    return way;
  }

private:
  struct Arrival {
    std::uint32_t step = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t from = 0;
  };

  // Of the nodes that are reached first the one that the module belongs to.
  const Arrival& entry(std::uint32_t module) const
  {
    constexpr std::array<std::uint32_t, 10> order = {8, 7, 2, 3, 1, 4, 6, 9, 0, 5};
    const Arrival* earliest = &first_[10 * module + order.front()];
    for (const std::uint32_t p : order) {
      const Arrival& arrival = first_[10 * module + p];
      earliest = arrival.step < earliest->step ? &arrival : earliest;
    }
    return *earliest;
  }

  std::vector<Arrival> first_; // by node
};

// By module: the fewest kinds of edges of a way with at most floor(m/2) external sends, over diagonal and
// reverse-diagonal edges and at the end over one other; 0 where there is none.
std::vector<std::size_t> fewest_kinds(const PetersenTorusSize& plane)
{
  const std::int64_t most = plane.m / 2;
  std::vector<std::size_t> fewest(static_cast<std::size_t>(plane.m * plane.n), 0);
  const auto add = [&](std::int64_t x, std::int64_t y, std::size_t kinds) {
    std::size_t& found = fewest[index(petersen_torus_id(plane, {0, x, y, 0})) / 10];
    found = found == 0 ? kinds : std::min(found, kinds);
  };
  for (std::int64_t lu = 0; lu <= most; ++lu) {
    for (std::int64_t ru = 0; lu + ru <= most; ++ru) {
      for (std::int64_t ld = 0; lu + ru + ld <= most; ++ld) {
        for (std::int64_t rd = 0; lu + ru + ld + rd <= most; ++rd) {
          const std::int64_t x = ru + rd - lu - ld;
          const std::int64_t y = lu + ru - ld - rd;
          const std::size_t kinds = (lu > 0 ? 1U : 0U) + (ru > 0 ? 1U : 0U) + (ld > 0 ? 1U : 0U) + (rd > 0 ? 1U : 0U);
          add(x, y, kinds);
          for (const std::int64_t one : {-1, 1}) {
            if (lu + ru + ld + rd < most) {
              add(x + one, y, kinds + 1);
              add(x, y + one, kinds + 1);
            }
          }
        }
      }
    }
  }
  return fewest;
}

// Steps before the step in which `from` sends over its external edge; none: of all of them.
std::int64_t steps_before_external(const ModuleSteps& steps, int from)
{
  const ModuleSend wanted{from, ModuleSend::external};
  const auto found = std::ranges::find_if(
      steps, [&](const ModuleStep& step) { return std::ranges::find(step, wanted) != step.end(); });
  return found - steps.begin();
}

// What the proofs add up, counted in the sends of the conditions.
struct Parts {
  std::int64_t condition_1 = 0; // in the source module
  std::int64_t condition_2 = 0;
  std::int64_t straight_on = 0; // in a module on the way that goes on to w0
  std::int64_t turning = 0;     // in a module M_s
  std::int64_t destination = 0;
};

Parts counted_parts(PortModel ports)
{
  const bool all = ports == mla;
  Parts parts;
  for (int p = 0; p < 10; ++p) {
    parts.condition_1 = std::max(parts.condition_1, static_cast<std::int64_t>(source_module_steps(p, all).size()));
    parts.destination = std::max(parts.destination, static_cast<std::int64_t>(petersen_broadcast_steps(p, all).size()));
  }
  parts.condition_2 = static_cast<std::int64_t>(module_fill_steps(all).size());
  parts.straight_on = steps_before_external(diagonal_module_steps(8, all), 7);
  parts.turning = steps_before_external(diagonal_module_steps(8, all), 4);
  return parts;
}

std::vector<Observation> parts_of_cases(PortModel ports)
{
  const auto part = [](const std::string& what, std::int64_t printed, std::int64_t found) {
    return same_texts(what, fmt::format("{} steps", as_claimed(printed)), fmt::format("{} steps", found));
  };
  const bool all = ports == mla;
  const Parts counted = counted_parts(ports);
  std::vector<Observation> parts = {part("condition 1 in the source module", all ? 2 : 3, counted.condition_1),
                                    part("condition 2", all ? 2 : 3, counted.condition_2),
                                    part("module on the way straight on, 8>7", 1, counted.straight_on),
                                    part("module M_s", all ? 2 : 4, counted.turning),
                                    part("destination module", all ? 2 : 4, counted.destination)};
  for (std::int64_t l = 2; l <= 12; ++l) {
    parts.push_back(part(fmt::format("planes, l = {}", l), l % 2 == 1 ? 2 * (l / 2) : l - 1,
                         static_cast<std::int64_t>(plane_chain_steps(l).size())));
  }
  return parts;
}

// With k kinds of edges on the way: floor(m/2) external sends, with as many modules less k straight on and k - 1
// modules M_s.
std::int64_t sum_of_parts(std::int64_t l, std::int64_t m, PortModel ports, std::int64_t kinds)
{
  const Parts parts = counted_parts(ports);
  const auto planes = static_cast<std::int64_t>(plane_chain_steps(l).size());
  return parts.condition_1 + planes + parts.condition_2 + m / 2 + (m / 2 - kinds) * parts.straight_on +
         (kinds - 1) * parts.turning + parts.destination;
}

Observation sum_of_case(std::int64_t l, std::int64_t m, PortModel ports, std::int64_t number, std::int64_t kinds)
{
  const std::int64_t sum = sum_of_parts(l, m, ports, kinds);
  const std::int64_t printed = as_claimed(case_time({l, m, 2}, ports, number));
  return same_texts(
      fmt::format("case {} with {} kinds of edges, l = {}, m = {}, {}", number, kinds, l, m, model_name(ports)),
      fmt::to_string(printed), fmt::to_string(sum));
}

// Case 3 "assumes that the two edges used are LU-edge, LD-edge, and latitudinal edges".
Evidence kinds_in_case_3(std::int64_t kinds)
{
  std::vector<Observation> observations;
  for (const PortModel ports : {sla, mla}) {
    for (const std::int64_t l : {2, 3, 4, 5}) {
      for (std::int64_t m = 6; m <= 24; ++m) {
        observations.push_back(sum_of_case(l, m, ports, 3, kinds));
      }
    }
  }
  return all_hold("the case's time against the sum of the parts, l = 2..5, m = 6..24, SLA and MLA", observations);
}

Evidence sums_of_cases(PortModel ports)
{
  std::vector<Observation> observations = parts_of_cases(ports);
  for (std::int64_t number = 1; number <= 3; ++number) {
    for (const std::int64_t l : {2, 3, 4, 5}) {
      for (std::int64_t m = 2 * number; m <= 24; ++m) {
        observations.push_back(sum_of_case(l, m, ports, number, number));
      }
    }
  }
  Evidence evidence = all_hold("the parts counted in the sends of the conditions, and their sums for l = 2..5 and "
                               "m = 2k..24 in case k",
                               observations);
  evidence.correction = "case 2 supposes floor(m/2) >= 2 and case 3 floor(m/2) >= 3: below, its part floor(m/2) - 2 or "
                        "floor(m/2) - 3 is negative";
  return evidence;
}

// How modules are assigned to the cases.
struct CaseReading {
  bool waits = true;      // step 5 as printed, or started at once, as the proofs have it
  bool ways_taken = true; // by the kinds of edges that the message comes over, or by the fewest of a short way
  bool all_in_case_3 = false;
};

// The last module of each case against the case's time, l = 2.
Evidence modules_of_cases(PortModel ports, const CaseReading& reading)
{
  const bool all_in_case_3 = as_stated(reading.all_in_case_3, true);
  const auto phases = petersen_torus_broadcast_phases(2, 2, ports == mla);
  const std::int64_t before = phases.source_module + phases.planes + phases.module_fill;
  std::vector<Observation> observations;
  for (const PetersenTorusSize& plane : planes_of_cases()) {
    const SendSteps steps =
        as_made(plane_steps(plane.m, plane.n, ports == mla, {.wait_for_adjacent = reading.waits}), plane.nodes());
    const Ways ways(plane, steps);
    const std::vector<std::size_t> fewest = fewest_kinds(plane);
    std::map<std::size_t, std::int64_t> last; // by case
    for (std::uint32_t module = 1; module < fewest.size(); ++module) {
      const ModuleWay way = ways.of(module);
      const std::size_t kinds = reading.ways_taken ? way.kinds.size() : fewest[module];
      std::int64_t& complete = last[all_in_case_3 || kinds == 0 ? 3 : std::min<std::size_t>(kinds, 3)];
      complete = std::max(complete, before + way.complete);
    }
    for (const auto& [number, time] : last) {
      const std::int64_t bound = case_time({2, plane.m, plane.n}, ports, static_cast<std::int64_t>(number));
      observations.push_back({.what = fmt::format("case {} in 3PT(2, {}, {})", number, plane.m, plane.n),
                              .expected = fmt::format("complete after at most {} steps", bound),
                              .found = fmt::format("after {}", time),
                              .holds = time <= bound});
    }
  }
  return all_hold("2 <= n <= m <= 12, l = 2, p = 2, the last module of each case", observations);
}

Evidence times_of_cases(PortModel ports)
{
  Evidence evidence = by_reading(
      {{"by the kinds of edges on the way that the message comes", modules_of_cases(ports, {})},
       {"the same, modules started at once instead of after the wait of step 5",
        modules_of_cases(ports, {.waits = false})},
       {"by the fewest kinds of edges of a way with at most floor(m/2) external sends, modules started at once",
        modules_of_cases(ports, {.waits = false, .ways_taken = false})}});
  return corrected(std::move(evidence), "the time of case 3, which is the theorem's, bounds the modules of all cases",
                   modules_of_cases(ports, {.all_in_case_3 = true}));
}

} // namespace

std::vector<Check> proof_case_checks()
{
  std::vector<Check> checks;
  for (const PortModel ports : {sla, mla}) {
    const std::string theorem = ports == sla ? "theorem_4" : "theorem_5";
    const Demonstration shown = checked(algorithm_1({2, 6, 6}, 2, ports));
    checks.push_back(check_of(theorem + "_cases", shown, [ports] { return sums_of_cases(ports); }));
    checks.push_back(check_of(theorem + "_times_of_cases", shown, [ports] { return times_of_cases(ports); }));
  }
  checks.push_back(check_of("theorem_4_case_3", checked(algorithm_1({2, 6, 6}, 2, sla)), [] {
    return misprinted(kinds_in_case_3(as_stated(2, 3)),
                      "three kinds of edges, as many as are listed; the proofs go on with longitudinal "
                      "instead of latitudinal edges, in case 2, too",
                      kinds_in_case_3(3));
  }));
  return checks;
}

} // namespace wormcast::kim
