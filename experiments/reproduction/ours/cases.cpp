#include "wormcast/experiments/reproduction/ours/cases.hpp"

#include "wormcast/experiments/reproduction/frame/mutation.hpp"

#include <fmt/format.h>

namespace wormcast::ours {

namespace {

std::string found_text(const CheckReport& report)
{
  if (!report.valid()) {
    return "not valid: " + (report.violations.empty() ? std::string("port") : report.violations.front().text);
  }
  if (!report.contention_free) {
    return "contends: " + contention_text(report);
  }
  return fmt::format("alpha {}, beta {}, no contention", report.costs.alpha, format_fraction(report.costs.beta));
}

} // namespace

std::vector<CostCase> with_costs(const std::vector<BroadcastCase>& cases, const Fraction& alpha, const Fraction& beta)
{
  std::vector<CostCase> all;
  for (const BroadcastCase& one : cases) {
    all.push_back({one, alpha, beta});
  }
  return all;
}

Evidence free_at_costs(const std::string& summary, const std::vector<CostCase>& cases)
{
  std::vector<Observation> observations;
  bool all_hold_yet = true;
  for (const CostCase& claimed : cases) {
    const auto topology = topology_of(claimed.broadcast);
    const Schedule schedule = schedule_of(claimed.broadcast, *topology);
    Observation observation{.what = title(claimed.broadcast),
                            .expected = fmt::format("alpha {}, beta {}, no contention",
                                                    format_fraction(as_claimed(claimed.alpha.value())),
                                                    format_fraction(as_claimed(claimed.beta.value()))),
                            .found = found_text(check_schedule(*topology, schedule, {.max_violations = 3}))};
    observation.holds = observation.found == observation.expected;
    if (!observation.holds && all_hold_yet) {
      observation.schedule = schedule_json(schedule);
    }
    all_hold_yet = all_hold_yet && observation.holds;
    observations.push_back(std::move(observation));
  }
  return all_hold(summary, observations, 12);
}

Check own_check(const std::string& name, const BroadcastCase& shown, const std::string& command,
                std::function<Evidence()> measure)
{
  return check_of(name, {config_text(shown), command}, std::move(measure));
}

Fraction over_power(const Fraction& number, int exponent)
{
  const Fraction power(std::int64_t{1} << (exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? number * power : number / power;
}

} // namespace wormcast::ours
