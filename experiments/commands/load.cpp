#include "wormcast/experiments/cluster/job.hpp"
#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/commands/network_notes.hpp"
#include "wormcast/experiments/commands/stored_points.hpp"
#include "wormcast/experiments/load/load_repetitions.hpp"
#include "wormcast/experiments/load/load_report.hpp"
#include "wormcast/experiments/load/measure_curves.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/sweep/plots.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

namespace wormcast {

namespace {

struct LoadArguments {
  ConfigSource config;
  std::string out;
  std::string json;
  std::optional<std::int64_t> jobs;
  std::optional<std::int64_t> repeat;
  bool resume = false;
};

constexpr const char* picture_name = "latency_load";

/// What the curves have in common: the network of the first one.
std::string figure_title(const LoadExperiment& experiment)
{
  return fmt::format("{}, router {}, {} virtual channel{}, buffers of {} flits", experiment.topology->title(),
                     router_name(experiment.network.router), experiment.network.virtual_channels,
                     experiment.network.virtual_channels == 1 ? "" : "s", experiment.network.buffer_flits);
}

std::string title_of(const RawConfig& config, const SweepPlan& plan)
{
  for (const SweepPoint& point : plan.points) {
    const bool varies_network = std::ranges::any_of(
        plan.axes, [](const std::string& axis) { return !axis.starts_with("traffic.") && !axis.starts_with("run."); });
    if (point.error.empty()) {
      return varies_network ? "latency under load" : figure_title(make_load_experiment(config, point.values));
    }
  }
  return {};
}

/// The exit code of what went wrong, with the first error.
int code_of(const LoadCurves& curves)
{
  for (const LoadCurve& curve : curves.curves) {
    if (!curve.error.empty()) {
      spdlog::error("{}", curve.error);
      return exit_code::bad_input;
    }
    for (const LoadPoint& point : curve.points) {
      if (point.state == PointState::done) {
        continue;
      }
      spdlog::error("load {}: {}", point.offered, point.error);
      return point.state == PointState::deadlock    ? exit_code::deadlock
             : point.state == PointState::bad_input ? exit_code::bad_input
                                                    : exit_code::other;
    }
  }
  return exit_code::done;
}

int load(const LoadArguments& arguments, Verbosity verbosity)
{
  SweepOptions options;
  options.jobs = job_count(arguments.jobs);
  RawConfig config = read_config(arguments.config);
  if (arguments.repeat) {
    repeat_curves(config, *arguments.repeat);
  }
  const SweepPlan plan = plan_curves(config);
  say_warnings(warnings_of(plan, "curve"));
  const TaskWork work = load_work(config, plan);
  const std::unique_ptr<Workers> workers = workers_for(work, options.jobs);
  if (workers == nullptr) {
    return exit_code::done; // a rank that has computed for rank 0
  }
  options.workers = workers.get();
  const std::filesystem::path folder = store_folder(arguments.out, config.file);
  std::optional<OutputFile> json;
  if (!arguments.json.empty()) {
    json.emplace(arguments.json);
  }
  const InterruptGuard interrupts;
  ResultStore store(folder, arguments.resume ? ResultStore::Opening::resume : ResultStore::Opening::fresh);
  store.put_sweep({.document = std::string(load_document()), .rows = {}});
  ProgressLine line(verbosity != Verbosity::quiet);
  show_progress(options, line, verbosity);
  const LoadCurves curves = measure_curves(config, plan, store, options);
  line.clear();
  if (curves.interrupted_by != 0) {
    return say_interrupted(curves.interrupted_by, fmt::to_string(curves.kept + curves.computed), store);
  }
  spdlog::debug("{} points measured, {} kept from before, {} processes at a time", curves.computed, curves.kept,
                options.jobs);
  std::vector<std::filesystem::path> files = {folder / "results.csv"};
  write_output(files.back(), load_csv(curves));
  if (has_seeds(curves)) {
    files.push_back(folder / "statistics.csv");
    write_output(files.back(), load_statistics_csv(curves));
  }
  const Figure figure = load_figure(curves, title_of(config, plan));
  if (!figure.panels.front().series.empty()) {
    const bool drawn = write_figure(figure, folder, picture_name) == PlotOutcome::written;
    files.push_back(folder / fmt::format("{}.gnuplot", picture_name));
    if (drawn) {
      for (const std::string& ending : picture_endings()) {
        files.push_back(folder / (picture_name + ending));
      }
    } else {
      spdlog::warn("gnuplot is missing: no picture, but its program, {}", files.back().string());
    }
  }
  if (json) {
    json->stream() << json_text(load_json(curves), JsonLayout::indented) << '\n';
    json->commit();
  }
  if (arguments.json != "-") {
    std::string text = load_listing(curves) + "\n";
    for (const std::filesystem::path& file : files) {
      text += file.string() + "\n";
    }
    write_standard_output(text);
  }
  return code_of(curves);
}

} // namespace

Command load_command()
{
  auto arguments = std::make_shared<LoadArguments>();
  return {.name = "load",
          .summary = "latency-load curves of [traffic]: points as listed or chosen, saturation, intervals, figures",
          .options = config_options(arguments->config,
                                    {{.name = "--out",
                                      .target = &arguments->out,
                                      .text = "folder for results.sqlite, results.csv and the picture (default: out/ "
                                              "and the configuration's name)",
                                      .value = "DIR"},
                                     {.name = "--json",
                                      .target = &arguments->json,
                                      .text = "write the curves as JSON to FILE (- for stdout)",
                                      .value = "FILE|-"},
                                     jobs_option(arguments->jobs, "points measured at the same time"),
                                     {.name = "--repeat",
                                      .target = &arguments->repeat,
                                      .text = "measure every curve with N seeds, from run.seed on: means with 95 % "
                                              "intervals over the seeds, and statistics.csv",
                                      .value = "N"},
                                     {.name = "--resume",
                                      .target = &arguments->resume,
                                      .text = "keep the results that are in DIR and measure what is missing"}}),
          .action = [arguments](Verbosity verbosity) { return load(*arguments, verbosity); },
          .for_ranks = true};
}

} // namespace wormcast
