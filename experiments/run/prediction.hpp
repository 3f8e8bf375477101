#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/values/names.hpp"

#include <optional>
#include <string>

namespace wormcast {

/// How alpha*T_s + beta*L*T_c is related to the latency from the source's start.
enum class PredictionKind {
  exact,       ///< it is the latency
  lower_bound, ///< the latency is not below it: something that takes time is left out
  estimate     ///< the latency can be above or below: steps overlap, or times are not those of the network model
};

/// "exact", "lower_bound", "estimate": as in files.
inline constexpr auto prediction_kind_names = names<PredictionKind>({{PredictionKind::exact, "exact"},
                                                                     {PredictionKind::lower_bound, "lower_bound"},
                                                                     {PredictionKind::estimate, "estimate"}});

/// The prediction of a run's latency.
struct Prediction {
  std::optional<Time> time; ///< alpha*T_s + beta*L*T_c; none: there is no prediction
  PredictionKind kind = PredictionKind::exact;
  std::string left_out; ///< lower_bound: "hops, flits"; estimate: why; exact: empty
  std::string why_none; ///< where there is no time: "a plain message list has no steps"

  bool holds() const { return time && kind == PredictionKind::exact; }
};

/// `costs` are those of `schedule`. None for a schedule without steps, and where a step asks a node for more ports than
/// it has, so that a step takes longer than its largest message, or never ends. Throws InputError where the time does
/// not fit 64 bits of picoseconds. Cost: that of the schedule's block sets.
Prediction predict(const Experiment& experiment, const Schedule& schedule, const ScheduleCosts& costs);

/// Why the steps of `schedule` do not fit the ports of the nodes; empty: they do.
std::string why_ports_do_not_suffice(const Schedule& schedule, const ScheduleCosts& costs);

} // namespace wormcast
