#include "wormcast/experiments/compare/choose.hpp"

#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/compare/choose_report.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <memory>

namespace wormcast {

namespace {

struct ChooseArguments {
  ConfigSource config;
  std::vector<std::string> algorithms;
  std::string json;
  std::string csv;
  std::string lengths = "64..1MiB";
};

SearchRange require_lengths(const std::string& text)
{
  try {
    if (const std::optional<SearchRange> range = parse_search_range(text)) {
      return *range;
    }
  } catch (const InputError& error) {
    throw InputError(fmt::format("--lengths: {}", error.what()));
  }
  throw InputError(fmt::format("--lengths: found \"{}\", expected two lengths, such as 64..1MiB", text));
}

int choose(const ChooseArguments& arguments)
{
  if (arguments.json == "-" && arguments.csv == "-") {
    throw InputError("--json and --csv: found - for both, expected at most one of them on standard output");
  }
  const SearchRange lengths = require_lengths(arguments.lengths);
  const RawConfig config = read_single_config(arguments.config, "choose");
  const Experiment experiment = make_experiment(config);
  const Choice choice = choose_algorithms(experiment, arguments.algorithms, lengths);
  if (!arguments.json.empty()) {
    write_output(arguments.json, choice_json_text(experiment, choice));
  }
  if (!arguments.csv.empty()) {
    write_output(arguments.csv, choice_csv(choice));
  }
  if (arguments.json != "-" && arguments.csv != "-") {
    write_standard_output(choice_text(experiment, choice));
  }
  return exit_code::done;
}

} // namespace

Command choose_command()
{
  auto arguments = std::make_shared<ChooseArguments>();
  return {.name = "choose",
          .summary = "which algorithm is the fastest at which message length on the configured network",
          .options = config_options(arguments->config,
                                    {{.name = "--algorithms",
                                      .target = CommaSeparated{&arguments->algorithms},
                                      .text = "only these (wormcast list algorithms)",
                                      .value = "NAME,..."},
                                     {.name = "--lengths",
                                      .target = &arguments->lengths,
                                      .text = "message lengths to choose for (default: 64..1MiB)",
                                      .value = "FROM..TO"},
                                     {.name = "--json",
                                      .target = &arguments->json,
                                      .text = "write the choice as JSON (-: standard output, instead of the table)",
                                      .value = "FILE|-"},
                                     {.name = "--csv",
                                      .target = &arguments->csv,
                                      .text = "write the choice as CSV (-: standard output, instead of the table)",
                                      .value = "FILE|-"}}),
          .action = [arguments](Verbosity) { return choose(*arguments); }};
}

} // namespace wormcast
