#pragma once

#include "wormcast/algorithms/imported/finding.hpp"
#include "wormcast/algorithms/verifier/schedule_dependencies.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/run/program_check.hpp"
#include "wormcast/topologies/grid_routing.hpp"
#include "wormcast/values/work_progress.hpp"

#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// All that was found out about a schedule.
struct CheckOutcome {
  CheckReport report;
  std::optional<ProgramCheck> program = {}; ///< of a program
  /// With how many virtual channels it cannot deadlock, where that was asked for.
  std::optional<DeadlockFreedom> freedom = {};
  /// Messages take other routes than those that were examined: nothing is known of contention.
  GridRouting routing = GridRouting::dimension_order;

  bool knows_paths() const { return routing == GridRouting::dimension_order; }
  /// Whether contention is proved or refuted; messages whose routes are not drawn can refute it alone.
  bool knows_contention() const
  {
    return knows_paths() && (report.costs.drawn_routes == 0 || report.contended_pairs > 0);
  }

  /// Of a program in a format that says what it has to achieve: what is wrong with its contents.
  std::vector<Finding> findings = {};

  bool valid() const
  {
    return report.valid() && report.ports_known && (!program || program->finishes()) && findings.empty();
  }
};

/// Checks a schedule, and what it does as a program where it is one. With a `routing` whose routes are not known
/// nothing is found out about contention.
CheckOutcome check_outcome(const Topology& topology, const Schedule& schedule, GridRouting routing,
                           const WorkProgress& progress = {});

/// Text of the object of `check --json`, format wormcast-check/1 (docs/formats.md), indented.
std::string check_json_text(const Topology& topology, const Schedule& schedule, const CheckOutcome& outcome);

/// The verdict for people, with the violations one a line.
std::string check_table(const Topology& topology, const Schedule& schedule, const CheckOutcome& outcome);

} // namespace wormcast
