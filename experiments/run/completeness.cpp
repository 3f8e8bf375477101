#include "wormcast/experiments/run/completeness.hpp"

#include "wormcast/algorithms/verifier/operation_check.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

/// "recursion_based", "schedule mine.json".
std::string title_of(const Experiment& experiment)
{
  return experiment.given != nullptr ? fmt::format("schedule {}", schedule_name(experiment)) : experiment.algorithm;
}

} // namespace

Completeness completeness(const Experiment& experiment, const Schedule& schedule)
{
  if (schedule.operation == Operation::none) {
    return {};
  }
  if (experiment.given == nullptr && find_algorithm(experiment.algorithm).always_complete) {
    return {.complete = true, .undone = {}};
  }
  // A placed schedule does its operation among the nodes with ranks alone.
  const LogicalSchedule logical =
      experiment.placement != nullptr ? logical_schedule(experiment) : LogicalSchedule{experiment.topology, nullptr};
  const Schedule& checked = logical.schedule != nullptr ? *logical.schedule : schedule;
  const OperationCheck check = check_operation(*logical.topology, checked);
  if (check.done()) {
    return {.complete = true, .undone = {}};
  }
  return {.complete = false, .undone = undone_text(*logical.topology, checked, check)};
}

Completeness require_completeness(const Experiment& experiment, const Schedule& schedule)
{
  Completeness found;
  try {
    found = completeness(experiment, schedule);
  } catch (const InputError& error) {
    if (!experiment.run.unchecked) {
      throw InputError(fmt::format("whether {} does its operation cannot be found out: {} (--unchecked, or "
                                   "run.unchecked = true, simulates it all the same)",
                                   title_of(experiment), error.what()));
    }
  }
  if (found.complete == false && !experiment.run.unchecked) {
    throw IncompleteSchedule(incomplete_text(title_of(experiment), found.undone));
  }
  return found;
}

std::string incomplete_text(std::string_view algorithm, std::string_view undone)
{
  return fmt::format("{} {} (\"wormcast check\" says why; --unchecked, "
                     "or run.unchecked = true, simulates it all the same)",
                     algorithm, undone);
}

} // namespace wormcast
