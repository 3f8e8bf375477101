#include "wormcast/experiments/compare/compare.hpp"

#include "wormcast/experiments/cluster/job.hpp"
#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/commands/listing.hpp"
#include "wormcast/experiments/commands/network_notes.hpp"
#include "wormcast/experiments/compare/compare_report.hpp"
#include "wormcast/experiments/compare/comparison_figure.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace wormcast {

namespace {

struct CompareArguments {
  ConfigSource config;
  std::vector<std::string> algorithms;
  std::string lengths = "64..1MiB";
  ListingFiles files;
  std::optional<std::int64_t> jobs;
  std::optional<std::int64_t> repeat;
  bool fluid = false;
};

/// The exit code for the first run that failed, with a word on it.
int failure_code(const Comparison& comparison)
{
  const auto failed = [](const ComparedAlgorithm& algorithm) {
    return algorithm.state != ComparisonState::done && algorithm.state != ComparisonState::left_out;
  };
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
  options.jobs = job_count(arguments.jobs);
  options.fluid = arguments.fluid;
  options.repeat = arguments.repeat;
  try {
    options.lengths = parse_search_range(arguments.lengths);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--lengths: {}", error.what()));
  }
  if (!arguments.files.pictures.empty() && !options.lengths) {
    throw InputError("--picture: found --lengths none, expected the message lengths to draw");
  }
  const RawConfig config = read_single_config(arguments.config, "compare");
  const Experiment experiment = make_experiment(config);
  say_warnings(warnings_of(experiment));
  warn_of_equal_runs(experiment, arguments.repeat);
  TaskWork work;
  std::unique_ptr<Workers> workers;
  if (job_ranks() > 1) { // to find the candidates takes a while
    work = compare_work(experiment, options);
    workers = workers_for(work, options.jobs);
    if (workers == nullptr) {
      return exit_code::done; // a rank that has computed for rank 0
    }
    options.workers = workers.get();
  }

  const InterruptGuard interrupts;
  ProgressLine line(verbosity != Verbosity::quiet);
  options.progress = [&](const SweepProgress& progress) { line.show(progress); };
  options.announce = [&](std::size_t candidates, std::size_t simulations) {
    if (!random_keys(experiment).empty()) { // else it takes but a twentieth of that
      line.clear();
      spdlog::info("{} candidates over --lengths: {} simulations, then some more to find the boundaries", candidates,
                   simulations);
    }
  };
  const Comparison comparison = compare_algorithms(experiment, options);
  line.clear();
  if (comparison.interrupted_by != 0) {
    spdlog::error("interrupted ({})", ::strsignal(comparison.interrupted_by));
    return exit_code::other;
  }
  require_runs(comparison);
  write_listing(arguments.files,
                {.table = [&] { return comparison_text(experiment, comparison); },
                 .json = [&] { return comparison_json_text(experiment, comparison); },
                 .csv = [&] { return comparison_csv(comparison); },
                 .gnuplot_script =
                     [&](const std::string& name) {
                       return gnuplot_script(comparison_figure(experiment, comparison, *options.lengths), name);
                     }});
  return failure_code(comparison);
}

} // namespace

Command compare_command()
{
  auto arguments = std::make_shared<CompareArguments>();
  return {.name = "compare",
          .summary =
              "all algorithms for the configured operation side by side, and which is the fastest from which length",
          .options = config_options(
              arguments->config,
              {{.name = "--algorithms",
                .target = CommaSeparated{&arguments->algorithms},
                .text = "only these (wormcast list algorithms)",
                .value = "NAME,..."},
               listing_json_option(arguments->files, "all"),
               listing_csv_option(arguments->files, "the table"),
               {.name = "--lengths",
                .target = &arguments->lengths,
                .text = "message lengths among which to find the fastest by simulation, or none (default: 64..1MiB)",
                .value = "FROM..TO"},
               listing_picture_option(arguments->files, "the latencies of the fastest by formula over --lengths"),
               {.name = "--fluid",
                .target = &arguments->fluid,
                .text = "also on SimGrid's fluid network models, one actor a node"},
               repeat_option(arguments->repeat),
               jobs_option(arguments->jobs, "runs at the same time")}),
          .action = [arguments](Verbosity verbosity) { return compare(*arguments, verbosity); },
          .for_ranks = true};
}

} // namespace wormcast
