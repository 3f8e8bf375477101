#include "wormcast/experiments/reproduction/kim/all_to_all.hpp"

#include "wormcast/algorithms/petersen/torus_all_to_all.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace wormcast::kim {

namespace {

Evidence literal_steps(PortModel ports)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_to_all_sizes()) {
    const auto torus = make_torus(size);
    const CheckReport report =
        check_schedule(*torus, schedule_of(all_to_all(size, ports, "literal"), *torus), {.max_violations = 1});
    observations.push_back(
        {.what = text(size),
         .expected = fmt::format("ports and possession kept, {} steps", all_to_all_theorem(size, ports)),
         .found = fmt::format("ports and possession {}, {} steps",
                              report.ports && report.possession ? "kept" : "not kept", report.costs.alpha),
         .holds = report.ports && report.possession &&
                  static_cast<std::int64_t>(report.costs.alpha) == all_to_all_theorem(size, ports)});
  }
  return all_hold(fmt::format("{}, every parity; completeness is another claim", all_to_all_sizes_text), observations);
}

// Steps before the first send of this kind and from it to the first of the next: lengths of Algorithm 4's steps.
Evidence algorithm_4_phases()
{
  const auto first = [](const ModuleSteps& steps, int from) {
    const ModuleSend wanted{from, ModuleSend::external};
    const auto found = std::ranges::find_if(
        steps, [&](const ModuleStep& step) { return std::ranges::find(step, wanted) != step.end(); });
    return static_cast<std::int64_t>(found - steps.begin());
  };
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(8)) {
    const ModuleSteps steps = petersen_torus_algorithm_4(size, AllToAllVariant::literal);
    const std::int64_t end = static_cast<std::int64_t>(steps.size()) - 6;
    const std::vector<std::int64_t> found = {first(steps, 1), first(steps, 6) - first(steps, 1),
                                             first(steps, 5) - first(steps, 6), end - first(steps, 5)};
    const std::vector<std::int64_t> claimed = {6, 3 * size.m - 3, 3 * size.n - 4, 2 * size.l - 3};
    observations.push_back({.what = text(size),
                            .expected = fmt::format("{} and 6", fmt::join(claimed, ", ")),
                            .found = fmt::format("{} and 6", fmt::join(found, ", ")),
                            .holds = found == claimed});
  }
  return all_hold("l, m, n = 2..8", observations);
}

// Step 3 of Algorithm 5 for even n, as the proof counts it.
Evidence algorithm_5_step_3(std::int64_t fewer)
{
  std::vector<Observation> observations;
  for (std::int64_t n = 2; n <= 16; n += 2) {
    observations.push_back({.what = fmt::format("n = {}: {} internal and {} external", n, n - fewer, n / 2),
                            .expected = fmt::format("{} steps", 3 * n / 2 - 1),
                            .found = fmt::format("{} steps", n - fewer + n / 2),
                            .holds = n - fewer + n / 2 == 3 * n / 2 - 1});
  }
  return all_hold("n = 2, 4, .. 16", observations);
}

// Theorem 8 says SLA; the model for which its schedules are.
Evidence algorithm_5_model(PortModel ports)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_to_all_sizes()) {
    const auto torus = make_torus(size);
    Schedule schedule = schedule_of(all_to_all(size, mla, "literal"), *torus);
    schedule.ports = ports;
    const CheckReport report = check_schedule(*torus, schedule, {.max_violations = 1});
    const auto violation = std::ranges::find(report.violations, ViolationKind::port, &Violation::kind);
    observations.push_back({.what = fmt::format("{}, {}", text(size), model_name(ports)),
                            .expected = "ports are kept",
                            .found = report.ports ? "kept" : violation->text,
                            .holds = report.ports});
    if (!report.ports && torus->node_count() <= 100) {
      observations.back().schedule = schedule_json(schedule);
    }
  }
  return all_hold(all_to_all_sizes_text, observations);
}

