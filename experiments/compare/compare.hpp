#pragma once

#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"
#include "wormcast/experiments/compare/measured_envelope.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/process/workers.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"
#include "wormcast/simulator/contention.hpp"

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
  deadlock,  ///< the simulated network came to a stop: there is no latency
  left_out,  ///< the algorithm does not run on this topology or with these parameters
  bad_input, ///< its schedule cannot be simulated as configured
  died       ///< the process that computed it broke down
};

/// "done", "deadlock", ...
std::string_view comparison_state_name(ComparisonState state);

/// What is known of one algorithm's schedule and its run.
struct ComparedRun {
  std::uint64_t alpha = 0;
  std::int64_t beta_numerator = 0; ///< beta by blocks, which does not depend on the message length
  std::int64_t beta_denominator = 1;
  PortModel ports_needed;        ///< the fewest with which no step asks a node for more messages than it has ports
  bool fits_ports = true;        ///< as configured
  bool valid = true;             ///< complete and possession hold (CheckReport)
  bool contention_free = true;   ///< no two messages of a step share a channel
  bool has_formula = false;      ///< alpha*T_s + beta*L*T_c is proved to be what it takes (why_no_formula)
  std::optional<Time> predicted; ///< alpha*T_s + beta*L*T_c, for the configured length; none where ports do not suffice
  Time measured;                 ///< latency; of no meaning after a deadlock
  Time from_source;              ///< the same from the source's own start (SimulationResult::latency_from_source)
  Time least_by_ties;            ///< least and greatest `measured` over all orders of RunParameters::tie_break; without
  Time most_by_ties;             ///< contention no order can matter, and none but the configured one is run
  bool ties_deadlock = false;    ///< with another of these orders the run ends in a deadlock
  Time deadlock;                 ///< when it came, after a deadlock
  ContentionTotals contention = {};
  std::uint64_t messages = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t tcd = 0;
  std::uint64_t max_channel_load = 0;
};

/// One algorithm with its parameters.
struct ComparedAlgorithm {
  std::string name;              ///< of an algorithm, or "schedule"
  std::string parameters;        ///< "d=3 inner=scatter_collect"; of a schedule its file
  nlohmann::ordered_json values; ///< the parameters by name
  bool configured = false;       ///< as in the configuration
  ComparisonState state = ComparisonState::died;
  std::string error; ///< empty when done
  ComparedRun run;   ///< when done, and after a deadlock
  /// Latency on each of all_fluid_models; none: the model cannot run the schedule. Empty: not asked for.
  std::vector<std::optional<Time>> fluid = {};
  std::string no_fluid = {}; ///< why a model cannot

  /// Whether the latency is another one where messages that ask at the same instant come in another order.
  bool depends_on_ties() const
  {
    return state == ComparisonState::done && (run.ties_deadlock || run.least_by_ties != run.most_by_ties);
  }

  /// Whether alpha*T_s + beta*L*T_c is proved to be what it takes, and it did not end in a deadlock.
  bool has_formula() const { return state == ComparisonState::done && run.has_formula; }
};

/// Algorithms side by side on one network with one source and message length.
struct Comparison {
  Operation operation = Operation::broadcast;
  std::vector<ComparedAlgorithm> algorithms;   ///< in the order of the registry, families in the order of their values
  std::optional<BroadcastTimeBound> bound;     ///< broadcasts with full-duplex ports: none is faster, hops left out
  std::vector<EnvelopePiece> fastest;          ///< lower envelope of the lines of those that have a formula; `line` is
                                               ///< a position in `algorithms`
  std::vector<MeasuredPiece> fastest_measured; ///< by simulation, of those that are valid; positions as in `fastest`
  int interrupted_by = 0;                      ///< SIGINT, SIGTERM, SIGHUP, or 0; then the rest is not complete
};

/// What is compared, and with how many processes.
struct CompareOptions {
  std::vector<std::string> algorithms = {}; ///< only these; empty: all with the configured algorithm's operation
  std::optional<SearchRange> lengths = {};  ///< message lengths of fastest_measured; none: it stays empty
  std::size_t jobs = 1;                     ///< runs at the same time
  Workers* workers = nullptr;               ///< that do the runs (compare_work); none: children of this process
  bool fluid = false;                       ///< also on SimGrid's own network models
  std::function<void(const SweepProgress&)> progress = {};
};

/// How the runs of compare_algorithms are done. Throws as it does.
TaskWork compare_work(const Experiment& experiment, const CompareOptions& options);

/// Runs every algorithm that does what the configured one does, each with the values of its family, the configured
/// one also as configured; each run in a process of its own. Algorithms made for more ports than configured run all
/// the same, their messages one after the other (fits_ports). The outcome does not depend on the number of jobs. Throws
/// InputError on an unknown algorithm, on one with another operation, on a plain message list, and where run.model is
/// not worms. No SimGrid engine may exist before.
Comparison compare_algorithms(const Experiment& experiment, const CompareOptions& options);

/// Throws InputError with the first reason where no algorithm could run.
void require_runs(const Comparison& comparison);

} // namespace wormcast
