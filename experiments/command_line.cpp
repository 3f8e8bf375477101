#include "wormcast/experiments/command_line.hpp"

#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/process/resources.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <variant>

namespace wormcast {

namespace {

constexpr const char* help_footer =
    R"(Exit codes: 0 done, 1 output or anything else, 2 wrong input, 3 a check failed, 4 deadlock.
Environment: TMPDIR (temporary files), NO_COLOR (heat maps without colours), WORMCAST_CONFIG (network of a SimGrid program).
Begin with: wormcast init > my.toml && wormcast run my.toml)";

constexpr const char* command_footer =
    "Besides: --quiet, --verbose, --force of all commands (wormcast --help says what they do).";

/// Names of the options that may stand after the commands given so far.
std::vector<std::string> option_names(const CLI::App& app)
{
  std::vector<std::string> names;
  for (const CLI::App* level = &app; level != nullptr;) {
    for (const CLI::Option* option : level->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        names.push_back("--" + name);
      }
    }
    const auto chosen = level->get_subcommands();
    level = chosen.empty() ? nullptr : chosen.front();
  }
  return names;
}

/// Names of the commands that may come next; none where one was given.
std::vector<std::string> command_names(const CLI::App& app)
{
  std::vector<std::string> names;
  if (app.get_subcommands().empty()) {
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(command->get_name());
    }
  }
  return names;
}

/// Accepts one of `choices`; else the error names them, and the nearest one.
CLI::Validator one_of(const std::vector<std::string>& choices)
{
  return CLI::Validator(
      [choices](std::string& found) {
        if (std::find(choices.begin(), choices.end(), found) != choices.end()) {
          return std::string();
        }
        return fmt::format("found \"{}\", expected one of {}{}", found, fmt::join(choices, ", "),
                           suggestion(found, choices));
      },
      fmt::format("{}", fmt::join(choices, "|")));
}

/// Refuses the empty text, which an unset variable of a shell leaves where a name should stand.
CLI::Validator not_empty()
{
  return CLI::Validator(
      [](std::string& found) { return found.empty() ? std::string("found nothing, expected a value") : std::string(); },
      "");
}

CLI::Validator whole_number()
{
  return CLI::Validator(
      [](std::string& found) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), number);
        return error == std::errc() && end == found.data() + found.size()
                   ? std::string()
                   : fmt::format("found \"{}\", expected a whole number", found);
      },
      "");
}

/// Makes the options of CLI11, one for each kind of target.
struct OptionMaker {
  CLI::App& command;
  const CommandOption& option;

  bool is_argument() const { return !option.name.starts_with('-'); }

  CLI::Option* operator()(bool* target) const { return command.add_flag(option.name, *target, option.text); }

  CLI::Option* operator()(std::string* target) const { return command.add_option(option.name, *target, option.text); }

  CLI::Option* operator()(std::optional<std::int64_t>* target) const
  {
    return command
        .add_option_function<std::int64_t>(
            option.name, [target](std::int64_t number) { *target = number; }, option.text)
        ->check(whole_number());
  }

  CLI::Option* operator()(std::vector<std::string>* target) const
  {
    return command.add_option(option.name, *target, option.text)->allow_extra_args(is_argument());
  }

  CLI::Option* operator()(CommaSeparated target) const
  {
    return command.add_option(option.name, *target.texts, option.text)->delimiter(',')->allow_extra_args(false);
  }

  CLI::Option* operator()(std::optional<std::pair<std::string, std::string>>* target) const
  {
    return command
        .add_option_function<std::vector<std::string>>(
            option.name,
            [target](const std::vector<std::string>& texts) { *target = std::pair(texts.front(), texts.back()); },
            option.text)
        ->expected(2);
  }
};

void add_command(CLI::App& app, const Command& command)
{
  CLI::App* added = app.add_subcommand(command.name, command.summary);
  added->fallthrough();
  added->footer(command_footer);
  for (const CommandOption& option : command.options) {
    CLI::Option* made = std::visit(OptionMaker{*added, option}, option.target);
    if (!option.value.empty()) {
      made->type_name(option.value);
    }
    if (!option.choices.empty()) {
      made->check(one_of(option.choices));
    } else if (!std::holds_alternative<bool*>(option.target)) {
      made->check(not_empty());
    }
    made->required(option.required);
  }
}

/// What is wrong with a command line that CLI11 did not accept, with the nearest command or option.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error)
{
  const auto unknown = app.remaining(true);
  if (unknown.empty()) {
    const auto commands = command_names(app);
    if (!commands.empty() && app.get_require_subcommand_min() > 0) {
      return fmt::format("no command, expected one of {}", fmt::join(commands, ", "));
    }
    return error.what();
  }
  const std::string& found = unknown.front();
  if (found.starts_with('-') && found != "-") {
    const std::string name = found.substr(0, found.find('='));
    return fmt::format("unknown option {}{}", name, suggestion(name, option_names(app)));
  }
  const auto commands = command_names(app);
  if (!commands.empty()) {
    return fmt::format("unknown command \"{}\", expected one of {}{}", found, fmt::join(commands, ", "),
                       suggestion(found, commands));
  }
  return fmt::format("unexpected argument \"{}\"", found);
}

void set_up_talk(Verbosity verbosity)
{
  spdlog::set_level(verbosity == Verbosity::quiet     ? spdlog::level::err
                    : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                      : spdlog::level::info);
}

} // namespace

int run_command_line(int argc, char** argv)
{
  CLI::App app(
      "Discrete-event simulator of wormhole-switched networks: broadcast and other collective operations, exact "
      "to the flit.",
      "wormcast");
  app.require_subcommand(1);
  app.set_version_flag("--version", build_description());
  app.set_help_all_flag("--help-all", "print the help of all commands");
  app.footer(help_footer);
  auto verbosity = Verbosity::normal;
  auto* verbose = app.add_flag_callback("--verbose", [&] { verbosity = Verbosity::verbose; }, "say more");
  app.add_flag_callback(
         "--quiet", [&] { verbosity = Verbosity::quiet; }, "say nothing but results and errors")
      ->excludes(verbose);
  bool force = false;
  app.add_flag("--force", force, "start also what needs more memory than is left, or writes more than 1 GiB");
  const std::vector<Command> commands = all_commands();
  for (const Command& command : commands) {
    add_command(app, command);
  }
  try {
    if (argc > 1 && std::string_view(argv[1]) == "help") { // "help run" is "run --help"
      std::vector<std::string> words(argv + 2, argv + std::min(argc, 3));
      if (words.empty() || std::ranges::find(commands, words.front(), &Command::name) != commands.end()) {
        words.insert(words.begin(), "--help"); // CLI11 takes the last one first
      }
      app.parse(words);
    } else {
      app.parse(argc, argv);
    }
  } catch (const CLI::CallForHelp&) {
    write_standard_output(app.help());
    return exit_code::done;
  } catch (const CLI::CallForAllHelp&) {
    write_standard_output(app.help("", CLI::AppFormatMode::All));
    return exit_code::done;
  } catch (const CLI::CallForVersion& version) {
    write_standard_output(fmt::format("{}\n", version.what()));
    return exit_code::done;
  } catch (const CLI::ParseError& error) {
    throw InputError(fmt::format("{} (wormcast --help says more)", usage_error(app, error)));
  }
  set_up_talk(verbosity);
  if (!force) {
    limit_resources();
  }
  const std::string chosen = app.get_subcommands().front()->get_name();
  return std::ranges::find(commands, chosen, &Command::name)->action(verbosity);
}

} // namespace wormcast