// Flooding against Algorithm 5's claimed time, and against the diameter.
Evidence flooding_steps(bool against_theorem)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_to_all_sizes()) {
    const auto torus = make_torus(size);
    const Schedule schedule = schedule_of(flooding(size), *torus);
    const CheckReport report = check_schedule(*torus, schedule, {.max_violations = 1});
    const auto steps = static_cast<std::int64_t>(report.costs.alpha);
    const std::int64_t wanted = against_theorem ? all_to_all_theorem(size, mla) : diameter(*torus);
    observations.push_back(
        {.what = fmt::format("flooding in {}", text(size)),
         .expected = fmt::format("{} {} steps", against_theorem ? "not valid, or at least" : "valid,", wanted),
         .found = fmt::format("{}, {} steps", report.valid() ? "valid" : "not valid", steps),
         .holds = against_theorem ? !report.valid() || steps >= wanted : report.valid() && steps == wanted});
    if (!observations.back().holds && torus->node_count() <= 100) {
      observations.back().schedule = schedule_json(schedule);
    }
  }
  return all_hold(all_to_all_sizes_text, observations);
}

} // namespace

std::vector<PetersenTorusSize> all_to_all_sizes()
{
  return all_sizes(5, 64);
}

std::int64_t all_to_all_theorem(const PetersenTorusSize& size, PortModel ports)
{
  return ports == sla ? 3 * size.m + 3 * size.n + 2 * size.l + 2
                      : 3 * (size.m / 2) + 3 * (size.n / 2) + 2 * (size.l / 2) + 4;
}

std::vector<Claim> all_to_all_claims()
{
  std::vector<Claim> claims;
  const auto literal = [](const PetersenTorusSize& size, PortModel ports) {
    return checked(all_to_all(size, ports, "literal"));
  };
  const auto add = [&](Claim one, bool is_slow = false) {
    one.reading = combining_reading;
    one.slow = is_slow;
    claims.push_back(std::move(one));
  };
  add(claim("theorem_7_steps", "section 4, theorem 7", "Algorithm 4 takes 3m + 3n + 2l + 2 steps under the SLA model",
            "3m + 3n + 2l + 2", literal({2, 2, 2}, sla), [] { return literal_steps(sla); }));
  add(claim("theorem_7_phases", "section 4, before theorem 7", "The five steps of algorithm 4 take these times",
            "6 + (3m - 3) + (3n - 4) + (2l - 3) + 6", literal({2, 2, 2}, sla), algorithm_4_phases));
  add(claim(
      "theorem_8_steps", "section 4, theorem 8",
      "Algorithm 5 takes 3 floor(m/2) + 3 floor(n/2) + 2 floor(l/2) + 4 steps for odd, 3m/2 + 3n/2 + l + 4 for even "
      "sizes",
      "one expression, for mixed parities too", literal({2, 2, 2}, mla), [] { return literal_steps(mla); }));
  add(refuted(claim("theorem_8_proof", "section 4, before theorem 8",
                    "For even n, Step 3 of algorithm 5 takes n internal and n/2 external broadcasts, 3n/2 - 1 in all",
                    "n + n/2 = 3n/2 - 1", {}, [] {
                      return corrected(algorithm_5_step_3(0), "n - 1 internal broadcasts", algorithm_5_step_3(1));
                    })));
  add(refuted(claim(
      "theorem_8_model", "abstract, section 1 (4), theorem 8, section 5 (4)", "Theorem 8 is for the SLA model",
      "a node sends and receives on one link at a time", literal({2, 2, 2}, mla), [] {
        return corrected(algorithm_5_model(sla), "it is for MLA, as the text before it says", algorithm_5_model(mla));
      })));
  add(refuted(claim("theorem_8_optimum", "section 4, theorem 8",
                    "The all-to-all broadcasting time of 3PT(l, m, n) under the MLA model is that of algorithm 5",
                    "no schedule takes fewer steps", checked(flooding({2, 2, 2})),
                    [] {
                      return corrected(flooding_steps(true), "the diameter, which flooding takes and nothing is below",
                                       flooding_steps(false));
                    })),
      true);
  std::ranges::move(completeness_claims(), std::back_inserter(claims));
  return claims;
}

} // namespace wormcast::kim
