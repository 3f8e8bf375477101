#include "wormcast/experiments/run/recorded_run.hpp"

#include "wormcast/experiments/run/explanation.hpp"

#include <optional>

namespace wormcast {

namespace {

/// Sinks for those of both that there are.
RecordSinks sinks_of(TraceWriter* trace, std::optional<PathRecorder>& recorder)
{
  RecordSinks sinks;
  if (trace != nullptr || recorder) {
    sinks.contention = [trace, &recorder](const ContentionRecord& record) {
      if (trace != nullptr) {
        trace->contention(record);
      }
      if (recorder) {
        recorder->contention(record);
      }
    };
    sinks.occupancy = [trace, &recorder](const OccupancyRecord& record) {
      if (trace != nullptr) {
        trace->occupancy(record);
      }
      if (recorder) {
        recorder->occupancy(record);
      }
    };
  }
  return sinks;
}

} // namespace

RecordedRun run_recorded(const Experiment& experiment, const Schedule& schedule, const RunRecords& records)
{
  std::optional<PathRecorder> recorder;
  if (records.explain) {
    recorder.emplace(schedule, experiment.network);
  }
  RecordSinks sinks = sinks_of(records.trace, recorder);
  sinks.progress = records.progress;
  RecordedRun run{.outcome = run_experiment(experiment, schedule, sinks), .explanation = {}};
  if (records.trace != nullptr) {
    records.trace->end(run.outcome.simulation);
  }
  if (recorder) {
    const std::optional<CriticalPath> path =
        critical_path(*experiment.topology, schedule, experiment.network, experiment.run, run.outcome.simulation,
                      recorder->take(), records.starts);
    if (path) {
      run.outcome.critical_path = explanation_json(experiment, schedule, *path);
      run.explanation = "\n" + explanation_text(experiment, schedule, *path);
    }
  }
  return run;
}

} // namespace wormcast
