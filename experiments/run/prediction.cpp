#include "wormcast/experiments/run/prediction.hpp"

#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace wormcast {

namespace {

/// alpha*(T_s + L) + bytes*T_c.
Time step_cost(std::uint64_t alpha, std::uint64_t bytes, const NetworkParameters& network)
{
  std::int64_t startups = 0;
  std::int64_t sum = 0;
  const std::optional<Time> transfers = time_of_bytes(network.per_byte, bytes);
  if (__builtin_mul_overflow(alpha, network.message_overhead().picoseconds, &startups) || !transfers ||
      __builtin_add_overflow(startups, transfers->picoseconds, &sum)) {
    throw InputError("alpha * startup + beta * bytes * per_byte does not fit 64 bits of picoseconds");
  }
  return {sum};
}

/// Why the latency can be below the formula as well as above it; empty: it cannot.
std::string why_estimate(const Experiment& experiment)
{
  if (experiment.run.fluid) {
    return "the times of a fluid model are its own";
  }
  if (!experiment.network.router->bounded_by_formula) {
    return fmt::format("the times of router \"{}\" are its own", experiment.network.router->name);
  }
  return experiment.run.mode == Mode::self_timed ? "self-timed, so that steps overlap" : "";
}

/// The times of a run in lockstep that are not in the formula.
std::vector<std::string_view> left_out(const Experiment& experiment, const Schedule& schedule,
                                       const ScheduleCosts& costs)
{
  const NetworkParameters& network = experiment.network;
  std::vector<std::string_view> names;
  const auto add = [&](bool takes_time, std::string_view name) {
    if (takes_time) {
      names.push_back(name);
    }
  };
  const std::vector<std::uint64_t> bytes = block_set_bytes(schedule);
  add(costs.drawn_routes > 0, "routes that headers choose");
  add(!costs.contention_free && costs.drawn_routes == 0, "contention within steps");
  add(network.per_hop != Time{}, "hops");
  add(network.last_flit == LastFlit::padded &&
          std::ranges::any_of(bytes, [&](std::uint64_t size) { return size % network.flit_bytes != 0; }),
      "flits that are not full");
  add(network.last_flit == LastFlit::exact &&
          std::ranges::any_of(
              bytes,
              [&](std::uint64_t size) { return size % static_cast<std::uint64_t>(network.per_byte.bytes()) != 0; }),
      "rounding up to picoseconds");
  add(std::ranges::find(bytes, 0U) != bytes.end(), "flits of empty messages");
  add(network.switching == Switching::store_and_forward, "storing of messages on their way");
  add(!closed_form_holds(network), "waits for buffers");
  add(!network.router->time_beside_formula.empty(), network.router->time_beside_formula);
  add(experiment.run.start_jitter != Time{}, "late starts");
  add(experiment.run.noise.has_value(), "noise");
  return names;
}

} // namespace

std::string why_ports_do_not_suffice(const Schedule& schedule, const ScheduleCosts& costs)
{
  if (costs.ports_excess.empty()) {
    return "";
  }
  if (schedule.ports.count == PortModel::all) {
    return fmt::format("{}: messages wait for ports", costs.ports_excess);
  }
  return fmt::format("a step asks a node for {} port{}{}, it has {}: messages wait for ports", costs.ports_needed.count,
                     costs.ports_needed.count == 1 ? "" : "s",
                     schedule.duplex == Duplex::half ? ", to send and to receive" : "", schedule.ports.count);
}

Prediction predict(const Experiment& experiment, const Schedule& schedule, const ScheduleCosts& costs)
{
  Prediction prediction;
  if (schedule.operation == Operation::none) {
    prediction.why_none = schedule.program ? "a program has no steps" : "a plain message list has no steps";
    return prediction;
  }
  prediction.why_none = experiment.run.computation.any() ? std::string("what nodes compute has no formula")
                                                         : why_ports_do_not_suffice(schedule, costs);
  if (prediction.why_none.empty() && sends_pieces(experiment)) {
    prediction.why_none = "long messages are sent in pieces";
  }
  if (prediction.why_none.empty() && !has_equal_channels(experiment.network)) {
    prediction.why_none = unequal_channels;
  }
  if (!prediction.why_none.empty()) {
    return prediction;
  }
  prediction.time = step_cost(costs.alpha, costs.beta_bytes, experiment.network);
  prediction.left_out = why_estimate(experiment);
  if (!prediction.left_out.empty()) {
    prediction.kind = PredictionKind::estimate;
    return prediction;
  }
  prediction.left_out = fmt::format("{}", fmt::join(left_out(experiment, schedule, costs), ", "));
  prediction.kind = prediction.left_out.empty() ? PredictionKind::exact : PredictionKind::lower_bound;
  return prediction;
}

} // namespace wormcast
