#include "wormcast/experiments/run/recorded_run.hpp"

#include "wormcast/experiments/config/keys.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

/// Sinks for all that there are.
RecordSinks sinks_of(const RunRecords& records, std::optional<PathRecorder>& recorder)
{
  RecordSinks sinks;
  TraceWriter* const trace = records.trace;
  const RecordSinks& others = records.sinks;
  if (trace != nullptr || recorder || others.contention) {
    sinks.contention = [trace, &recorder, &others](const ContentionRecord& record) {
      if (trace != nullptr) {
        trace->contention(record);
      }
      if (recorder) {
        recorder->contention(record);
      }
      if (others.contention) {
        others.contention(record);
      }
    };
  }
  if (trace != nullptr || recorder || others.occupancy) {
    sinks.occupancy = [trace, &recorder, &others](const OccupancyRecord& record) {
      if (trace != nullptr) {
        trace->occupancy(record);
      }
      if (recorder) {
        recorder->occupancy(record);
      }
      if (others.occupancy) {
        others.occupancy(record);
      }
    };
  }
  sinks.delivery = others.delivery;
  sinks.progress = records.progress;
  return sinks;
}

} // namespace

Experiment message_experiment(const Machine& machine, const Schedule& messages,
                              std::shared_ptr<const ProgramWords> words)
{
  Experiment experiment;
  experiment.topology = machine.topology;
  experiment.network = machine.network;
  experiment.algorithm = std::string(schedule_algorithm);
  experiment.given = std::make_shared<const Schedule>(messages);
  experiment.request.ports = machine.network.ports;
  experiment.request.duplex = machine.network.duplex;
  experiment.run = machine.run;
  experiment.effective = machine.effective;
  experiment.words = std::move(words);
  return experiment;
}

std::uint64_t size_of_trace(const Experiment& experiment, const Schedule& schedule)
{
  constexpr std::uint64_t bytes_of_message = 70;
  constexpr std::uint64_t bytes_of_record = 170;
  std::uint64_t channels = 2 * schedule.messages.size();
  for (const Message& message : schedule.messages) {
    channels += experiment.topology->distance(message.source, message.destination);
  }
  return schedule.messages.size() * bytes_of_message + channels * bytes_of_record;
}

RecordedRun run_recorded(const Experiment& experiment, const Schedule& schedule, const RunRecords& records)
{
  std::optional<PathRecorder> recorder;
  const bool is_explained = records.explain.detail != PathDetail::none;
  if (is_explained || records.path) {
    recorder.emplace(*experiment.topology, schedule, experiment.network);
  }
  const RecordSinks sinks = sinks_of(records, recorder);
  RecordedRun run{.outcome = run_experiment(experiment, schedule, sinks, records.clock), .explanation = {}};
  if (records.trace != nullptr) {
    records.trace->end(trace_end(run.outcome.simulation));
  }
  if (recorder) {
    std::optional<CriticalPath> path = critical_path(*experiment.topology, schedule, experiment.network, experiment.run,
                                                     run.outcome.simulation, recorder->finish(), records.starts);
    if (path && is_explained) {
      run.outcome.critical_path = explanation_json(experiment, schedule, *path, records.explain.groupings);
      run.explanation = "\n" + explanation_text(experiment, schedule, *path, records.explain);
    }
    run.path = std::move(path);
  }
  return run;
}

} // namespace wormcast
