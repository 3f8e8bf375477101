#pragma once

#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"
#include "wormcast/algorithms/verifier/schedule_bounds.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/run/completeness.hpp"
#include "wormcast/experiments/run/prediction.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/records.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// What a schedule costs where messages that share a channel share it fairly, as fluid models assume; on worms those
/// that wait hold channels, and it is a lower bound only.
struct FairLinks {
  Fraction beta;               ///< ScheduleCosts::fair_beta
  Fraction deficiency;         ///< congestion_deficiency()
  std::optional<Time> latency; ///< of the steps one after the other: alpha*T_s + step_hops*T_f + beta*L*T_c; none where
                               ///< it does not fit
};

/// A finished run with its values known beforehand, which are those of uncut_schedule().
struct RunOutcome {
  ScheduleCosts costs;
  /// Whether costs.tcd and costs.max_channel_load are known. Where headers choose their paths they are those of the
  /// paths that were taken, if every message was delivered, and none was sent in segments or packets.
  bool paths_known = true;
  ParameterValues chosen; ///< Schedule::chosen
  bool has_steps = true;  ///< false for a plain message list: alpha, beta and the prediction do not apply
  Completeness completeness;
  Prediction prediction;
  /// What no such operation can be better than (schedule_bounds); none where nothing is known, or it does not bind.
  std::optional<BroadcastBounds> bounds;
  /// Where messages that share a channel share it fairly: of the operations that has_reduction_bounds() names.
  std::optional<FairLinks> fair;
  /// The least time, steps and bytes taken together; only in lockstep, and where times are those of the network model.
  std::optional<BroadcastTimeBound> bound;
  std::uint64_t without_blocks = 0; ///< messages of RunParameters::ready_above or of RunParameters::barriers
  std::uint64_t pieces = 0;         ///< messages as they are sent, in segments and packets (schedule_as_sent())
  SimulationResult simulation;
  std::optional<RoundTrips> round_trips; ///< algorithm "requests"; none after a deadlock
  std::optional<SimulationResult> free;  ///< the same without contention for channels, where RunParameters::paired
  nlohmann::ordered_json critical_path = nullptr; ///< explanation_json; null: not requested, or a deadlock
};

/// The clock of a run; the times are the same.
enum class RunClock {
  simgrid, ///< SimGrid's: one run in a process at a time
  engine   ///< the engine's own: any number of runs, side by side in threads; no fluid models, no progress
};

/// Makes the schedule, simulates it on SimGrid's clock and adds the costs. One call per process: SimGrid's engine is
/// global. Throws InputError, and IncompleteSchedule where the schedule does not do its operation and the run is not
/// `unchecked`.
RunOutcome run_experiment(const Experiment& experiment, const RecordSinks& sinks = {});

/// The same with the experiment's schedule made before.
RunOutcome run_experiment(const Experiment& experiment, const Schedule& schedule, const RecordSinks& sinks = {},
                          RunClock clock = RunClock::simgrid);

/// The object of `run --json`, format wormcast-result/1 (docs/formats.md), with times as exact numbers for json_text;
/// keys in a fixed order.
nlohmann::ordered_json result_json(const Experiment& experiment, const RunOutcome& outcome);

/// The same as indented text.
std::string result_text(const Experiment& experiment, const RunOutcome& outcome);

/// Number of waits and waiting time by kind: the object "contention" of results.
nlohmann::ordered_json contention_json(const ContentionTotals& totals,
                                       std::span<const ContentionKind> kinds = own_contention_kinds);

/// Text of `run --deliveries`: times of delivery by message id.
std::string deliveries_text(const SimulationResult& simulation);

/// Returns rows of name and value that describe the run and its results.
std::vector<std::pair<std::string, std::string>> run_rows(const Experiment& experiment, const RunOutcome& outcome);

/// The rows as the table that `run` prints for people.
std::string run_table(const Experiment& experiment, const RunOutcome& outcome);

/// Returns the kind of a schedule of operation none: "program in GOAL" or "plain message list".
std::string_view name_without_steps(const Schedule& schedule);

/// One line: how many messages do not arrive, and how many wait for each other.
std::string deadlock_summary(const Topology& topology, const Schedule& schedule, const Deadlock& deadlock);

/// Returns lines with each waiting message, its channel and the holder.
std::string explain_deadlock(const Topology& topology, const Schedule& schedule, const Deadlock& deadlock);

/// The same of messages without a schedule, called `name_of`; where that is empty, by their numbers.
std::string explain_deadlock(const ResourceNames& names, const Deadlock& deadlock,
                             const std::function<std::string(MessageId)>& name_of = {});

} // namespace wormcast
