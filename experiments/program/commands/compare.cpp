#include "wormcast/experiments/compare/compare.hpp"

#include "wormcast/experiments/compare/compare_report.hpp"
#include "wormcast/experiments/compare/comparison_figure.hpp"
#include "wormcast/experiments/compare/latency_figure.hpp"
#include "wormcast/experiments/config/random_draws.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/program/commands/sharing.hpp"
#include "wormcast/experiments/program/commands/study_pass.hpp"
#include "wormcast/experiments/sweep/figure_folder.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

struct CompareArguments {
  ConfigSource config;
  SharingArguments sharing;
  std::vector<std::string> algorithms;
  std::string lengths = "64..1MiB";
  ListingFiles files;
  std::optional<std::int64_t> jobs;
  std::optional<std::int64_t> repeat;
  bool fluid = false;
};

/// The exit code for the first run that failed, with a word on it. That another algorithm than the configured one ends
/// in a deadlock is a result of the comparison.
int failure_code(const Comparison& comparison)
{
  const auto is_done = [](const ComparedAlgorithm& algorithm) { return algorithm.state == ComparisonState::done; };
  const bool none_done = std::ranges::none_of(comparison.algorithms, is_done);
  const auto failed = [&](const ComparedAlgorithm& algorithm) {
    return !is_done(algorithm) && algorithm.state != ComparisonState::left_out &&
           (algorithm.state != ComparisonState::deadlock || algorithm.configured || none_done);
  };
  const auto is_deadlock = [&](const ComparedAlgorithm& algorithm) {
    return algorithm.state == ComparisonState::deadlock && !failed(algorithm);
  };
  if (const auto deadlocks = std::ranges::count_if(comparison.algorithms, is_deadlock); deadlocks > 0) {
    spdlog::warn("{} of {} algorithms end{} in a deadlock on this network: the table names {}", deadlocks,
                 comparison.algorithms.size(), deadlocks == 1 ? "s" : "", deadlocks == 1 ? "it" : "them");
  }
  const auto first = std::ranges::find_if(comparison.algorithms, failed);
  if (first == comparison.algorithms.end()) {
    return exit_code::done;
  }
  spdlog::error("{} of {} runs failed; the first: {}{}{}: {}", std::ranges::count_if(comparison.algorithms, failed),
                comparison.algorithms.size(), first->name, first->parameters.empty() ? "" : " ", first->parameters,
                first->error);
  switch (first->state) {
  case ComparisonState::deadlock:
    return exit_code::deadlock;
  case ComparisonState::bad_input:
    return exit_code::bad_input;
  default:
    return exit_code::other;
  }
}

int compare(const CompareArguments& arguments, Verbosity verbosity)
{
  check_listing(arguments.files);
  CompareOptions options;
  options.algorithms = arguments.algorithms;
  options.fluid = arguments.fluid;
  options.repeat = arguments.repeat;
  try {
    options.lengths = parse_search_range(arguments.lengths);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--lengths: {}", error.what()));
  }
  if (!arguments.files.pictures.empty()) {
    require_drawn_lengths(options.lengths);
  }
  const RawConfig config = read_single_config(arguments.config, "compare");
  const Experiment experiment = make_experiment(config);
  const std::size_t jobs = job_count(arguments.jobs, experiment.run.threads);
  options.without_faults = experiment_without_faults(config, experiment);
  say_warnings(warnings_of(experiment));
  warn_of_equal_runs(experiment, arguments.repeat);
  const auto compute = [&](const WorkPass& pass) {
    StudyPass study(pass, jobs, verbosity);
    options.tasks = study.tasks();
    options.announce = [&](std::size_t candidates, std::size_t simulations) {
      if (!random_keys(experiment).empty()) { // else it takes but a twentieth of that
        study.line().clear();
        spdlog::info("{} candidates over --lengths: {} simulations, then some more to find the boundaries", candidates,
                     simulations);
      }
    };
    Comparison comparison = compare_algorithms(experiment, options);
    PassOutcome came = study.end(comparison.interrupted_by);
    came.report = [&, comparison = std::move(comparison), store = pass.store] {
      require_runs(comparison);
      const auto figure = [&] {
        return comparison_figure(experiment, comparison, options.lengths, given_title(config));
      };
      if (store != nullptr) {
        keep_figure(*store, "compare", figure);
      }
      write_listing(arguments.files,
                    {.table = [&] { return comparison_text(experiment, comparison); },
                     .json = [&] { return comparison_json_text(experiment, comparison); },
                     .csv = [&] { return comparison_csv(comparison); },
                     .gnuplot_script = [&](const std::string& name) { return gnuplot_script(figure(), name); }});
      return failure_code(comparison);
    };
    return came;
  };
  return share_work(arguments.sharing, {.folder = arguments.sharing.out, .things = "runs", .pass = compute});
}

} // namespace

Command compare_command()
{
  auto arguments = std::make_shared<CompareArguments>();
  return {
      .name = "compare",
      .summary = "all algorithms of an operation side by side at one length",
      .options = config_options(
          arguments->config,
          with_sharing(
              {algorithms_option(arguments->algorithms),
               listing_json_option(arguments->files, "all"),
               listing_csv_option(arguments->files, "the table"),
               {.name = "--lengths",
                .target = &arguments->lengths,
                .text = "message lengths among which to find the fastest by simulation: each twice the one before, a "
                        "list such as 64,4KiB, or none (default: 64..1MiB)",
                .value = "FROM..TO|LIST"},
               listing_picture_option(arguments->files, "the latencies of the fastest by formula over --lengths"),
               {.name = "--fluid",
                .target = &arguments->fluid,
                .text = "also on SimGrid's fluid network models, one actor a node"},
               repeat_option(arguments->repeat),
               jobs_option(arguments->jobs, "runs at the same time")},
              arguments->sharing, kept_runs_text)),
      .action = [arguments](Verbosity verbosity) { return compare(*arguments, verbosity); },
      .for_ranks = true};
}

} // namespace wormcast
