#include "wormcast/experiments/load/load_figure.hpp"
#include "wormcast/experiments/load/load_folder.hpp"
#include "wormcast/experiments/load/load_nodes.hpp"
#include "wormcast/experiments/load/load_records.hpp"
#include "wormcast/experiments/load/load_repetitions.hpp"
#include "wormcast/experiments/load/load_report.hpp"
#include "wormcast/experiments/load/measure_curves.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/program/commands/sharing.hpp"
#include "wormcast/experiments/program/commands/stored_points.hpp"
#include "wormcast/experiments/program/commands/study_pass.hpp"
#include "wormcast/experiments/sweep/plots.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

struct LoadArguments {
  ConfigSource config;
  SharingArguments sharing;
  ListingFiles files;
  std::optional<std::int64_t> jobs;
  std::optional<std::int64_t> repeat;
  std::vector<std::string> plots;
  LoadRecordsWanted records;
};

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

/// Writes the files of complete curves and shows what is in them; `recorded` as from recorded_experiment(). Returns the
/// exit code.
int report_curves(LoadPicture picture, ResultStore& store, const std::filesystem::path& folder,
                  const LoadArguments& arguments, const std::optional<LoadExperiment>& recorded)
{
  const ListingFiles& wanted = arguments.files;
  LoadCurves& curves = picture.curves;
  store.put_sweep({.document = load_document(picture), .rows = {}});
  std::vector<std::filesystem::path> files = {folder / "results.csv"};
  write_output(files.back(), load_csv(curves));
  if (has_seeds(curves)) {
    files.push_back(folder / "statistics.csv");
    write_output(files.back(), load_statistics_csv(curves));
  }
  for (const std::string_view figures : {counted_figures::classes, counted_figures::nodes, counted_figures::pairs}) {
    if (const std::string csv = figures_csv(curves, figures); !csv.empty()) {
      files.push_back(folder / fmt::format("{}.csv", figures));
      write_output(files.back(), csv);
    }
  }
  const DrawnPlots drawn = draw_figures(load_figures(curves, picture.plots, picture.title), folder);
  files.insert(files.end(), drawn.files.begin(), drawn.files.end());
  for (const std::string& error : drawn.errors) {
    spdlog::warn("{}", error);
  }
  std::string explanation;
  if (recorded) {
    LoadPoint& point = curves.curves.front().points.front();
    LoadRecords records = make_records(arguments.records, *recorded, point);
    files.insert(files.end(), records.files.begin(), records.files.end());
    explanation = records.explanation;
    if (!records.explained.is_null()) {
      point.result["explanation"] = std::move(records.explained);
    }
  }
  const auto table = [&] {
    std::string text = load_listing(curves) + "\n";
    for (const std::filesystem::path& file : files) {
      text += file.string() + "\n";
    }
    return explanation.empty() ? text : text + "\n" + explanation;
  };
  write_listing(wanted, {.table = table,
                         .json = [&] { return json_text(load_json(curves), JsonLayout::indented) + "\n"; },
                         .csv = [&] { return load_csv(curves); }});
  return code_of(curves);
}

/// Throws where a curve cannot be measured, before hours go into the others.
void check_curves(const SweepPlan& plan)
{
  const auto wrong = [](const SweepPoint& point) { return !point.error.empty(); };
  const auto first = std::ranges::find_if(plan.points, wrong);
  if (first != plan.points.end()) {
    throw InputError(fmt::format("{} of {} curves cannot be measured; the first, {}: {}",
                                 std::ranges::count_if(plan.points, wrong), plan.points.size(),
                                 fmt::join(first->cells, ", "), first->error));
  }
}

int load(const LoadArguments& arguments, Verbosity verbosity)
{
  check_listing(arguments.files);
  const RawConfig config = read_config(arguments.config, arguments.repeat);
  std::vector<PlotRequest> asked_for;
  for (const std::string& text : arguments.plots) {
    asked_for.push_back(parse_plot_request(text));
  }
  const std::vector<PlotRequest> plots = load_plots(config, asked_for);
  const SweepPlan plan = plan_curves(config);
  check_curves(plan);
  const std::size_t jobs = job_count(arguments.jobs, most_threads({&plan, 1}));
  const std::optional<LoadExperiment> recorded = recorded_experiment(arguments.records, config, plan);
  say_warnings(warnings_of(plan, "curve"));
  const std::filesystem::path folder = store_folder(arguments.sharing.out, config.file);
  if (arguments.sharing.shard.empty()) {
    check_writable(arguments.files);
  }
  const auto compute = [&](const WorkPass& pass) {
    if (!pass.is_shard) {
      pass.store->put_sweep({.document = load_document(), .rows = {}});
    }
    StudyPass study(pass, jobs, verbosity);
    LoadCurves curves = measure_curves(config, plan, *pass.store, study.points());
    PassOutcome ended = study.end(curves.interrupted_by);
    ended.counts = {
        .work = plan_basis(plan), .computed = curves.computed, .kept = curves.kept, .left_out = curves.missing};
    ended.report = [&, curves = std::move(curves), store = pass.store] {
      return report_curves({curves, plots, load_title(config, plan)}, *store, folder, arguments, recorded);
    };
    return ended;
  };
  return share_work(arguments.sharing, {.folder = folder, .things = "points", .pass = compute});
}

} // namespace

Command load_command()
{
  auto arguments = std::make_shared<LoadArguments>();
  return {
      .name = "load",
      .summary = "latency over offered load of [traffic], up to saturation",
      .options = config_options(
          arguments->config,
          with_sharing({listing_json_option(arguments->files, "the curves"),
                        listing_csv_option(arguments->files, "results.csv"),
                        jobs_option(arguments->jobs, "points measured at the same time"),
                        {.name = "--repeat",
                         .target = &arguments->repeat,
                         .text = "measure every curve with N seeds, from run.seed on: means with 95 % intervals over "
                                 "the seeds, and statistics.csv",
                         .value = "N"},
                        {.name = "--messages",
                         .target = &arguments->records.messages,
                         .text = "of a single point: write its messages, until the last measured one has arrived, as a "
                                 "plain message list",
                         .value = "FILE"},
                        {.name = "--trace",
                         .target = &arguments->records.traces,
                         .text = "of a single point: write contention and channel occupancy of these messages: JSON "
                                 "lines, or trace events for *.perfetto.json; may be given several times",
                         .value = "FILE"},
                        {.name = "--explain",
                         .target = &arguments->records.explain,
                         .text = "of a single point: also print where its messages spent their time, from their "
                                 "generation to their delivery"},
                        {.name = "--plot",
                         .target = &arguments->plots,
                         .text = "draw a plot: 'x=..., y=..., scale=...' (any number of times; wormcast list plot)",
                         .value = "PLOT"}},
                       arguments->sharing,
                       "folder for results.sqlite, results.csv and the picture (default: out/ and the "
                       "configuration's name)")),
      .action = [arguments](Verbosity verbosity) { return load(*arguments, verbosity); },
      .for_ranks = true};
}

} // namespace wormcast
