#include "wormcast/experiments/sweep/sweep.hpp"

#include "wormcast/experiments/config/random_draws.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/program/commands/sharing.hpp"
#include "wormcast/experiments/program/commands/stored_points.hpp"
#include "wormcast/experiments/program/commands/study_pass.hpp"
#include "wormcast/experiments/sweep/crossing_table.hpp"
#include "wormcast/experiments/sweep/figure.hpp"
#include "wormcast/experiments/sweep/plots.hpp"
#include "wormcast/experiments/sweep/repetitions.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

namespace wormcast {

namespace {

struct SweepArguments {
  ConfigSource config;
  SharingArguments sharing;
  std::optional<std::int64_t> jobs;
  std::optional<std::int64_t> repeat;
  std::vector<std::string> plots;
  bool all_columns = false;
  ListingFiles files;
};

int code_of(PointState state)
{
  switch (state) {
  case PointState::done:
  case PointState::saturated:
    return exit_code::done;
  case PointState::deadlock:
    return exit_code::deadlock;
  case PointState::bad_input:
    return exit_code::bad_input;
  case PointState::incomplete:
    return exit_code::failed_check;
  case PointState::died:
    break;
  }
  return exit_code::other;
}

/// Removes what an earlier sweep left in the folder and this one has not written: it would be taken for its own.
void remove_stale(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& written)
{
  std::vector<std::filesystem::path> old = {"statistics.csv", "differences.csv", "crossings.csv"};
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::filesystem::path name = entry.path().filename();
    std::string heading;
    if (name.extension() == ".gnuplot" && entry.is_regular_file(ignored) &&
        std::getline(std::ifstream(entry.path()), heading) &&
        heading.starts_with("# Draws " + name.stem().string() + ".svg")) {
      old.push_back(name);
      for (const std::string& ending : picture_endings()) {
        old.emplace_back(name.stem().string() + ending);
      }
    }
  }
  for (const std::filesystem::path& name : old) {
    if (std::ranges::find(written, folder / name) == written.end()) {
      std::filesystem::remove(folder / name, ignored);
    }
  }
}

/// The formulas of the curves, each at all points of its curve.
std::vector<std::optional<CostLine>> point_formulas(const SweepPlan& plan, const SweepCurves& curves,
                                                    const std::vector<LatencyFormula>& formulas)
{
  std::vector<std::optional<CostLine>> lines(plan.points.size());
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    for (const CurvePoint& point : curves.curves[i].points) {
      lines[point.point] = formulas[i].line;
    }
  }
  return lines;
}

/// The points with their configurations, not yet computed.
std::vector<StoredPoint> configured_points(const SweepPlan& plan)
{
  std::vector<StoredPoint> points;
  for (const SweepPoint& point : plan.points) {
    points.push_back({.key = point.key, .config = point.config, .state = PointState::died, .result = {}, .error = {}});
  }
  return points;
}

/// Whether seeds made no difference in any run that is done.
bool seeds_have_no_effect(const RunTable& table)
{
  const std::optional<std::size_t> latency = table.find("latency_us");
  if (!latency) {
    return false;
  }
  bool repeated = false;
  for (const RepeatedRuns& runs : repeated_runs(table)) {
    const std::vector<double> latencies = values_of(table, runs, *latency);
    repeated = repeated || latencies.size() > 1;
    if (std::ranges::adjacent_find(latencies, std::ranges::not_equal_to()) != latencies.end()) {
      return false;
    }
  }
  return repeated;
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
int report(const RawConfig& config, SweepPicture picture, const SweepOutcome& outcome, const SweepArguments& arguments,
           ResultStore& store, const std::filesystem::path& folder)
{
  const SweepPlan& plan = picture.plan;
  std::vector<std::filesystem::path> files = {folder / "results.csv"};
  const RunTable table = run_table(plan, outcome.points);
  write_output(files.back(), sweep_csv(table, arguments.all_columns));
  const SweepCurves curves = sweep_curves(plan, outcome.points);
  std::string text = sweep_listing(plan, outcome.points, curves);
  if (has_repetitions(table)) {
    text += plan.axes.size() == 1 ? "\n" + statistics_listing(table) : std::string();
    text += report_repetitions(table, folder, files);
    if (seeds_have_no_effect(table)) {
      spdlog::warn("runs with different seeds are all equal: seeds have an effect with {}", all_random_keys());
    }
  }
  int code = exit_code::done;
  if (!curves.curves.empty()) {
    const std::vector<LatencyFormula> formulas = curve_formulas(config, plan, curves);
    picture.formulas = point_formulas(plan, curves, formulas);
    const CrossingTable crossings = crossing_table(plan, curves, formulas);
    if (!crossings.groups.empty()) {
      files.push_back(folder / "crossings.csv");
      write_output(files.back(), crossings_csv(crossings, curves));
      text += "\n" + crossings_listing(crossings, curves);
    }
    const DrawnPlots drawn = draw_plots(picture, table, folder);
    files.insert(files.end(), drawn.files.begin(), drawn.files.end());
    for (const std::string& error : drawn.errors) {
      spdlog::error("{}", printable(error));
      code = drawn.bad_input ? exit_code::bad_input : exit_code::other;
    }
  }
  keep_picture(store, picture, table);
  remove_stale(folder, files);
  text += "\n";
  for (const std::filesystem::path& file : files) {
    text += file.string() + "\n";
  }
  write_listing(arguments.files, {.table = [&] { return text; },
                                  .json = [&] { return sweep_json_text(table, arguments.all_columns); },
                                  .csv = [&] { return sweep_csv(table, arguments.all_columns); }});

  const auto first = std::ranges::find_if(outcome.points, has_failed);
  if (first != outcome.points.end()) {
    spdlog::error("{} of {} points failed; the first: {}", std::ranges::count_if(outcome.points, has_failed),
                  outcome.points.size(), first->error);
    code = code_of(first->state);
  }
  return code;
}

std::unordered_set<std::string> keys_of(const SweepPlan& plan, const Shard& shard)
{
  const std::vector<bool> owned = owned_points(plan, shard);
  std::unordered_set<std::string> keys;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    if (owned[i]) {
      keys.insert(plan.points[i].key);
    }
  }
  return keys;
}

