#include "wormcast/experiments/sweep/sweep.hpp"

#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/sweep/crossing_table.hpp"
#include "wormcast/experiments/sweep/figure.hpp"
#include "wormcast/experiments/sweep/repetitions.hpp"
#include "wormcast/experiments/sweep/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>

namespace wormcast {

namespace {

struct SweepArguments {
  ConfigArguments config;
  std::string out;
  std::optional<std::int64_t> jobs;
  std::optional<std::int64_t> repeat;
  bool resume = false;
  bool all_columns = false;
};

int code_of(PointState state)
{
  switch (state) {
  case PointState::done:
    return exit_code::done;
  case PointState::deadlock:
    return exit_code::deadlock;
  case PointState::bad_input:
    return exit_code::bad_input;
  case PointState::died:
    break;
  }
  return exit_code::other;
}

/// What the points have in common, for the top of the figure: "mesh 32 x 32, startup 150us, 0.5us per byte".
std::string figure_title(const RawConfig& config, const SweepPlan& plan)
{
  const auto point = std::find_if(plan.points.begin(), plan.points.end(),
                                  [](const SweepPoint& candidate) { return !candidate.key.empty(); });
  const Experiment experiment = make_experiment(config, point->values);
  const auto varies = [&](std::string_view prefix) {
    return std::any_of(plan.axes.begin(), plan.axes.end(),
                       [&](const std::string& axis) { return axis.starts_with(prefix); });
  };
  std::string title = varies("topology.") ? "latency" : experiment.topology->title();
  if (!varies("network.startup")) {
    title += ", startup " + format_time(experiment.network.startup);
  }
  if (!varies("network.per_byte")) {
    title += ", " + format_microseconds(experiment.network.per_byte) + "us per byte";
  }
  return title;
}

/// Draws the figure; whether it is there.
bool draw(const Figure& figure, const std::filesystem::path& folder)
{
  if (write_figure(figure, folder, "latency") == PlotOutcome::written) {
    return true;
  }
  spdlog::error(
      "gnuplot is not installed, so {} and latency.png are not drawn: install the package gnuplot-nox and run "
      "again with --resume",
      (folder / "latency.svg").string());
  return false;
}

/// Removes what an earlier sweep left in the folder and this one has not written: it would be taken for its own.
void remove_stale(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& written)
{
  for (const char* name :
       {"statistics.csv", "differences.csv", "crossings.csv", "latency.gnuplot", "latency.svg", "latency.png"}) {
    if (std::ranges::find(written, folder / name) == written.end()) {
      std::error_code ignored;
      std::filesystem::remove(folder / name, ignored);
    }
  }
}

/// Whether seeds made no difference in any run that is done.
bool seeds_have_no_effect(const RunTable& table)
{
  const std::optional<std::size_t> latency = table.find("latency_us");
  return latency && std::ranges::all_of(repeated_runs(table), [&](const RepeatedRuns& runs) {
           const std::vector<double> latencies = values_of(table, runs, *latency);
           return std::ranges::adjacent_find(latencies, std::ranges::not_equal_to()) == latencies.end();
         });
}

/// Writes what several seeds come to, and returns it for people.
std::string report_repetitions(const RunTable& table, const std::filesystem::path& folder,
                               std::vector<std::filesystem::path>& files)
{
  files.push_back(folder / "statistics.csv");
  write_output(files.back(), statistics_csv(table));
  const std::vector<PairedDifference> differences = paired_differences(table);
  if (differences.empty()) {
    return {};
  }
  files.push_back(folder / "differences.csv");
  write_output(files.back(), differences_csv(table, differences));
  return "\n" + differences_listing(table, differences);
}

/// Writes the files of a finished sweep and shows what is in them. Returns the exit code.
int report(const RawConfig& config, const SweepPlan& plan, const SweepOutcome& outcome, const SweepArguments& arguments,
           const std::filesystem::path& folder)
{
  std::vector<std::filesystem::path> files = {folder / "results.csv"};
  const RunTable table = run_table(plan, outcome.points);
  write_output(files.back(), sweep_csv(table, arguments.all_columns));
  const SweepCurves curves = sweep_curves(plan, outcome.points);
  std::string text = sweep_listing(plan, outcome.points, curves);
  if (has_repetitions(table)) {
    text += plan.axes.size() == 1 ? "\n" + statistics_listing(table) : std::string();
    text += report_repetitions(table, folder, files);
    if (seeds_have_no_effect(table)) {
      spdlog::warn("runs with different seeds are all equal: seeds have an effect with run.start_jitter above 0 and "
                   "with run.tie_break = \"seeded\"");
    }
  }
  int code = exit_code::done;
  if (!curves.curves.empty()) {
    const std::vector<LatencyFormula> formulas = curve_formulas(config, plan, curves);
    const CrossingTable crossings = crossing_table(plan, curves, formulas);
    if (!crossings.groups.empty()) {
      files.push_back(folder / "crossings.csv");
      write_output(files.back(), crossings_csv(crossings, curves));
      text += "\n" + crossings_listing(crossings, curves);
    }
    try {
      if (draw(sweep_figure(plan, curves, formulas, figure_title(config, plan)), folder)) {
        files.insert(files.end(), {folder / "latency.svg", folder / "latency.png", folder / "latency.gnuplot"});
      } else {
        files.push_back(folder / "latency.gnuplot");
        code = exit_code::other;
      }
    } catch (const std::runtime_error& error) { // the numbers are worth having without the picture
      spdlog::error("{}", error.what());
      code = exit_code::other;
    }
  }
  remove_stale(folder, files);
  text += "\n";
  for (const std::filesystem::path& file : files) {
    text += file.string() + "\n";
  }
  write_standard_output(text);

  const auto failed = [](const StoredPoint& point) { return point.state != PointState::done; };
  const auto first = std::find_if(outcome.points.begin(), outcome.points.end(), failed);
  if (first != outcome.points.end()) {
    spdlog::error("{} of {} points failed; the first: {}",
                  std::count_if(outcome.points.begin(), outcome.points.end(), failed), outcome.points.size(),
                  first->error);
    code = code_of(first->state);
  }
  return code;
}

int sweep(const SweepArguments& arguments, Verbosity verbosity)
{
  SweepOptions options;
  options.jobs = job_count(arguments.jobs);
  RawConfig config = read_config(arguments.config.file, arguments.config.overrides);
  if (arguments.repeat) {
    set_repetitions(config, *arguments.repeat);
  }
  const SweepPlan plan = plan_sweep(config);
  const std::filesystem::path folder =
      arguments.out.empty() ? std::filesystem::path("out") / config.file.stem() : std::filesystem::path(arguments.out);
  const InterruptGuard interrupts;
  ResultStore store(folder, arguments.resume ? ResultStore::Opening::resume : ResultStore::Opening::fresh);

  ProgressLine line(verbosity != Verbosity::quiet);
  options.progress = [&](const SweepProgress& progress) { line.show(progress); };
  options.talk = [&](const SweepPoint& point, const std::string& talk) {
    if (verbosity == Verbosity::verbose) {
      line.clear();
      spdlog::debug("{}: {}", fmt::join(point.cells, ", "), talk);
    }
  };
  const SweepOutcome outcome = run_sweep(config, plan, store, options);
  line.clear();
  if (outcome.interrupted_by != 0) {
    spdlog::error("interrupted ({}): {} of {} points are kept in {}; go on with --resume",
                  ::strsignal(outcome.interrupted_by), outcome.kept + outcome.computed, plan.points.size(),
                  store.file().string());
    return exit_code::other;
  }
  spdlog::debug("{} points computed, {} kept from before, {} processes at a time", outcome.computed, outcome.kept,
                options.jobs);
  return report(config, plan, outcome, arguments, folder);
}

} // namespace

Command sweep_command()
{
  auto arguments = std::make_shared<SweepArguments>();
  return {.name = "sweep",
          .summary = "run every combination of the values in [sweep]: results, CSV, figures",
          .options = config_options(
              arguments->config, {{.name = "--out",
                                   .target = &arguments->out,
                                   .text = "folder for results.sqlite, results.csv, crossings.csv and latency.svg/.png "
                                           "(default: out/ and the configuration's name)",
                                   .value = "DIR"},
                                  {.name = "--repeat",
                                   .target = &arguments->repeat,
                                   .text = "run everything with the seeds 1 to N, and add statistics.csv and "
                                           "differences.csv",
                                   .value = "N"},
                                  {.name = "--all-columns",
                                   .target = &arguments->all_columns,
                                   .text = "every key of the configuration as a column of results.csv"},
                                  jobs_option(arguments->jobs, "points computed at the same time"),
                                  {.name = "--resume",
                                   .target = &arguments->resume,
                                   .text = "keep the results that are in DIR and compute what is missing"}}),
          .action = [arguments](Verbosity verbosity) { return sweep(*arguments, verbosity); }};
}

} // namespace wormcast
