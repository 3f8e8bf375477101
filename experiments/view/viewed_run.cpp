#include "wormcast/experiments/view/viewed_run.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

/// The last moment of anything that is recorded.
Time end_of_run(const SimulationResult& simulation, const ViewRecorder& recorder)
{
  Time end = simulation.deadlock ? simulation.deadlock->at : *simulation.latency;
  const auto extend = [&end](const auto& records) {
    for (const auto& record : records) {
      end = std::max(end, record.to);
    }
  };
  extend(recorder.occupancies());
  extend(recorder.waits());
  extend(recorder.steps());
  return end;
}

} // namespace

std::string view_title(const Experiment& experiment)
{
  return fmt::format("{}, {}", experiment.topology->title(),
                     experiment.given == nullptr        ? experiment.algorithm
                     : experiment.schedule_file.empty() ? schedule_name(experiment)
                                                        : experiment.schedule_file.filename().string());
}

ViewedRun viewed_run(const Experiment& experiment, const ViewedMessages& messages, const RunOutcome& outcome,
                     const ViewRecorder& recorder)
{
  const SimulationResult& simulation = outcome.simulation;
  ViewedRun run{.experiment = experiment,
                .messages = messages,
                .recorder = recorder,
                .delivered = simulation.delivered,
                .title = view_title(experiment),
                .rows = run_rows(experiment, outcome),
                .round = {},
                .remark = {},
                .deadlock = {},
                .begin = {},
                .end = end_of_run(simulation, recorder)};
  if (simulation.deadlock) {
    run.deadlock = explain_deadlock(*experiment.topology, *messages.operations().front(), *simulation.deadlock);
  }
  return run;
}

} // namespace wormcast
