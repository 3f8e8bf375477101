#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/program/commands/sharing.hpp"
#include "wormcast/experiments/program/commands/stored_points.hpp"
#include "wormcast/experiments/program/commands/study_pass.hpp"
#include "wormcast/experiments/study/study_list.hpp"
#include "wormcast/experiments/study/study_report.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"
#include "wormcast/experiments/sweep/sweep.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

namespace wormcast {

namespace {

struct StudyArguments {
  std::string name; ///< or a file; empty: list the studies
  std::string scale = std::string(study_scale_names.text(StudyScale::quick));
  std::string runs; ///< runs.csv of an earlier run; empty: runs are computed
  SharingArguments sharing;
  ListingFiles files;
  std::optional<std::int64_t> jobs;
};

/// A study with the plans of its sweeps.
struct PlannedStudy {
  StudyFile study;
  std::vector<SweepPlan> plans;
};

/// Throws InputError where a configuration is wrong: a study is run as it was designed, or not at all.
PlannedStudy plan_study(StudyFile study)
{
  PlannedStudy planned{.study = std::move(study), .plans = {}};
  for (const RawConfig& sweep : planned.study.sweeps) {
    const SweepPlan& plan = planned.plans.emplace_back(plan_sweep(sweep));
    for (const SweepPoint& point : plan.points) {
      if (point.key.empty()) {
        throw InputError(fmt::format("{} ({})", point.error, fmt::join(point.cells, ", ")));
      }
    }
    say_warnings(warnings_of(plan));
  }
  return planned;
}

/// The runs with their configurations alone: what a design names must be there before anything is computed.
void check_planned(const PlannedStudy& planned)
{
  std::vector<RunTable> tables;
  for (const SweepPlan& plan : planned.plans) {
    std::vector<StoredPoint> points;
    for (const SweepPoint& point : plan.points) {
      points.push_back(
          {.key = point.key, .config = point.config, .state = PointState::died, .result = {}, .error = {}});
    }
    tables.push_back(run_table(plan, points));
  }
  const StudyObservations observations = study_observations(planned.study.design, tables, planned.plans);
  for (const StudyQuestion& question : planned.study.design.questions) {
    question_cells(planned.study.design, question, observations);
  }
}

std::string command_text(const StudyArguments& arguments)
{
  return fmt::format("wormcast study {}{}", arguments.name,
                     arguments.scale == study_scale_names.text(StudyScale::quick) ? std::string()
                                                                                  : " --scale " + arguments.scale);
}

/// Writes what the runs answer, into `folder` if it is not empty.
int report(const StudyDesign& design, const StudyObservations& observations, const StudyArguments& arguments,
           const std::filesystem::path& folder)
{
  const std::vector<StudyAnswer> answers = answer_study(design, observations);
  const StudyResult result{.design = design, .observations = observations, .answers = answers};
  std::string json = json_text(study_json(result), JsonLayout::indented) + "\n";
  std::string text = study_listing(result);
  if (!folder.empty()) {
    make_folder(folder);
    write_output(folder / "runs.csv", observations_csv(observations));
    write_output(folder / "study.json", json);
    write_output(folder / "study.md", study_page(result, command_text(arguments)));
    bool missing = false;
    for (const StudyAnswer& answer : answers) {
      missing = write_figure(answer_figure(answer), folder, answer_picture_name(design, *answer.question)) ==
                    PlotOutcome::gnuplot_missing ||
                missing;
    }
    if (missing) {
      spdlog::warn("gnuplot is missing, which draws the pictures");
    }
    text += fmt::format("\n{}\n{}\n{}\n", (folder / "study.md").string(), (folder / "study.json").string(),
                        (folder / "runs.csv").string());
  }
  write_listing(arguments.files, {.table = [&] { return text; },
                                  .json = [&] { return json; },
                                  .csv = [&] { return observations_csv(observations); }});
  return exit_code::done;
}

int answer_from_file(const StudyArguments& arguments, const StudyDesign& design)
{
  if (arguments.sharing.resume || arguments.sharing.no_run || !arguments.sharing.shard.empty()) {
    throw InputError("--runs: computes nothing, so that it cannot be combined with --resume, --shard or --no-run");
  }
  const std::string csv = read_whole_file(arguments.runs, any_length);
  return report(design, read_observations(design, csv, arguments.runs), arguments, arguments.sharing.out);
}

int run_study(const StudyArguments& arguments, const PlannedStudy& planned, Verbosity verbosity)
{
  const std::size_t jobs = job_count(arguments.jobs, most_threads(planned.plans));
  const StudyDesign& design = planned.study.design;
  const std::filesystem::path folder =
      arguments.sharing.out.empty() ? std::filesystem::path("out") / fmt::format("{}_{}", design.name, arguments.scale)
                                    : std::filesystem::path(arguments.sharing.out);
  const auto compute = [&](const WorkPass& pass) {
    StudyPass progress(pass, jobs, verbosity);
    std::vector<RunTable> tables;
    KeptCounts counts;
    int interrupted_by = 0;
    for (std::size_t i = 0; i < planned.plans.size() && interrupted_by == 0; ++i) {
      const SweepPlan& plan = planned.plans[i];
      const SweepOutcome outcome = run_sweep(planned.study.sweeps[i], plan, *pass.store, progress.points());
      interrupted_by = outcome.interrupted_by;
      counts.work += plan_basis(plan);
      counts.computed += outcome.computed;
      counts.kept += outcome.kept;
      counts.total += plan.points.size() - outcome.missing.size();
      for (const std::size_t point : outcome.missing) {
        counts.left_out.push_back(fmt::format("{}", fmt::join(plan.points[point].cells, ", ")));
      }
      if (outcome.missing.empty() && interrupted_by == 0) {
        tables.push_back(run_table(plan, outcome.points));
      }
    }
    PassOutcome ended = progress.end(interrupted_by);
    ended.counts = std::move(counts);
    ended.report = [&, tables = std::move(tables)] {
      return report(design, study_observations(design, tables, planned.plans), arguments, folder);
    };
    return ended;
  };
  const auto keys_of = [&](const Shard& shard) {
    std::unordered_set<std::string> keys;
    for (const SweepPlan& plan : planned.plans) {
      const std::vector<bool> owned = owned_points(plan, shard);
      for (std::size_t i = 0; i < plan.points.size(); ++i) {
        if (owned[i]) {
          keys.insert(plan.points[i].key);
        }
      }
    }
    return keys;
  };
  return share_work(arguments.sharing, {.folder = folder, .things = "runs", .keys_of = keys_of, .pass = compute});
}

int study(const StudyArguments& arguments, Verbosity verbosity)
{
  check_listing(arguments.files);
  if (arguments.name.empty()) {
    write_standard_output(study_list_text());
    return exit_code::done;
  }
  StudyFile found = find_study(arguments.name, study_scale_names.read(arguments.scale));
  if (!arguments.runs.empty()) {
    return answer_from_file(arguments, found.design);
  }
  const PlannedStudy planned = plan_study(std::move(found));
  check_planned(planned);
  return run_study(arguments, planned, verbosity);
}

std::vector<std::string> study_names()
{
  std::vector<std::string> names;
  for (const InstalledStudy& installed : installed_studies()) {
    names.emplace_back(installed.name);
  }
  return names;
}

} // namespace

Command study_command()
{
  auto arguments = std::make_shared<StudyArguments>();
  std::vector<CommandOption> options = {
      {.name = "NAME",
       .target = &arguments->name,
       .text = "a study, or a file of one in TOML (default: list the studies)",
       .names = study_names},
      {.name = "--scale",
       .target = &arguments->scale,
       .text = "how much of it is run: minutes, or about an hour (default quick)",
       .value = "SCALE",
       .choices = study_scale_names.texts()},
      {.name = "--runs",
       .target = &arguments->runs,
       .text = "compute nothing: answer the questions from runs.csv of an earlier run",
       .value = "FILE"},
      listing_json_option(arguments->files, "questions, cells and conclusions"),
      listing_csv_option(arguments->files, "the runs"),
      jobs_option(arguments->jobs, "runs computed at the same time")};
  return {.name = "study",
          .summary = "open questions as designed experiments, with conclusions",
          .options =
              with_sharing(std::move(options), arguments->sharing,
                           "folder for results.sqlite, runs.csv, study.json, study.md and the pictures (default: "
                           "out/NAME_SCALE)"),
          .action = [arguments](Verbosity verbosity) { return study(*arguments, verbosity); },
          .for_ranks = true};
}

} // namespace wormcast
