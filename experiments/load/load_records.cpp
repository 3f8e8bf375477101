#include "wormcast/experiments/load/load_records.hpp"

#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/resources.hpp"
#include "wormcast/experiments/run/recorded_run.hpp"
#include "wormcast/experiments/trace/writer.hpp"
#include "wormcast/simulator/traffic/traffic_messages.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <memory>
#include <utility>

namespace wormcast {

namespace {

/// The end of the window in which a point was measured.
Time end_of_window(const LoadPoint& point)
{
  const double microseconds = point.value("warm_up_us").get<double>() + point.value("measured_us").get<double>();
  return Time{std::llround(microseconds * 1e6)};
}

void write_traces(const std::vector<std::string>& names, const LoadExperiment& experiment, const Schedule& messages)
{
  const Experiment list = message_experiment(experiment, messages);
  claim_output(names.size() * size_of_trace(list, messages), "the trace");
  std::list<OutputFile> files;
  std::vector<std::unique_ptr<TraceWriter>> writers;
  for (const std::string& name : names) {
    files.emplace_back(name);
    writers.push_back(make_trace_writer(name, list, messages, files.back().stream()));
  }
  const std::unique_ptr<TraceWriter> trace = make_joint_writer(std::move(writers));
  run_recorded(list, messages, {.trace = trace.get(), .clock = RunClock::engine});
  for (OutputFile& file : files) {
    file.commit();
  }
}

} // namespace

std::optional<LoadExperiment> recorded_experiment(const LoadRecordFiles& wanted, const RawConfig& config,
                                                  const SweepPlan& plan)
{
  if (!wanted.any()) {
    return std::nullopt;
  }
  const char* option = wanted.messages.empty() ? "--trace" : "--messages";
  if (wanted.messages == "-" || std::ranges::count(wanted.traces, "-") > 0) {
    throw InputError(fmt::format("{}: found \"-\", expected a file", option));
  }
  LoadExperiment experiment = make_load_experiment(config);
  if (!plan.axes.empty() || experiment.load.points.size() != 1 || experiment.load.saturation) {
    throw InputError(fmt::format("{}: found several points or a sweep, expected one point, as traffic.load gives it "
                                 "without [load]",
                                 option));
  }
  return experiment;
}

std::vector<std::filesystem::path> write_records(const LoadRecordFiles& wanted, const LoadExperiment& experiment,
                                                 const LoadPoint& point)
{
  if (point.state != PointState::done) {
    return {};
  }
  const Schedule messages = traffic_messages(*experiment.topology, experiment.network, experiment.traffic,
                                             point.offered, experiment.run, end_of_window(point));
  std::vector<std::filesystem::path> files;
  if (!wanted.messages.empty()) {
    OutputFile output(wanted.messages);
    write_schedule(messages, output.stream());
    output.commit();
    files.emplace_back(wanted.messages);
  }
  if (!wanted.traces.empty()) {
    write_traces(wanted.traces, experiment, messages);
    files.insert(files.end(), wanted.traces.begin(), wanted.traces.end());
  }
  return files;
}

} // namespace wormcast
