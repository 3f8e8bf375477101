#include "wormcast/experiments/compare/choose.hpp"

#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/compare/choice_figure.hpp"
#include "wormcast/experiments/compare/choose_report.hpp"
#include "wormcast/experiments/compare/latency_figure.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/program/commands/sharing.hpp"
#include "wormcast/experiments/program/commands/study_pass.hpp"
#include "wormcast/experiments/program/commands/tuning_options.hpp"
#include "wormcast/experiments/sweep/figure_folder.hpp"
#include "wormcast/experiments/tuning_files/chosen_rules.hpp"
#include "wormcast/experiments/tuning_files/msccl_schedules.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

struct ChooseArguments {
  ConfigSource config;
  SharingArguments sharing;
  std::vector<std::string> algorithms;
  std::string lengths = "64..1MiB";
  TuningArguments tuning;
  ListingFiles files;
  std::optional<std::int64_t> repeat;
  std::optional<std::int64_t> jobs;
};

/// From this many simulations on people are told before they begin.
constexpr std::size_t many_simulations = 100;

void say_what_is_ahead(std::size_t candidates, std::size_t simulations)
{
  if (simulations >= many_simulations) {
    spdlog::info("{} candidates have no formula: at most {} simulations, then some more to find the boundaries",
                 candidates, simulations);
  }
}

SearchRange require_lengths(const std::string& text)
{
  try {
    if (const std::optional<SearchRange> range = parse_search_range(text)) {
      return *range;
    }
  } catch (const InputError& error) {
    throw InputError(fmt::format("--lengths: {}", error.what()));
  }
  throw InputError(fmt::format("--lengths: found \"{}\", expected lengths, such as 64..1MiB, 64,4KiB or 4KiB", text));
}

/// Throws InputError where the library of the options has nothing of the operation.
void require_format(const TuningArguments& tuning, const Experiment& experiment)
{
  if (const auto library = tuned_library(tuning)) {
    require_in_library(*library, configured_operation(experiment));
  } else if (tuning.wanted()) {
    require_in_msccl(configured_operation(experiment));
  }
}

std::string place_of(const Experiment& experiment, const Repeats& repeats)
{
  const std::string runs = repeats_text(repeats);
  return fmt::format("{} ranks on {}, rank r on node r{}{}", experiment.topology->host_count(),
                     experiment.topology->title(), runs.empty() ? "" : ", ", runs);
}

int choose(const ChooseArguments& arguments, Verbosity verbosity)
{
  check_listing(arguments.files);
  check_tuning(arguments.tuning, arguments.files);
  const SearchRange lengths = require_lengths(arguments.lengths);
  const RawConfig config = read_single_config(arguments.config, "choose");
  const Experiment experiment = make_experiment(config);
  const std::size_t jobs = job_count(arguments.jobs, experiment.run.threads);
  say_warnings(warnings_of(experiment));
  warn_of_equal_runs(experiment, arguments.repeat);
  require_format(arguments.tuning, experiment);
  const auto compute = [&](const WorkPass& pass) {
    StudyPass study(pass, jobs, verbosity);
    ChooseOptions options = {.tasks = study.tasks(), .repeat = arguments.repeat, .announce = say_what_is_ahead};
    Choice choice = choose_algorithms(experiment, arguments.algorithms, lengths, options);
    ChosenRules chosen;
    const auto library = tuned_library(arguments.tuning);
    if (library && choice.interrupted_by == 0 && !choice.has_gaps) {
      chosen = rules_of_choice(*library, experiment, choice, options);
    }
    PassOutcome came = study.end(choice.interrupted_by != 0 ? choice.interrupted_by : chosen.interrupted_by);
    came.report = [&, library, choice = std::move(choice), rules = std::move(chosen.rules),
                   store = pass.store]() mutable -> int {
      const auto figure = [&] { return choice_figure(experiment, choice, given_title(config)); };
      if (store != nullptr) {
        keep_figure(*store, "choose", figure);
      }
      for (const LeftOutAlgorithm& one : choice.left_out) {
        spdlog::debug("{} {} does not run here: {}", one.name, one.parameters, one.reason);
      }
      Listing listing = {.table = [&] { return choice_text(experiment, choice); },
                         .json = [&] { return choice_json_text(experiment, choice); },
                         .csv = [&] { return choice_csv(choice); },
                         .gnuplot_script = [&](const std::string& name) { return gnuplot_script(figure(), name); }};
      if (library) {
        rules.place = place_of(experiment, choice.repeats);
        write_rules(arguments.tuning, rules, listing);
      } else if (arguments.tuning.wanted()) {
        write_schedules(arguments.tuning, msccl_of_choice(experiment, choice), listing);
      }
      write_listing(arguments.files, listing);
      return exit_code::done;
    };
    return came;
  };
  return share_work(arguments.sharing, {.folder = arguments.sharing.out, .things = "simulations", .pass = compute});
}

} // namespace

Command choose_command()
{
  auto arguments = std::make_shared<ChooseArguments>();
  std::vector<CommandOption> options = {
      algorithms_option(arguments->algorithms),
      {.name = "--lengths",
       .target = &arguments->lengths,
       .text = "message lengths to choose for: first each twice the one before, a list such as 64,4KiB, or one "
               "(default: 64..1MiB)",
       .value = "FROM..TO|LIST"}};
  std::ranges::move(tuning_options(arguments->tuning, {"openmpi", "mpich", msccl_format}), std::back_inserter(options));
  options.push_back(listing_json_option(arguments->files, "the choice"));
  options.push_back(listing_csv_option(arguments->files, "the choice"));
  options.push_back(listing_picture_option(arguments->files, "the latencies of the fastest over --lengths"));
  options.push_back(repeat_option(arguments->repeat));
  options.push_back(jobs_option(arguments->jobs, "simulations at the same time"));
  return {.name = "choose",
          .summary = "which algorithm is the fastest at which message length",
          .options =
              config_options(arguments->config, with_sharing(std::move(options), arguments->sharing, kept_runs_text)),
          .action = [arguments](Verbosity verbosity) { return choose(*arguments, verbosity); },
          .for_ranks = true};
}

} // namespace wormcast
