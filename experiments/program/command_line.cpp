#include "wormcast/experiments/program/command_line.hpp"

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/plugins/plugins.hpp"
#include "wormcast/experiments/plugins/printed_schedule.hpp"
#include "wormcast/experiments/process/installed.hpp"
#include "wormcast/experiments/process/launch.hpp"
#include "wormcast/experiments/process/resources.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/offers.hpp"
#include "wormcast/simulator/simgrid/platform_topology.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <variant>

namespace wormcast {

namespace {

constexpr const char* help_footer =
    R"(Exit codes: 0 done, 1 output or anything else, 2 wrong input, 3 a check failed, 4 deadlock,
  5 results of shards are missing.
Environment: TMPDIR (temporary files), NO_COLOR (heat maps without colours), WORMCAST_PLUGINS (plug-ins to load).
Begin with: wormcast init > my.toml && wormcast run my.toml)";

constexpr const char* command_footer =
    "Besides: --quiet, --verbose, --force, --plugin of all commands (wormcast --help says what they do).";

/// Names of the options that can follow the commands given so far.
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
      if (!command->get_group().empty()) {
        names.push_back(command->get_name());
      }
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

/// Refuses the empty text, which an unset variable of a shell leaves where a name is expected.
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
        return number_of_text<std::int64_t>(found) ? std::string()
                                                   : fmt::format("found \"{}\", expected a whole number", found);
      },
      "");
}

/// Makes the options of CLI11, one for each kind of target.
struct OptionMaker {
  CLI::App& command;
  const CommandOption& option;

  CLI::Option* operator()(bool* target) const { return command.add_flag(option.name, *target, option.text); }

  CLI::Option* operator()(const FlagChoice& target) const
  {
    // CLI11 gives "true" for a flag that stands alone.
    return command.add_flag(option.name, *target.text, option.text)
        ->transform(CLI::Validator(
            [bare = target.bare](std::string& found) {
              found = found == "true" ? bare : found;
              return std::string();
            },
            ""));
  }

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
    return command.add_option(option.name, *target, option.text)->allow_extra_args(is_argument(option));
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

CLI::Option* add_option(CLI::App& app, const CommandOption& option)
{
  CLI::Option* made = std::visit(OptionMaker{app, option}, option.target);
  if (!option.value.empty()) {
    made->type_name(option.value);
  }
  if (std::holds_alternative<FlagChoice>(option.target)) {
    made->type_name(fmt::format("[={}]", fmt::join(option.choices, "|")));
    made->check(one_of(option.choices).description(""));
  } else if (!option.choices.empty()) {
    made->check(one_of(option.choices));
  } else if (!std::holds_alternative<bool*>(option.target)) {
    made->check(not_empty());
  }
  return made->required(option.required);
}

void add_options(CLI::App& app, const std::vector<CommandOption>& options)
{
  for (const CommandOption& option : options) {
    CLI::Option* made = add_option(app, option);
    for (const std::string& name : option.old_names) {
      CommandOption old = option;
      old.name = name;
      add_option(app, old)->group("")->excludes(made);
    }
  }
}

/// Reports the present names to users of old ones.
void note_old_names(const CLI::App& app, const Command& command)
{
  constexpr const char* note = "{} is an old name, which the next version does not know; it is {} now";
  if (!command.replaced_by.empty()) {
    spdlog::warn(note, "wormcast " + command.name, command.replaced_by);
  }
  for (const CommandOption& option : command.options) {
    for (const std::string& name : option.old_names) {
      if (app.get_option(name)->count() > 0) {
        spdlog::warn(note, name, option.name);
      }
    }
  }
}

/// Commands one a line, in little enough columns for a terminal.
class HelpFormatter : public CLI::Formatter {
public:
  std::string make_subcommand(const CLI::App* command) const override
  {
    return fmt::format("  {:<12} {}\n", command->get_name(), command->get_description());
  }
};

void add_command(CLI::App& app, const Command& command)
{
  CLI::App* added = app.add_subcommand(command.name, command.summary);
  added->group(command.group == CommandGroup::hidden ? "" : std::string(command_group_names.text(command.group)));
  added->fallthrough();
  added->footer(command_footer);
  add_options(*added, command.options);
}

/// The summary as a sentence.
std::string description()
{
  std::string text(program_summary);
  text.front() = 'D';
  return text + ".";
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

/// Plug-ins that WORMCAST_PLUGINS and the command line name. What they register is in the declarations from which the
/// command line is read, so that they are looked for before it is.
std::vector<std::string> named_plugins(std::span<const std::string> words)
{
  const char* list = std::getenv("WORMCAST_PLUGINS");
  std::vector<std::string> names = plugin_names(list == nullptr ? "" : list);
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string_view word = words[i];
    if (word == plugin_option && i + 1 < words.size()) {
      names.push_back(words[++i]);
    } else if (word.starts_with(plugin_option) && word.substr(plugin_option.size()).starts_with('=')) {
      names.emplace_back(word.substr(plugin_option.size() + 1));
    }
  }
  return names;
}

/// Answers the script of a shell: `request` is the shell's name and the words of the line up to the cursor. Plug-ins
/// that cannot be loaded offer nothing: the line is not complete yet.
int answer_completion(std::span<const std::string> request)
{
  const std::string shell = request.empty() ? std::string() : request.front();
  const std::vector<std::string> words = words_of_shell(shell, request.subspan(request.empty() ? 0 : 1));
  for (const std::string& plugin : named_plugins(std::span(words).first(words.empty() ? 0 : words.size() - 1))) {
    try {
      load_plugins(std::span(&plugin, 1));
    } catch (const InputError&) {
      continue;
    }
  }
  write_standard_output(offers_text(shell, words, offers_for(words)));
  return exit_code::done;
}

/// The words without the command's name: the first one that is neither an option nor the value of one.
std::vector<std::string> without_command(std::span<const std::string> words)
{
  std::size_t at = 0;
  while (at < words.size() && words[at].starts_with('-')) {
    at += words[at] == plugin_option ? 2 : 1;
  }
  std::vector<std::string> others(words.begin(), words.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(std::min(at, others.size() - 1)));
  return others;
}

} // namespace