int sweep(const SweepArguments& arguments, Verbosity verbosity)
{
  check_listing(arguments.files);
  const RawConfig config = read_config(arguments.config, arguments.repeat);
  SweepPicture picture;
  picture.plan = plan_sweep(config);
  const std::size_t jobs = job_count(arguments.jobs, most_threads({&picture.plan, 1}));
  say_warnings(warnings_of(picture.plan));
  picture.title = sweep_title(config, picture.plan);
  picture.plots = config.plots;
  for (const std::string& text : arguments.plots) {
    picture.plots.push_back(parse_plot_request(text));
  }
  if (picture.plots.empty()) {
    picture.plots.push_back(plot_request({}, config.file.string()));
  }
  for (const PlotRequest& plot : picture.plots) {
    check_plot(plot, picture.plan);
  }
  const SweepPlan& plan = picture.plan;
  const RunTable planned = run_table(plan, configured_points(plan));
  check_plot_names(picture.plots, planned);
  const std::filesystem::path folder = store_folder(arguments.sharing.out, config.file);
  if (arguments.sharing.shard.empty()) {
    check_writable(arguments.files);
  }
  const auto compute = [&](const WorkPass& pass) {
    if (!pass.is_shard) {
      keep_picture(*pass.store, picture, planned); // can be drawn while it is running
    }
    StudyPass study(pass, jobs, verbosity);
    SweepOutcome outcome = run_sweep(config, plan, *pass.store, study.points());
    PassOutcome ended = study.end(outcome.interrupted_by);
    ended.counts = {.work = plan_basis(plan),
                    .computed = outcome.computed,
                    .kept = outcome.kept,
                    .total = plan.points.size() - outcome.missing.size()};
    for (const std::size_t point : outcome.missing) {
      ended.counts.left_out.push_back(fmt::format("{}", fmt::join(plan.points[point].cells, ", ")));
    }
    ended.report = [&, outcome = std::move(outcome), store = pass.store] {
      return report(config, std::move(picture), outcome, arguments, *store, folder);
    };
    return ended;
  };
  return share_work(arguments.sharing, {.folder = folder,
                                        .things = "points",
                                        .keys_of = [&plan](const Shard& shard) { return keys_of(plan, shard); },
                                        .pass = compute});
}

} // namespace

Command sweep_command()
{
  auto arguments = std::make_shared<SweepArguments>();
  return {.name = "sweep",
          .summary = "every combination of the values in [sweep]: results, CSV, figures",
          .options = config_options(
              arguments->config,
              with_sharing({listing_json_option(arguments->files, "the points"),
                            listing_csv_option(arguments->files, "results.csv"),
                            {.name = "--repeat",
                             .target = &arguments->repeat,
                             .text = "run everything with N seeds, from run.seed on, and add statistics.csv and "
                                     "differences.csv",
                             .value = "N"},
                            {.name = "--plot",
                             .target = &arguments->plots,
                             .text = "draw a plot: 'x=..., y=..., group=..., "
                                     "scale=...' (any number of times; wormcast list plot)",
                             .value = "PLOT"},
                            {.name = "--all-columns",
                             .target = &arguments->all_columns,
                             .text = "every key of the configuration as a column of results.csv, --json and --csv"},
                            jobs_option(arguments->jobs, "points computed at the same time"),
                            unchecked_option(arguments->config)},
                           arguments->sharing,
                           "folder for results.sqlite, results.csv, what is made of them, and the plots (default: out/ "
                           "and the configuration's name)")),
          .action = [arguments](Verbosity verbosity) { return sweep(*arguments, verbosity); },
          .for_ranks = true};
}

} // namespace wormcast
