#include "wormcast/experiments/reproduction/kim/all_to_all.hpp"

#include "wormcast/algorithms/petersen/all_to_all.hpp"
#include "wormcast/algorithms/petersen/torus_all_to_all.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/checks.hpp"

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
    const std::int64_t claimed = as_claimed(all_to_all_theorem(size, ports));
    observations.push_back(
        {.what = text(size),
         .expected = fmt::format("ports and possession kept, {} steps", claimed),
         .found = fmt::format("ports and possession {}, {} steps",
                              report.ports && report.possession ? "kept" : "not kept", report.costs.alpha),
         .holds = report.ports && report.possession && static_cast<std::int64_t>(report.costs.alpha) == claimed});
  }
  return all_hold(fmt::format("{}, every parity; completeness is another claim", all_to_all_sizes_text), observations);
}

// The steps before the first of `from` that sends over its external edge.
std::int64_t first_external(const ModuleSteps& steps, std::initializer_list<int> from)
{
  const auto found = std::ranges::find_if(steps, [&](const ModuleStep& step) {
    return std::ranges::any_of(step, [&](const ModuleSend send) {
      return send.to == ModuleSend::external && std::ranges::find(from, send.from) != from.end();
    });
  });
  return found - steps.begin();
}

// Lengths of the five steps of Algorithm 4 or 5: up to the first send along x, along y, along z, and what is within
// the modules again at the end, which must be `last`.
std::vector<std::int64_t> phases(const ModuleSteps& steps, const ModuleSteps& last)
{
  const std::int64_t along_x = first_external(steps, {1, 4});
  const std::int64_t along_y = first_external(steps, {6, 9});
  const std::int64_t along_z = first_external(steps, {0, 5});
  const auto end = static_cast<std::int64_t>(steps.size() - last.size());
  const bool ends_so = std::equal(last.begin(), last.end(), steps.begin() + end, steps.end());
  return {along_x, along_y - along_x, along_z - along_y, end - along_z,
          ends_so ? static_cast<std::int64_t>(last.size()) : 0};
}

Observation phases_are(const PetersenTorusSize& size, std::vector<std::int64_t> claimed,
                       const std::vector<std::int64_t>& found)
{
  std::ranges::transform(claimed, claimed.begin(), [](std::int64_t steps) { return as_claimed(steps); });
  return same_texts(text(size), fmt::format("{}", fmt::join(claimed, ", ")), fmt::format("{}", fmt::join(found, ", ")));
}

Evidence algorithm_4_phases()
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(8)) {
    observations.push_back(
        phases_are(size, {6, 3 * size.m - 3, 3 * size.n - 4, 2 * size.l - 3, 6},
                   phases(petersen_torus_algorithm_4(size, AllToAllVariant::literal), petersen_algorithm_2())));
  }
  return all_hold("l, m, n = 2..8, counted in the sends of every module", observations);
}

// Steps 2 and 3 in 3PT(l, 3, 3).
Evidence figure_3()
{
  std::vector<Observation> observations;
  for (std::int64_t l = 2; l <= 5; ++l) {
    const PetersenTorusSize size{l, 3, 3};
    observations.push_back(
        phases_are(size, {6, 6, 5, 2 * l - 3, 6},
                   phases(petersen_torus_algorithm_4(size, AllToAllVariant::literal), petersen_algorithm_2())));
  }
  return not_testable("the drawing is not legible in the copies that exist",
                      all_hold("the steps' times in 3PT(l, 3, 3), l = 2..5", observations));
}

Evidence algorithm_5_phases()
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(8)) {
    observations.push_back(
        phases_are(size, {3, 3 * (size.m / 2), 3 * (size.n / 2) - 1, 2 * (size.l / 2) - 1, 3},
                   phases(petersen_torus_algorithm_5(size, AllToAllVariant::literal), petersen_algorithm_3())));
  }
  return all_hold("l, m, n = 2..8, odd, even and mixed, counted in the sends of every module", observations);
}

