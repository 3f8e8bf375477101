#include "wormcast/experiments/load/load_records.hpp"

#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/experiments/load/load_quantities.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/resources.hpp"
#include "wormcast/experiments/run/explanation.hpp"
#include "wormcast/experiments/run/recorded_run.hpp"
#include "wormcast/experiments/trace/writer.hpp"
#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/traffic/traffic_messages.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <memory>
#include <utility>

namespace wormcast {

namespace {

/// The option that is named where something is wrong.
const char* option_of(const LoadRecordsWanted& wanted)
{
  return !wanted.messages.empty() ? "--messages" : !wanted.traces.empty() ? "--trace" : "--explain";
}

/// The first message of a list that was generated in the window.
MessageId first_measured(const Schedule& messages, Time begin)
{
  const auto first = std::ranges::lower_bound(messages.plain, begin, {}, &PlainMessage::start);
  return MessageId{static_cast<std::uint32_t>(first - messages.plain.begin())};
}

/// Runs the messages, writes traces and explains.
void run_messages(const LoadRecordsWanted& wanted, const Experiment& list, const Schedule& messages,
                  const LoadResult& measured, LoadRecords& made)
{
  if (!wanted.traces.empty()) {
    claim_output(wanted.traces.size() * size_of_trace(list, messages), "the trace");
  }
  std::list<OutputFile> files;
  std::vector<std::unique_ptr<TraceWriter>> writers;
  for (const std::string& name : wanted.traces) {
    files.emplace_back(name);
    writers.push_back(make_trace_writer(name, list, messages, files.back().stream()));
  }
  const std::unique_ptr<TraceWriter> trace = make_joint_writer(std::move(writers));
  PathRecorder recorder(*list.topology, messages, list.network);
  RecordSinks sinks;
  if (wanted.explain) {
    sinks.contention = [&](const ContentionRecord& record) { recorder.contention(record); };
    sinks.occupancy = [&](const OccupancyRecord& record) { recorder.occupancy(record); };
  }
  const RecordedRun run =
      run_recorded(list, messages, {.trace = trace.get(), .sinks = sinks, .clock = RunClock::engine});
  for (OutputFile& file : files) {
    file.commit();
  }
  made.files.insert(made.files.end(), wanted.traces.begin(), wanted.traces.end());
  if (wanted.explain) {
    const MessageTimes times =
        times_of_messages(*list.topology, messages, list.network, list.run, run.outcome.simulation, recorder.finish(),
                          first_measured(messages, measured.warm_up), measured.messages);
    made.explanation = explanation_text(list, messages, times);
    made.explained = explanation_json(list, messages, times);
  }
}

} // namespace

std::optional<LoadExperiment> recorded_experiment(const LoadRecordsWanted& wanted, const RawConfig& config,
                                                  const SweepPlan& plan)
{
  if (!wanted.any()) {
    return std::nullopt;
  }
  if (wanted.messages == "-" || std::ranges::count(wanted.traces, "-") > 0) {
    throw InputError(fmt::format("{}: found \"-\", expected a file", option_of(wanted)));
  }
  LoadExperiment experiment = make_load_experiment(config);
  if (!plan.axes.empty() || experiment.load.points.size() != 1 || experiment.load.saturation) {
    throw InputError(fmt::format("{}: found several points or a sweep, expected one point, as traffic.load gives it "
                                 "without [load]",
                                 option_of(wanted)));
  }
  return experiment;
}

LoadRecords make_records(const LoadRecordsWanted& wanted, const LoadExperiment& experiment, const LoadPoint& point)
{
  LoadRecords made;
  if (point.state != PointState::done) {
    return made;
  }
  const LoadResult measured =
      simulate_load(*experiment.topology, experiment.network, experiment.traffic, point.offered, experiment.run);
  if (wanted.explain && (!has_latency(measured) || measured.unfinished > 0)) {
    throw InputError(fmt::format("--explain: there is no latency at the load {}, which is {}", point.offered,
                                 load_verdict_names.text(measured.verdict)));
  }
  const Time end = measured.warm_up + measured.measured + Time{measured.latency.largest + 1};
  const Schedule messages = traffic_messages(*experiment.topology, experiment.network, experiment.traffic,
                                             point.offered, experiment.run, end);
  if (!wanted.messages.empty()) {
    OutputFile output(wanted.messages);
    write_schedule(messages, output.stream());
    output.commit();
    made.files.emplace_back(wanted.messages);
  }
  if (!wanted.traces.empty() || wanted.explain) {
    run_messages(wanted, message_experiment(experiment, messages), messages, measured, made);
  }
  return made;
}

} // namespace wormcast
