#include "wormcast/experiments/run/run.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/process/resources.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/run/explanation.hpp"
#include "wormcast/experiments/run/recorded_run.hpp"
#include "wormcast/experiments/run/recorded_series.hpp"
#include "wormcast/experiments/run/series_result.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/experiments/trace/writer.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

struct RunArguments {
  ConfigSource config;
  std::string json;
  std::string csv;
  std::vector<std::string> traces;
  std::optional<std::int64_t> trace_round;
  std::string deliveries;
  std::string explain;
};

/// The files of one run, all opened before it, so that a path that cannot be written is found before hours of work.
struct RunOutputs {
  std::optional<OutputFile> json;
  std::optional<OutputFile> csv;
  std::list<OutputFile> traces; ///< in the order of the arguments
  std::optional<OutputFile> deliveries;

  explicit RunOutputs(const RunArguments& arguments)
  {
    const auto open = [](std::optional<OutputFile>& output, const std::string& file) {
      if (!file.empty()) {
        output.emplace(file);
      }
    };
    open(json, arguments.json);
    open(csv, arguments.csv);
    for (const std::string& trace : arguments.traces) {
      traces.emplace_back(trace);
    }
    open(deliveries, arguments.deliveries);
  }

  void commit()
  {
    for (OutputFile& trace : traces) {
      trace.commit();
    }
    for (auto* output : {&deliveries, &csv, &json}) {
      if (output->has_value()) {
        (*output)->commit();
      }
    }
  }
};

void check_outputs_differ(const RunArguments& arguments)
{
  std::vector<std::filesystem::path> files;
  const auto add = [&](const std::string& file) {
    if (!file.empty()) {
      std::error_code ignored;
      const std::filesystem::path resolved =
          std::filesystem::weakly_canonical(std::filesystem::absolute(file), ignored);
      files.push_back(file == "-" || resolved.empty() ? std::filesystem::path(file) : resolved);
    }
  };
  std::ranges::for_each(arguments.traces, add);
  add(arguments.json);
  add(arguments.csv);
  add(arguments.deliveries);
  std::ranges::sort(files);
  if (std::ranges::adjacent_find(files) != files.end()) {
    throw InputError("--json, --csv, --trace and --deliveries name the same file, expected different ones");
  }
}

bool uses_standard_output(const RunArguments& arguments)
{
  return arguments.json == "-" || arguments.csv == "-" || arguments.deliveries == "-" ||
         std::ranges::count(arguments.traces, "-") > 0;
}

/// The repetition of --repetition.
std::optional<std::uint32_t> traced_round(const RunArguments& arguments, const SeriesParameters& series)
{
  if (!arguments.trace_round) {
    return std::nullopt;
  }
  if (arguments.traces.empty()) {
    throw InputError("--repetition: found without --trace, expected both: it selects a repetition of the trace");
  }
  if (*arguments.trace_round < 0 || *arguments.trace_round >= series.rounds) {
    throw InputError(fmt::format("--repetition: found {}, but there are {} repetitions, numbered from 0",
                                 *arguments.trace_round, series.rounds));
  }
  return static_cast<std::uint32_t>(*arguments.trace_round);
}

/// Writes traces and deliveries of a series that has been run.
void record_series_of(const SeriesExperiment& experiment, const SeriesResult& result, const RunArguments& arguments,
                      RunOutputs& outputs)
{
  const std::optional<std::uint32_t> round = traced_round(arguments, experiment.series);
  if (!arguments.traces.empty()) {
    claim_output(arguments.traces.size() * size_of_series_trace(result, round),
                 round ? "the trace" : "the trace of all repetitions (--repetition: of one)");
  }
  std::vector<std::unique_ptr<TraceWriter>> writers;
  for (OutputFile& file : outputs.traces) {
    writers.push_back(make_trace_writer(arguments.traces[writers.size()], series_trace_head(experiment, result, round),
                                        file.stream()));
  }
  const std::unique_ptr<TraceWriter> trace = make_joint_writer(std::move(writers));
  record_series(experiment, result,
                {.trace = trace.get(),
                 .round = round,
                 .deliveries = outputs.deliveries ? &outputs.deliveries->stream() : nullptr});
}

