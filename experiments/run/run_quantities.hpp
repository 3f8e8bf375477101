#pragma once

#include "wormcast/experiments/run/quantity.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace wormcast {

/// The data from which the quantities of a run are read.
struct RunResult {
  const Experiment& experiment;
  const RunOutcome& outcome;
};

/// The bound of everything that is the latency of a whole broadcast.
inline constexpr std::string_view latency_bound = "bounds.latency_us";

/// Quantities of networks, which tables of sweeps show before those of their runs.
std::span<const ResultQuantity<Topology>> topology_quantities();

/// Quantities of `run --json` (format wormcast-result/1), in its order. Those of the object `bounds` have no values
/// where RunOutcome::bounds is none, those of `paired` where RunOutcome::free is none, those of `round_trips` where
/// RunOutcome::round_trips is none.
std::span<const ResultQuantity<RunResult>> run_quantities();

/// Number and time of waits by kind: "step", ..., "step_wait_us", ...; the object `contention` of results.
std::vector<ResultQuantity<ContentionTotals>> contention_quantities(std::span<const ContentionKind> kinds);

/// Whether a schedule does its operation: `unchecked`, `complete`, `undone`.
struct CheckedCompleteness {
  Completeness completeness;
  bool unchecked = false; ///< RunParameters::unchecked
};
std::vector<ResultQuantity<CheckedCompleteness>> completeness_quantities();

/// Returns whether all messages use the routes of the topology, so that channel loads are known before the run.
bool has_fixed_routes(const Experiment& experiment);

/// The latency minus that of the same run without contention for channels; none where the run was not paired, or one of
/// the two came to a stop.
std::optional<Time> contention_cost(const RunOutcome& outcome);

} // namespace wormcast
