#include "wormcast/experiments/sweep/formula.hpp"

namespace wormcast {

ScheduleCosts block_costs(const Topology& topology, Schedule schedule)
{
  schedule.message_bytes = schedule.operation == Operation::broadcast ? schedule.blocks : 1;
  return schedule_costs(topology, schedule);
}

CostLine cost_line(std::uint64_t alpha, const Fraction& beta, const NetworkParameters& network)
{
  return {ExactNumber(alpha) * network.startup.picoseconds,
          ExactNumber(beta.numerator(), beta.denominator()) * network.per_byte.picoseconds};
}

std::string why_no_formula(const CheckReport& report, Mode mode)
{
  if (!report.complete || !report.possession) {
    return "does not bring everything to every node";
  }
  if (!report.ports) {
    return "needs more ports than there are";
  }
  if (!report.contention_free) {
    return "contends within its steps";
  }
  return mode == Mode::lockstep ? "" : "self-timed, so that steps overlap";
}

LatencyFormula latency_formula(const Experiment& experiment)
{
  const Schedule schedule = experiment_schedule(experiment);
  if (schedule.operation == Operation::none) {
    return {.line = std::nullopt, .why_not = "a plain message list has no steps"};
  }
  if (!schedule.chosen.all().empty()) {
    return {.line = std::nullopt, .why_not = "has parameters that are chosen anew for every length"};
  }
  const CheckReport report = check_schedule(*experiment.topology, schedule, {.max_violations = 0});
  if (std::string reason = why_no_formula(report, experiment.run.mode); !reason.empty()) {
    return {.line = std::nullopt, .why_not = std::move(reason)};
  }
  const ScheduleCosts costs = block_costs(*experiment.topology, schedule);
  return {.line = cost_line(costs.alpha, costs.beta, experiment.network), .why_not = {}};
}

std::vector<LatencyFormula> curve_formulas(const RawConfig& config, const SweepPlan& plan, const SweepCurves& curves)
{
  std::vector<LatencyFormula> formulas(curves.curves.size(), {std::nullopt, "is no curve over the message length"});
  if (plan.axes[curves.x_axis] == "message.bytes") {
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      formulas[i] = latency_formula(make_experiment(config, plan.points[curves.curves[i].points.front().point].values));
    }
  }
  return formulas;
}

} // namespace wormcast