// Steps of Step 3 of Algorithm 5 for even n that send inside of the modules, and over external edges.
Evidence algorithm_5_step_3(std::int64_t fewer)
{
  std::vector<Observation> observations;
  for (std::int64_t n = 2; n <= 16; n += 2) {
    const ModuleSteps steps = petersen_torus_algorithm_5({2, 2, n}, AllToAllVariant::literal);
    const auto begin = steps.begin() + first_external(steps, {6, 9});
    const auto end = steps.begin() + first_external(steps, {0, 5});
    const auto external =
        std::count_if(begin, end, [](const ModuleStep& step) { return step.front().to == ModuleSend::external; });
    const std::int64_t internal = end - begin - external;
    observations.push_back(
        {.what = fmt::format("n = {}", n),
         .expected = fmt::format("{} internal, {} external, {} in all", n - fewer, n / 2, 3 * n / 2 - 1),
         .found = fmt::format("{} internal, {} external, {} in all", internal, external, end - begin),
         .holds = internal == n - fewer && external == n / 2 && end - begin == 3 * n / 2 - 1});
  }
  return all_hold("n = 2, 4, .. 16, counted in the sends of every module", observations);
}

// Theorem 8 says SLA; the model for which its time is that of its schedules.
Evidence algorithm_5_model(PortModel ports)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_to_all_sizes()) {
    const auto torus = make_torus(size);
    Schedule schedule = schedule_of(all_to_all(size, mla, "literal"), *torus);
    schedule.ports = ports;
    const CheckReport report = check_schedule(*torus, schedule, {.max_violations = 1});
    const auto violation = std::ranges::find(report.violations, ViolationKind::port, &Violation::kind);
    const std::int64_t steps = all_to_all_theorem(size, mla);
    observations.push_back(
        {.what = fmt::format("{}, {}", text(size), model_name(ports)),
         .expected = fmt::format("ports are kept, {} steps", steps),
         .found = fmt::format("{}, {} steps", report.ports ? "kept" : violation->text, report.costs.alpha),
         .holds = report.ports && static_cast<std::int64_t>(report.costs.alpha) == steps});
    if (!report.ports && torus->node_count() <= 100) {
      observations.back().schedule = schedule_json(schedule);
    }
  }
  return all_hold(all_to_all_sizes_text, observations);
}

// Flooding takes the diameter, below which nothing is, and fewer steps than theorem 8's.
Evidence flooding_steps()
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_to_all_sizes()) {
    const auto torus = make_torus(size);
    const Schedule schedule = schedule_of(flooding(size), *torus);
    const CheckReport report = check_schedule(*torus, schedule, {.max_violations = 1});
    const auto steps = static_cast<std::int64_t>(report.costs.alpha);
    const std::int64_t longest = diameter(*torus);
    const std::int64_t theorem = all_to_all_theorem(size, mla);
    observations.push_back({.what = fmt::format("flooding in {}", text(size)),
                            .expected = fmt::format("valid, {} steps, fewer than {}", longest, theorem),
                            .found = fmt::format("{}, {} steps", report.valid() ? "valid" : "not valid", steps),
                            .holds = report.valid() && steps == longest && steps < theorem});
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

std::vector<Check> all_to_all_checks()
{
  std::vector<Check> checks;
  const auto literal = [](const PetersenTorusSize& size, PortModel ports) {
    return checked(all_to_all(size, ports, "literal"));
  };
  checks.push_back(check_of("theorem_7_steps", literal({2, 2, 2}, sla), [] { return literal_steps(sla); }));
  checks.push_back(check_of("theorem_7_phases", literal({2, 2, 2}, sla), algorithm_4_phases));
  checks.push_back(check_of("figure_3", literal({2, 3, 3}, sla), figure_3));
  checks.push_back(check_of("theorem_8_steps", literal({2, 2, 2}, mla), [] { return literal_steps(mla); }));
  checks.push_back(check_of("theorem_8_phases", literal({2, 2, 2}, mla), algorithm_5_phases));
  checks.push_back(check_of("theorem_8_proof", literal({2, 2, 2}, mla), [] {
    return misprinted(algorithm_5_step_3(as_stated(0, 1)), "n - 1 internal broadcasts", algorithm_5_step_3(1));
  }));
  checks.push_back(check_of("theorem_8_model", literal({2, 2, 2}, mla), [] {
    return misprinted(algorithm_5_model(as_stated(sla, mla)), "it is for MLA, as the text before it says",
                      algorithm_5_model(mla));
  }));
  checks.push_back(check_of("theorem_8_optimum", checked(flooding({2, 2, 2})), flooding_steps));
  std::ranges::move(completeness_checks(), std::back_inserter(checks));
  return checks;
}

} // namespace wormcast::kim