int run_command_line(std::span<const std::string> typed, CommandMaker make_commands)
{
  register_algorithm(command_algorithm());
  register_platform_topology();
  if (!typed.empty() && typed.front() == completion_request) {
    return answer_completion(typed.subspan(1));
  }
  load_plugins(named_plugins(typed));
  CLI::App app(description(), "wormcast");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  const auto& [help, help_all, version] = standard_options;
  app.set_help_flag(fmt::format("-h,{}", help.name), std::string(help.text));
  app.set_help_all_flag(std::string(help_all.name), std::string(help_all.text));
  app.footer(help_footer);
  app.set_version_flag(std::string(version.name), build_description(), std::string(version.text));
  CommonArguments common;
  add_options(app, common_options(common));
  app.get_option("--quiet")->excludes("--verbose");
  const std::vector<Command> commands = make_commands();
  for (const Command& command : commands) {
    add_command(app, command);
  }
  try {
    std::vector<std::string> words(typed.rbegin(), typed.rend()); // CLI11 takes the last one first
    if (!typed.empty() && typed.front() == "help") {              // "help run" is "run --help"
      words.assign(typed.begin() + 1, typed.begin() + std::min<std::ptrdiff_t>(std::ssize(typed), 2));
      if (words.empty() || std::ranges::find(commands, words.front(), &Command::name) != commands.end()) {
        words.insert(words.begin(), "--help");
      }
    }
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    write_standard_output(app.help());
    return exit_code::done;
  } catch (const CLI::CallForAllHelp&) {
    for (CLI::App* command : app.get_subcommands([](const CLI::App* any) { return any->get_group().empty(); })) {
      command->group(std::string(command_group_names.text(CommandGroup::hidden)));
    }
    write_standard_output(app.help("", CLI::AppFormatMode::All));
    return exit_code::done;
  } catch (const CLI::CallForVersion& call) {
    write_standard_output(fmt::format("{}\n", call.what()));
    return exit_code::done;
  } catch (const CLI::ParseError& error) {
    throw InputError(fmt::format("{} (wormcast --help says more)", usage_error(app, error)));
  }
  const auto verbosity = common.quiet ? Verbosity::quiet : common.verbose ? Verbosity::verbose : Verbosity::normal;
  set_up_talk(verbosity);
  keep_freed_memory();
  if (!common.force) {
    limit_resources();
  }
  const std::string chosen = app.get_subcommands().front()->get_name();
  const Command& command = *std::ranges::find(commands, chosen, &Command::name);
  note_old_names(*app.get_subcommands().front(), command);
  if (const Launch& launch = this_launch(); launch.ranks > 1 && !command.for_ranks) {
    if (launch.rank > 0) {
      return exit_code::done;
    }
    spdlog::warn("{} is the work of one process: the other {} ranks have nothing to do", chosen, launch.ranks - 1);
  }
  if (!command.program.empty()) {
    become_program(installed_program(command.program, fmt::format("`wormcast {}` needs it", command.name)),
                   without_command(typed));
  }
  return command.action(verbosity);
}

} // namespace wormcast
