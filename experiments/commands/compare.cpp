#include "wormcast/experiments/compare/compare.hpp"

#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/compare/compare_report.hpp"
#include "wormcast/experiments/compare/comparison_figure.hpp"
#include "wormcast/experiments/output/file.hpp"
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
  std::string json;
  std::string csv;
  std::string lengths = "64..1MiB";
  std::vector<std::string> pictures;
  std::optional<std::int64_t> jobs;
  bool fluid = false;
};

/// Throws InputError with the first reason where no algorithm could run.
void require_runs(const Comparison& comparison)
{
  const auto& all = comparison.algorithms;
  if (!all.empty() && std::ranges::all_of(all, [](const ComparedAlgorithm& algorithm) {
        return algorithm.state == ComparisonState::left_out || algorithm.state == ComparisonState::bad_input;
      })) {
    throw InputError(fmt::format("nothing to compare: {}", all.front().error));
  }
}

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
  if (arguments.json == "-" && arguments.csv == "-") {
    throw InputError("--json and --csv: found - for both, expected at most one of them on standard output");
  }
  CompareOptions options;
  options.algorithms = arguments.algorithms;
  options.jobs = job_count(arguments.jobs);
  options.fluid = arguments.fluid;
  try {
    options.lengths = parse_search_range(arguments.lengths);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--lengths: {}", error.what()));
  }
  for (const std::string& picture : arguments.pictures) {
    check_picture_name(picture);
  }
  if (!arguments.pictures.empty() && !options.lengths) {
    throw InputError("--picture: found --lengths none, expected the message lengths to draw");
  }
  const RawConfig config = read_single_config(arguments.config, "compare");
  const Experiment experiment = make_experiment(config);

  const InterruptGuard interrupts;
  ProgressLine line(verbosity != Verbosity::quiet);
  options.progress = [&](const SweepProgress& progress) { line.show(progress); };
  const Comparison comparison = compare_algorithms(experiment, options);
  line.clear();
  if (comparison.interrupted_by != 0) {
    spdlog::error("interrupted ({})", ::strsignal(comparison.interrupted_by));
    return exit_code::other;
  }
  require_runs(comparison);
  if (!arguments.json.empty()) {
    write_output(arguments.json, comparison_json_text(experiment, comparison));
  }
  if (!arguments.csv.empty()) {
    write_output(arguments.csv, comparison_csv(comparison));
  }
  if (!arguments.pictures.empty()) {
    const std::string name = std::filesystem::path(arguments.pictures.front()).stem().string();
    write_pictures(gnuplot_script(comparison_figure(experiment, comparison, *options.lengths), name),
                   arguments.pictures);
  }
  if (arguments.json != "-" && arguments.csv != "-") {
    write_standard_output(comparison_text(experiment, comparison));
  }
  return failure_code(comparison);
}

} // namespace

Command compare_command()
{
  auto arguments = std::make_shared<CompareArguments>();
  return {
      .name = "compare",
      .summary = "all algorithms for the configured operation side by side, and which is the fastest from which length",
      .options = config_options(
          arguments->config,
          {{.name = "--algorithms",
            .target = CommaSeparated{&arguments->algorithms},
            .text = "only these (wormcast list algorithms)",
            .value = "NAME,..."},
           {.name = "--json",
            .target = &arguments->json,
            .text = "write all as JSON (-: standard output, instead of the table)",
            .value = "FILE|-"},
           {.name = "--csv",
            .target = &arguments->csv,
            .text = "write the table as CSV (-: standard output, instead of the table)",
            .value = "FILE|-"},
           {.name = "--lengths",
            .target = &arguments->lengths,
            .text = "message lengths among which to find the fastest by simulation, or none (default: 64..1MiB)",
            .value = "FROM..TO"},
           {.name = "--picture",
            .target = &arguments->pictures,
            .text =
                "draw the latencies of the fastest by formula over --lengths (.svg, .png, .pdf, or .gnuplot for the "
                "program)",
            .value = "FILE"},
           {.name = "--fluid",
            .target = &arguments->fluid,
            .text = "also on SimGrid's fluid network models, one actor a node"},
           jobs_option(arguments->jobs, "runs at the same time")}),
      .action = [arguments](Verbosity verbosity) { return compare(*arguments, verbosity); }};
}

} // namespace wormcast
