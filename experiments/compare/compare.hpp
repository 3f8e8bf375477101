#pragma once

#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"
#include "wormcast/experiments/compare/deadlock_proof.hpp"
#include "wormcast/experiments/compare/measured_envelope.hpp"
#include "wormcast/experiments/compare/repeats.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/process/workers.hpp"
#include "wormcast/experiments/run/prediction.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/values/names.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// How the run of one algorithm ended.
enum class ComparisonState {
  done,
  deadlock,  ///< the simulated network stopped: there is no latency
  left_out,  ///< the algorithm does not run on this topology or with these parameters
  bad_input, ///< its schedule cannot be simulated as configured
  died       ///< the process that computed it broke down
};

/// "done", "deadlock", ...
inline constexpr auto comparison_state_names = names<ComparisonState>({{ComparisonState::done, "done"},
                                                                       {ComparisonState::deadlock, "deadlock"},
                                                                       {ComparisonState::left_out, "left_out"},
                                                                       {ComparisonState::bad_input, "bad_input"},
                                                                       {ComparisonState::died, "died"}});

/// The properties of one algorithm's schedule and its runs.
struct ComparedRun {
  std::uint64_t alpha = 0;
  std::int64_t beta_numerator = 0; ///< beta by blocks, which does not depend on the message length
  std::int64_t beta_denominator = 1;
  PortModel ports_needed;        ///< the fewest ports with which every step fits
  bool fits_ports = true;        ///< as configured
  bool valid = true;             ///< complete and possession hold (CheckReport)
  bool contention_free = true;   ///< no two messages of a step share a channel
  bool has_formula = false;      ///< alpha*T_s + beta*L*T_c is proved to be its latency (why_no_formula)
  std::optional<Time> predicted; ///< alpha*T_s + beta*L*T_c, for the configured length; none where ports do not suffice
  PredictionKind predicted_is = PredictionKind::exact; ///< of the latency from the source's start
  Time measured;                                       ///< mean latency of the runs; of no meaning after a deadlock
  Time from_source;            ///< the same from the source's own start (SimulationResult::latency_from_source)
  bool ties_known = false;     ///< without random draws alone:
  Time least_by_ties;          ///< least and greatest `measured` over all orders of RunParameters::tie_break; without
  Time most_by_ties;           ///< contention no order can matter, and none but the configured one is run
  bool ties_deadlock = false;  ///< with another of these orders the run ends in a deadlock
  Time deadlock;               ///< time of the first deadlock
  std::uint32_t deadlocks = 0; ///< runs that ended in one
  std::uint32_t runs = 1;
  ContentionTotals contention = {}; ///< of all runs together
  std::uint64_t messages = 0;
  std::uint64_t bytes_sent = 0;
  std::optional<std::uint64_t> tcd;              ///< none: RunOutcome::paths_known is false
  std::optional<std::uint64_t> max_channel_load; ///< the same
  std::string fair_beta;  ///< ScheduleCosts::fair_beta by blocks, of operations with reduction_bounds(); else empty
  std::string deficiency; ///< congestion_deficiency(); empty where the bounds do not bind
  /// The fewest virtual channels with which it cannot deadlock in the mode of the runs (deadlock_freedom), on router
  /// "wormhole"; 0: not proved.
  std::uint32_t deadlock_free_from = 0;
  bool deadlock_checked = false; ///< whether a proof was tried
  /// The mean of `from_source` on the network without its faults (CompareOptions::without_faults); none: it has none,
  /// or a run ends early there.
  std::optional<Time> without_faults = {};

  DeadlockProof deadlock_proof() const { return {.checked = deadlock_checked, .free_from = deadlock_free_from}; }
};

