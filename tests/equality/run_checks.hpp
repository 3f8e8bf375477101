#pragma once

#include "tests/equality/checks.hpp"
#include "tests/equality/observation.hpp"
#include "tests/equality/scenario.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"

namespace wormcast::testing {

/// What must be true of every run by itself. Each appends a line to `found` for what is not.

/// Totals are the sums of the records.
void check_totals(const Observation& run, Mismatches& found);

/// A run ends in a deadlock exactly where messages are left, says why, and not in a cycle where the channel
/// dependency graph has none.
void check_deadlock_report(const Scenario& scenario, const Observation& run, Mismatches& found, Tally& tally);

/// Where headers choose, counts the delivered messages by the route that they took.
void count_choices(const Scenario& scenario, const Observation& run, Tally& tally);

/// A message without a record of a wait is granted its port when it is ready, and takes the time that it would take on
/// an empty network; a lockstep run without records takes the sum over the steps.
void check_unrecorded(const Scenario& scenario, const Observation& run, Mismatches& found, Tally& tally);

/// The parts of the critical path follow one another without gaps and add up to the latency.
void check_parts(const CriticalPath& path, Time latency, Mismatches& found);

/// A run is explained unless it ended in a deadlock, and check_parts. With `loses_wait` the explanation is not told of
/// the last wait.
void check_explanation(const Scenario& scenario, EngineChoice engine, bool loses_wait, Mismatches& found, Tally& tally);

} // namespace wormcast::testing