/// A configuration with [broadcast] or [traffic] beside [algorithm].
int run_series_of(const RawConfig& config, const RunArguments& arguments)
{
  const SeriesExperiment experiment = make_series_experiment(config);
  say_warnings(warnings_of(experiment.single));
  traced_round(arguments, experiment.series);
  RunOutputs outputs(arguments);
  const SeriesResult result = run_series(experiment);
  std::optional<SeriesPaths> followed;
  if (!arguments.explain.empty() && !result.deadlock && !result.saturated) {
    followed = series_paths(series_setting(experiment), result);
  }
  if (!arguments.traces.empty() || outputs.deliveries) {
    record_series_of(experiment, result, arguments, outputs);
  }
  if (outputs.json) {
    outputs.json->stream() << series_text(experiment, result,
                                          followed ? explanation_json(experiment, *followed) : nullptr);
  }
  if (outputs.csv) {
    const PointState state = result.deadlock    ? PointState::deadlock
                             : result.saturated ? PointState::saturated
                                                : PointState::done;
    outputs.csv->stream() << single_run_csv({.config = json_text(experiment.single.effective, JsonLayout::one_line),
                                             .state = state,
                                             .result = series_text(experiment, result, nullptr),
                                             .error = result.deadlock ? series_deadlock(experiment, result) : ""},
                                            *experiment.single.topology);
  }
  outputs.commit();
  if (!uses_standard_output(arguments)) {
    write_standard_output(
        series_table(experiment, result) +
        (followed ? "\n" + explanation_text(experiment, *followed, {.detail = path_detail(arguments.explain)}) : ""));
  }
  if (result.deadlock) {
    spdlog::error("{}", series_deadlock(experiment, result));
    return exit_code::deadlock;
  }
  if (result.saturated) {
    spdlog::warn("the load saturates the network, so that there are no latencies");
  }
  return exit_code::done;
}

int run(const RunArguments& arguments, Verbosity verbosity)
{
  check_outputs_differ(arguments);
  const RawConfig config = read_single_config(arguments.config, "run");
  if (is_series(config)) {
    return run_series_of(config, arguments);
  }
  if (arguments.trace_round) {
    throw InputError("--repetition: a configuration without [broadcast] and [traffic] runs one broadcast, which is "
                     "traced as a whole");
  }
  const Experiment experiment = make_experiment(config);
  say_warnings(warnings_of(experiment));
  say_refuted(experiment);
  const std::shared_ptr<const Schedule> shared = simulated_schedule(experiment);
  const Schedule& schedule = *shared;
  if (!arguments.traces.empty()) {
    claim_output(arguments.traces.size() * size_of_trace(experiment, schedule), "the trace");
  }
  RunOutputs outputs(arguments);

  std::vector<std::unique_ptr<TraceWriter>> writers;
  for (OutputFile& file : outputs.traces) {
    writers.push_back(make_trace_writer(arguments.traces[writers.size()], experiment, schedule, file.stream()));
  }
  const std::unique_ptr<TraceWriter> trace = make_joint_writer(std::move(writers));
  ProgressLine line(verbosity != Verbosity::quiet && !uses_standard_output(arguments));
  const RecordedRun recorded = run_recorded(experiment, schedule,
                                            {.trace = trace.get(),
                                             .explain = {.detail = path_detail(arguments.explain)},
                                             .progress = line.of_work("messages delivered")});
  line.clear();
  const RunOutcome& outcome = recorded.outcome;
  spdlog::debug("engine {}: {} header hops, {} flit hops", outcome.simulation.engine, outcome.simulation.header_hops,
                outcome.simulation.flit_hops);

  if (outputs.deliveries) {
    outputs.deliveries->stream() << deliveries_text(outcome.simulation);
  }
  if (outputs.json) {
    outputs.json->stream() << result_text(experiment, outcome);
  }
  const std::string deadlock =
      outcome.simulation.deadlock ? explain_deadlock(*experiment.topology, schedule, *outcome.simulation.deadlock) : "";
  if (outputs.csv) {
    outputs.csv->stream() << single_run_csv({.config = json_text(experiment.effective, JsonLayout::one_line),
                                             .state = deadlock.empty() ? PointState::done : PointState::deadlock,
                                             .result = result_text(experiment, outcome),
                                             .error = deadlock},
                                            *experiment.topology);
  }
  outputs.commit();
  if (!uses_standard_output(arguments)) {
    write_standard_output(run_table(experiment, outcome) + recorded.explanation);
  }
  if (!deadlock.empty()) {
    spdlog::error("{}", deadlock);
    return exit_code::deadlock;
  }
  return exit_code::done;
}

} // namespace

Command run_command()
{
  auto arguments = std::make_shared<RunArguments>();
  return {
      .name = "run",
      .summary = "one simulation of a configuration",
      .options = config_options(
          arguments->config,
          {{.name = "--json",
            .target = &arguments->json,
            .text = "write the result as JSON (-: standard output, instead of the table)",
            .value = "FILE|-"},
           {.name = "--csv",
            .target = &arguments->csv,
            .text = "write the result with its configuration as a line of a sweep's results.csv (-: standard output, "
                    "instead of the table)",
            .value = "FILE|-"},
           {.name = "--trace",
            .target = &arguments->traces,
            .text = "write contention and channel occupancy: JSON lines, or trace events for *.perfetto.json; may be "
                    "given several times",
            .value = "FILE"},
           {.name = "--repetition",
            .target = &arguments->trace_round,
            .text = "of repeated broadcasts, or of those among traffic, trace this repetition alone (from 0)",
            .value = "N",
            .old_names = {"--trace-round"}},
           {.name = "--deliveries",
            .target = &arguments->deliveries,
            .text = "write when each message is delivered, as JSON",
            .value = "FILE"},
           explain_option(arguments->explain),
           unchecked_option(arguments->config)}),
      .action = [arguments](Verbosity verbosity) { return run(*arguments, verbosity); }};
}

} // namespace wormcast
