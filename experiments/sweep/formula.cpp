#include "wormcast/experiments/sweep/formula.hpp"

#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/model/routers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace wormcast {

namespace {

/// Why a message without rivals does not take T_s + hops*T_f + bytes*T_c, or why steps do not begin at once.
std::string why_no_formula_here(const NetworkParameters& network, const RunParameters& run)
{
  const RouterModel& router = *network.router;
  if (!router.bounded_by_formula) {
    return fmt::format("router \"{}\", whose times are its own", router.name);
  }
  if (!router.why_no_formula.empty()) {
    return router.why_no_formula;
  }
  if (network.switching == Switching::store_and_forward) {
    return "store-and-forward, so that every hop takes the whole message";
  }
  if (!has_equal_channels(network)) {
    return std::string(unequal_channels);
  }
  if (!closed_form_holds(network)) {
    return "buffers too small for the latency of a hop, so that messages are held up without contention";
  }
  if (network.flit_bytes > 1 && network.last_flit == LastFlit::padded) {
    return fmt::format("messages are cut into whole flits of {} bytes", network.flit_bytes);
  }
  if (network.per_byte.bytes() > 1 && network.last_flit == LastFlit::exact) {
    return "the time of a message is rounded up to a picosecond";
  }
  if (run.start_jitter != Time{}) {
    return "nodes start late by chance (run.start_jitter)";
  }
  if (run.ready_above) {
    return "messages wait for the readiness of their receivers (run.ready_above)";
  }
  if (run.barriers != Barriers::none) {
    return "steps are kept apart by messages of their own (run.barriers)";
  }
  if (run.segment_bytes || run.packet_bytes) {
    return "long messages are sent in pieces (run.segment_bytes, run.packet_bytes)";
  }
  if (run.computation.any()) {
    return "nodes compute (run.reduce, run.copy, run.call)";
  }
  if (run.noise) {
    return "start-ups take longer by chance (run.noise)";
  }
  return run.mode == Mode::lockstep ? "" : "self-timed, so that steps overlap";
}

} // namespace

ScheduleCosts block_costs(const Topology& topology, Schedule schedule)
{
  schedule.message_bytes = parts_of_message(schedule);
  return schedule_costs(topology, schedule);
}

ExactNumber exact_byte_time(ByteTime per_byte)
{
  return {per_byte.picoseconds(), per_byte.bytes()};
}

CostLine cost_line(std::uint64_t alpha, const Fraction& beta, const NetworkParameters& network)
{
  return {ExactNumber(alpha) * network.message_overhead().picoseconds,
          ExactNumber(beta.numerator(), beta.denominator()) * exact_byte_time(network.per_byte)};
}

std::vector<PlotPoint> formula_points(std::span<const LinePiece> pieces, double low, double high, bool logarithmic)
{
  constexpr int segments = 99;
  constexpr double picoseconds_in_microsecond = 1e6;
  std::vector<PlotPoint> points;
  std::size_t piece = 0;
  for (int i = 0; i <= segments && low < high; ++i) {
    const double share = static_cast<double>(i) / segments;
    const double x = logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
    while (piece + 1 < pieces.size() && pieces[piece + 1].from <= x) {
      ++piece;
    }
    const auto fixed = pieces[piece].line.fixed.convert_to<double>() / picoseconds_in_microsecond;
    const auto per_byte = pieces[piece].line.per_byte.convert_to<double>() / picoseconds_in_microsecond;
    points.push_back({fmt::format("{:.9g}", x), fmt::format("{:.9g}", fixed + per_byte * x)});
  }
  return points;
}

std::vector<PlotPoint> formula_points(const CostLine& line, double low, double high, bool logarithmic)
{
  const LinePiece all{.from = low, .line = line};
  return formula_points(std::span(&all, 1), low, high, logarithmic);
}

std::string why_no_formula(const CheckReport& report, const NetworkParameters& network, const RunParameters& run)
{
  if (!report.complete || !report.possession) {
    return "does not bring everything to every node";
  }
  if (!report.counted_once) {
    return "counts contributions twice";
  }
  if (!report.ports) {
    return "needs more ports than there are";
  }
  if (report.costs.drawn_routes > 0 && report.contended_pairs == 0) {
    return "has messages that draw their routes";
  }
  if (!report.contention_free) {
    return "contends within its steps";
  }
  return why_no_formula_here(network, run);
}

LatencyFormula latency_formula(const Experiment& experiment)
{
  if (experiment.placement != nullptr) {
    return {.line = std::nullopt, .why_not = "is placed on some of the nodes"};
  }
  const Schedule schedule = experiment_schedule(experiment);
  if (schedule.operation == Operation::none) {
    return {.line = std::nullopt, .why_not = "a plain message list has no steps"};
  }
  if (!schedule.chosen.all().empty()) {
    return {.line = std::nullopt, .why_not = "has parameters that are chosen anew for every length"};
  }
  const CheckReport report = check_schedule(*experiment.topology, schedule, {.max_violations = 0});
  if (std::string reason = why_no_formula(report, experiment.network, experiment.run); !reason.empty()) {
    const bool complete = report.complete && report.possession && report.counted_once;
    return {.line = std::nullopt, .why_not = std::move(reason), .incomplete = !complete};
  }
  const ScheduleCosts costs = block_costs(*experiment.topology, schedule);
  return {.line = cost_line(costs.alpha, costs.beta, experiment.network), .why_not = {}};
}

std::vector<LatencyFormula> curve_formulas(const RawConfig& config, const SweepPlan& plan, const SweepCurves& curves)
{
  std::vector<LatencyFormula> formulas(curves.curves.size(),
                                       {.line = std::nullopt, .why_not = "is no curve over the message length"});
  if (plan.axes[curves.x_axis] == "message.bytes") {
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      if (curves.curves[i].points.empty()) {
        formulas[i].why_not = "is saturated at all lengths";
        continue;
      }
      const SweepPoint& point = plan.points[curves.curves[i].points.front().point];
      formulas[i] = is_series(config, point.values)
                        ? LatencyFormula{.line = std::nullopt, .why_not = "meets other messages"}
                        : latency_formula(make_experiment(config, point.values));
    }
  }
  return formulas;
}

} // namespace wormcast
