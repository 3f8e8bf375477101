#include "wormcast/experiments/compare/choose.hpp"

#include "wormcast/experiments/compare/choose_report.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/program/commands/sharing.hpp"
#include "wormcast/experiments/program/commands/study_pass.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

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

int choose(const ChooseArguments& arguments, Verbosity verbosity)
{
  check_listing(arguments.files);
  const SearchRange lengths = require_lengths(arguments.lengths);
  const RawConfig config = read_single_config(arguments.config, "choose");
  const Experiment experiment = make_experiment(config);
  say_warnings(warnings_of(experiment));
  warn_of_equal_runs(experiment, arguments.repeat);
  const auto compute = [&](const WorkPass& pass) {
    StudyPass study(pass, job_count(arguments.jobs), verbosity);
    Choice choice =
        choose_algorithms(experiment, arguments.algorithms, lengths,
                          {.tasks = study.tasks(), .repeat = arguments.repeat, .announce = say_what_is_ahead});
    PassOutcome came = study.end(choice.interrupted_by);
    came.report = [&, choice = std::move(choice)]() -> int {
      for (const LeftOutAlgorithm& one : choice.left_out) {
        spdlog::debug("{} {} does not run here: {}", one.name, one.parameters, one.reason);
      }
      write_listing(arguments.files, {.table = [&] { return choice_text(experiment, choice); },
                                      .json = [&] { return choice_json_text(experiment, choice); },
                                      .csv = [&] { return choice_csv(choice); }});
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
  return {.name = "choose",
          .summary = "which algorithm is the fastest at which message length",
          .options = config_options(arguments->config,
                                    with_sharing({algorithms_option(arguments->algorithms),
                                                  {.name = "--lengths",
                                                   .target = &arguments->lengths,
                                                   .text = "message lengths to choose for: first each twice the one "
                                                           "before, a list such as 64,4KiB, or one (default: 64..1MiB)",
                                                   .value = "FROM..TO|LIST"},
                                                  listing_json_option(arguments->files, "the choice"),
                                                  listing_csv_option(arguments->files, "the choice"),
                                                  repeat_option(arguments->repeat),
                                                  jobs_option(arguments->jobs, "simulations at the same time")},
                                                 arguments->sharing, kept_runs_text)),
          .action = [arguments](Verbosity verbosity) { return choose(*arguments, verbosity); },
          .for_ranks = true};
}

} // namespace wormcast
