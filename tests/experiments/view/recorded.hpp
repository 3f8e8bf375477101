#pragma once

#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/view/view.hpp"

#include <string>
#include <utility>
#include <vector>

namespace wormcast::testing {

inline Experiment experiment_of(const std::string& config)
{
  const TemporaryDirectory folder;
  return make_experiment(read_config(folder.write("c.toml", config)));
}

/// A run in which messages wait often: every sender goes on as soon as it can.
inline Experiment contended_experiment()
{
  return experiment_of(with(small_config, "[4, 4]", "[8, 8]") +
                       "\n[run]\nmode = \"self_timed\"\nstart_jitter = \"5ms\"\nseed = 4\n");
}

/// A run's records as they were made, and as a recorder kept them.
struct Recorded {
  Experiment experiment;
  ViewedMessages messages;
  const Schedule& schedule;
  ViewRecorder recorder;
  std::vector<ContentionRecord> waits;
  std::vector<OccupancyRecord> occupancies;
  RunOutcome outcome;

  Recorded(Experiment made, const ViewLimits& limits)
      : experiment(std::move(made)), messages(shared_schedule(experiment)), schedule(*messages.operations().front()),
        recorder(*experiment.topology, messages, limits)
  {
    const RecordSinks kept = recorder.sinks();
    RecordSinks sinks;
    sinks.contention = [&](const ContentionRecord& record) {
      waits.push_back(record);
      kept.contention(record);
    };
    sinks.occupancy = [&](const OccupancyRecord& record) {
      occupancies.push_back(record);
      kept.occupancy(record);
    };
    outcome.costs = schedule_costs(*experiment.topology, schedule);
    outcome.simulation = simulate_core(*experiment.topology, schedule, experiment.network, experiment.run, sinks);
    recorder.finish(outcome.simulation.delivered);
  }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

  ViewedRun viewed() const { return viewed_run(experiment, messages, outcome, recorder); }
};

} // namespace wormcast::testing
