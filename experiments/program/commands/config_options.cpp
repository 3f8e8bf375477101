#include "wormcast/experiments/program/commands/config_options.hpp"

#include "wormcast/experiments/config/config_reader.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/random_draws.hpp"
#include "wormcast/experiments/process/launch.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <sched.h>

namespace wormcast {

namespace {

constexpr std::int64_t max_jobs = 4096;

} // namespace

std::vector<CommandOption> config_options(ConfigSource& arguments, std::vector<CommandOption> others)
{
  std::vector<CommandOption> options = {
      {.name = "CONFIG", .target = &arguments.file, .text = "configuration file (TOML)", .required = true},
      override_option(arguments.overrides),
      removal_option(arguments.removals)};
  options.insert(options.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  return options;
}

CommandOption unchecked_option(ConfigSource& arguments)
{
  return {.name = "--unchecked",
          .target = &arguments.unchecked,
          .text = "also simulate a schedule that does not do its operation, as run.unchecked = true"};
}

CommandOption explain_option(std::string& explain)
{
  return {.name = "--explain",
          .target = FlagChoice{.text = &explain, .bare = "summary"},
          .text = "also print where the time went on the critical path, which leads from the start to the last "
                  "delivery; --explain=all with all messages of the path",
          .choices = {"summary", "all"}};
}

PathDetail path_detail(std::string_view explain)
{
  return explain.empty() ? PathDetail::none : explain == "all" ? PathDetail::all : PathDetail::summary;
}

CommandOption override_option(std::vector<std::string>& overrides)
{
  return {
      .name = "--set",
      .target = &overrides,
      .text =
          "set a value of the configuration: key=value, or an axis of a sweep: sweep.key=value,value (any number of "
          "times)",
      .value = "KEY=VALUE"};
}

CommandOption removal_option(std::vector<std::string>& removals)
{
  return {.name = "--unset",
          .target = &removals,
          .text = "take a key or a whole section out of the configuration, before --set (any number of times)",
          .value = "KEY"};
}

RawConfig read_single_config(const ConfigSource& arguments, std::string_view command)
{
  RawConfig config = read_config(arguments);
  refuse_sweep(config, command);
  return config;
}

void refuse_sweep(const RawConfig& config, std::string_view command)
{
  if (!config.sweep.empty()) {
    const SweepAxis& axis = config.sweep.front();
    const ConfigReader reader(config, {});
    const bool is_load = reader.has_section("traffic") && !reader.has_section("algorithm");
    throw_at(axis.origin, axis.key == case_axis ? axis.key : "sweep." + axis.key,
             fmt::format("found a sweep, but `wormcast {}` takes one value of each key; use `wormcast {} {}`, or give "
                         "the value with --set",
                         command, is_load ? "load" : "sweep", config.file.string()));
  }
}

CommandOption algorithms_option(std::vector<std::string>& algorithms)
{
  return {.name = "--algorithms",
          .target = CommaSeparated{&algorithms},
          .text = "only these (wormcast list algorithms)",
          .value = "NAME,...",
          .names = [] {
            std::vector<std::string> names;
            for (const Algorithm& algorithm : wormcast::algorithms()) {
              names.push_back(algorithm.name);
            }
            return names;
          }};
}

CommandOption jobs_option(std::optional<std::int64_t>& jobs, const std::string& text)
{
  return {.name = "--jobs",
          .target = &jobs,
          .text = text + " (default: one for each core, or for each run.threads of them; under mpirun, of each rank: "
                         "one)"};
}

CommandOption repeat_option(std::optional<std::int64_t>& repeat)
{
  return {.name = "--repeat",
          .target = &repeat,
          .text =
              "where something is random: run each with the seeds run.seed to run.seed + N - 1, and decide by paired "
              "differences (default: 20)",
          .value = "N"};
}

void warn_of_equal_runs(const Experiment& experiment, const std::optional<std::int64_t>& repeat)
{
  if (repeat && *repeat > 1 && random_keys(experiment).empty()) {
    spdlog::warn("--repeat {}: nothing here is random, so that each algorithm runs once", *repeat);
  }
}

std::size_t job_count(const std::optional<std::int64_t>& jobs, std::uint32_t threads)
{
  if (!jobs && this_launch().ranks > 1) {
    return 1;
  }
  if (!jobs) {
    cpu_set_t cores;
    const bool known = ::sched_getaffinity(0, sizeof cores, &cores) == 0;
    return known ? std::max<std::size_t>(1, static_cast<std::size_t>(CPU_COUNT(&cores)) / threads) : 1;
  }
  if (*jobs < 1 || *jobs > max_jobs) {
    throw InputError(fmt::format("--jobs: found {}, expected a whole number from 1 to {}", *jobs, max_jobs));
  }
  return static_cast<std::size_t>(*jobs);
}

} // namespace wormcast