/// One algorithm with its parameters.
struct ComparedAlgorithm {
  std::string name;              ///< of an algorithm, or "schedule"
  std::string parameters;        ///< "d=3 inner=scatter_collect"; of a schedule its file
  nlohmann::ordered_json values; ///< the parameters by name
  bool configured = false;       ///< as in the configuration
  ComparisonState state = ComparisonState::died;
  std::string error;            ///< empty when done
  ComparedRun run;              ///< when done, and after a deadlock of any run
  SeedLatencies latencies = {}; ///< when done: from the source's start, by seed
  /// Latency on each of fluid_model_names; none: the model cannot run the schedule. Empty: not requested.
  std::vector<std::optional<Time>> fluid = {};
  std::string no_fluid = {}; ///< why a model cannot

  /// Whether the latency depends on the order of messages that request a channel at the same time.
  bool depends_on_ties() const
  {
    return state == ComparisonState::done && run.ties_known &&
           (run.ties_deadlock || run.least_by_ties != run.most_by_ties);
  }

  /// Returns whether its latencies count: every node receives everything, and no run ended early.
  bool is_candidate() const { return state == ComparisonState::done && run.valid; }

  /// Returns whether alpha*T_s + beta*L*T_c is proved to be its latency, and it did not end in a deadlock.
  bool has_formula() const { return state == ComparisonState::done && run.has_formula; }
};

/// Algorithms side by side on one network with one source and message length.
struct Comparison {
  Operation operation = Operation::broadcast;
  Repeats repeats;
  std::vector<ComparedAlgorithm> algorithms; ///< in the order of the registry, families in the order of their values
  std::optional<BroadcastTimeBound> bound;   ///< broadcasts with full-duplex ports: none is faster, hops left out
  std::vector<EnvelopePiece> fastest;        ///< lower envelope of the lines of those that have a formula; `line` is
                                             ///< a position in `algorithms`
  /// Of those that are candidates at the configured length, positions in `algorithms`; with random draws by paired
  /// differences of latencies from the source's start.
  std::optional<Ranking> ranking;
  std::size_t rivals = 1;                      ///< for which the intervals of these differences hold together
  std::vector<MeasuredPiece> fastest_measured; ///< the same over the lengths
  /// "mesh 8 x 8 by up_down": the network of ComparedRun::without_faults; none: there are no faults.
  std::optional<std::string> without_faults = {};
  int interrupted_by = 0; ///< SIGINT, SIGTERM, SIGHUP, or 0; then the rest is not complete
  bool has_gaps = false;  ///< runs were left out (Workers::left_out); the rest is not complete
};

/// The compared algorithms, and the number of processes.
struct CompareOptions {
  std::vector<std::string> algorithms = {}; ///< only these; empty: all with the configured algorithm's operation
  std::optional<SearchRange> lengths = {};  ///< message lengths of fastest_measured; none: it stays empty
  std::optional<std::int64_t> repeat = {};  ///< runs of each algorithm where these draw at random (repeats_of)
  bool fluid = false;                       ///< also on SimGrid's own network models
  /// The experiment on the network without its faults, on which each algorithm is run for comparison; none: nothing is.
  std::optional<Experiment> without_faults = {};
  TaskOptions tasks = {}; ///< how the runs are computed
  /// Told before fastest_measured is looked for how many candidates there are, and how many simulations at the given
  /// lengths that makes at once; the search for the boundaries adds to them.
  std::function<void(std::size_t candidates, std::size_t simulations)> announce = {};
};

/// Runs every algorithm that does what the configured one does, each with the values of its family, the configured
/// one also as configured; each in a process of its own. Where runs draw at random each algorithm runs with the same
/// seeds. Algorithms made for more ports than configured run all the same, their messages one after the other
/// (fits_ports). The outcome does not depend on the number of jobs. Where runs are left out, those at all lengths of
/// candidates that are known are done all the same. Throws
/// InputError on an unknown algorithm, on one with another operation, on a plain message list, and where run.model is
/// not worms. No SimGrid engine may exist before.
Comparison compare_algorithms(const Experiment& experiment, const CompareOptions& options);

/// Throws InputError with the first reason where no algorithm could run.
void require_runs(const Comparison& comparison);

} // namespace wormcast
