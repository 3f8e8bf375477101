#include "experiments/command_line.hpp"

#include "experiments/config_keys.hpp"
#include "topologies/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sched.h>

namespace wormcast {

namespace {

constexpr std::int64_t max_jobs = 4096;

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

/// Names of the commands that may come next; none where the command has none, or one was given.
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

} // namespace

void add_config_arguments(CLI::App& command, ConfigArguments& arguments)
{
  command.add_option("CONFIG", arguments.file, "configuration file (TOML)")->required();
  add_override_option(command, arguments.overrides);
}

void add_override_option(CLI::App& command, std::vector<std::string>& overrides)
{
  command.add_option("--set", overrides, "set a value of the configuration: key=value (any number of times)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
}

void add_jobs_option(CLI::App& command, std::optional<std::int64_t>& jobs, const std::string& text)
{
  command.add_option("--jobs", jobs, text + " (default: one for each core)");
}

std::size_t job_count(const std::optional<std::int64_t>& jobs)
{
  if (!jobs) {
    cpu_set_t cores;
    const bool known = ::sched_getaffinity(0, sizeof cores, &cores) == 0;
    return known ? static_cast<std::size_t>(std::max(1, CPU_COUNT(&cores))) : 1;
  }
  if (*jobs < 1 || *jobs > max_jobs) {
    throw InputError(fmt::format("--jobs: found {}, expected a whole number from 1 to {}", *jobs, max_jobs));
  }
  return static_cast<std::size_t>(*jobs);
}

void refuse_sweep(const RawConfig& config, std::string_view command)
{
  if (!config.sweep.empty()) {
    const SweepAxis& axis = config.sweep.front();
    throw_at(
        axis.origin, "sweep." + axis.key,
        fmt::format("found a sweep, but `wormcast {}` takes one value of each key; use `wormcast sweep {}`, or give "
                    "the value with --set",
                    command, config.file.string()));
  }
}

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

} // namespace wormcast
