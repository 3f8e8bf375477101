#include "wormcast/algorithms/imported/file_kind.hpp"
#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/run/check_result.hpp"
#include "wormcast/experiments/run/imported_check.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/simulator/model/routers.hpp"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <optional>

namespace wormcast {

namespace {

struct CheckArguments {
  std::string file;
  std::vector<std::string> overrides;
  std::vector<std::string> removals;
  std::string json;
  bool contention_free = false;
  bool check_deadlock = false;
};

/// A configuration unless it is called .json or .goal, or begins as one of the formats of schedules.
bool is_configuration(const std::filesystem::path& file, ScheduleFileKind kind)
{
  if (kind != ScheduleFileKind::schedule || file.extension() == ".json") {
    return false;
  }
  std::ifstream stream(file);
  stream >> std::ws;
  return file.extension() == ".toml" || stream.peek() != '{';
}

struct CheckedSchedule {
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const Schedule> schedule;
  GridRouting routing = GridRouting::dimension_order;
  std::shared_ptr<const Experiment> experiment = {}; ///< of a configuration
};

void refuse_changes(const CheckArguments& arguments)
{
  if (!arguments.overrides.empty() || !arguments.removals.empty()) {
    throw InputError(fmt::format("{0}: found a schedule file, expected a configuration whose values {0} can change",
                                 arguments.overrides.empty() ? "--unset" : "--set"));
  }
}

CheckedSchedule read_checked(const CheckArguments& arguments, ScheduleFileKind kind)
{
  if (kind == ScheduleFileKind::goal) {
    throw InputError(fmt::format("{}: a program in GOAL says nothing of its network; name it in a configuration: "
                                 "algorithm.name = \"schedule\", algorithm.file = \"{}\"",
                                 arguments.file, std::filesystem::path(arguments.file).filename().string()));
  }
  if (!is_configuration(arguments.file, kind)) {
    refuse_changes(arguments);
    auto schedule = std::make_shared<const Schedule>(read_schedule(arguments.file));
    return {make_topology(schedule->topology, schedule->routing), schedule};
  }
  const RawConfig config = read_config(arguments.file, arguments.overrides, arguments.removals);
  refuse_sweep(config, "check");
  auto experiment = std::make_shared<const Experiment>(make_experiment(config));
  const LogicalSchedule logical = logical_schedule(*experiment);
  return {logical.topology, logical.schedule, experiment->network.pipeline.routing, experiment};
}

/// Throws InputError where the dependencies of the schedule's messages say nothing of the router.
DeadlockFreedom find_freedom(const CheckedSchedule& checked)
{
  if (checked.experiment && checked.experiment->network.router->name != default_router().name) {
    throw InputError(fmt::format("--check-deadlock: found router \"{}\", expected \"{}\"; topology --check-deadlock "
                                 "knows the virtual channels of the other one",
                                 checked.experiment->network.router->name, default_router().name));
  }
  const bool placed = checked.experiment && checked.experiment->placement != nullptr;
  if (const auto freedom = placed
                               ? deadlock_freedom(*checked.experiment->topology, *shared_schedule(*checked.experiment))
                               : deadlock_freedom(*checked.topology, *checked.schedule)) {
    return *freedom;
  }
  throw InputError(fmt::format("--check-deadlock: found {}, expected a schedule whose routes are known",
                               checked.schedule->operation == Operation::none
                                   ? fmt::format("a {}, which has no steps", name_without_steps(*checked.schedule))
                                   : std::string("messages that draw their routes")));
}

/// Whether it cannot deadlock with the virtual channels and the mode of the configuration; of a schedule file, whether
/// it cannot with some number of them.
bool cannot_deadlock(const CheckedSchedule& checked, const DeadlockFreedom& freedom)
{
  if (!checked.experiment) {
    return freedom.by_step && freedom.at_once;
  }
  const bool lockstep = checked.experiment->run.mode == Mode::lockstep;
  const std::optional<std::uint32_t>& fewest = lockstep ? freedom.by_step : freedom.at_once;
  return fewest && *fewest <= checked.experiment->network.virtual_channels;
}

/// What is wrong with the contents of a program whose format says what it has to achieve.
std::vector<Finding> findings_of(const Experiment& experiment)
{
  const ScheduleFileKind kind = schedule_file_kind(experiment.schedule_file);
  return is_imported(kind) ? check_imported(experiment.schedule_file, kind).findings : std::vector<Finding>();
}

/// A file in a format of another program.
int check_file(const CheckArguments& arguments, ScheduleFileKind kind)
{
  refuse_changes(arguments);
  if (arguments.contention_free || arguments.check_deadlock) {
    throw InputError(fmt::format("{}: found a file without a network, expected a configuration that names both",
                                 arguments.contention_free ? "--contention-free" : "--check-deadlock"));
  }
  std::optional<OutputFile> json;
  if (!arguments.json.empty()) {
    json.emplace(arguments.json);
  }
  const ImportedCheck checked = check_imported(arguments.file, kind);
  if (json) {
    json->stream() << imported_check_json(checked);
    json->commit();
  }
  if (arguments.json != "-") {
    write_standard_output(imported_check_table(checked));
  }
  return checked.findings.empty() ? exit_code::done : exit_code::failed_check;
}

int check(const CheckArguments& arguments, Verbosity verbosity)
{
  const ScheduleFileKind kind = schedule_file_kind(arguments.file);
  if (is_imported(kind)) {
    return check_file(arguments, kind);
  }
  const CheckedSchedule checked = read_checked(arguments, kind);
  if (arguments.contention_free && checked.schedule->operation == Operation::none) {
    throw InputError(
        fmt::format("--contention-free: found a {}, which has no steps within which messages could contend",
                    name_without_steps(*checked.schedule)));
  }
  if (arguments.contention_free && checked.routing != GridRouting::dimension_order) {
    throw InputError(fmt::format("--contention-free: found routing \"{}\", which has no fixed routes on which messages "
                                 "could contend, expected \"dimension_order\"",
                                 grid_routing_names.text(checked.routing)));
  }
  std::optional<OutputFile> json;
  if (!arguments.json.empty()) {
    json.emplace(arguments.json);
  }
  ProgressLine line(verbosity != Verbosity::quiet);
  CheckOutcome outcome =
      check_outcome(*checked.topology, *checked.schedule, checked.routing, line.of_work("messages checked"));
  if (checked.schedule->program) {
    outcome.findings = findings_of(*checked.experiment);
  }
  if (arguments.check_deadlock) {
    outcome.freedom = find_freedom(checked);
  }
  line.clear();
  if (json) {
    json->stream() << check_json_text(*checked.topology, *checked.schedule, outcome);
    json->commit();
  }
  if (arguments.json != "-") {
    write_standard_output(check_table(*checked.topology, *checked.schedule, outcome));
  }
  const bool good = outcome.valid() && (outcome.report.contention_free || !arguments.contention_free) &&
                    (!outcome.freedom || cannot_deadlock(checked, *outcome.freedom));
  return good ? exit_code::done : exit_code::failed_check;
}

} // namespace

Command check_command()
{
  auto arguments = std::make_shared<CheckArguments>();
  return {
      .name = "check",
      .summary = "proof or refutation of a schedule: coverage, ports, contention",
      .options = {{.name = "SCHEDULE|CONFIG",
                   .target = &arguments->file,
                   .text = "schedule (JSON, or a format of docs/formats-of-others.md) or configuration file (TOML)",
                   .required = true},
                  override_option(arguments->overrides),
                  removal_option(arguments->removals),
                  {.name = "--json",
                   .target = &arguments->json,
                   .text = "write the verdict as JSON (-: standard output, instead of the table)",
                   .value = "FILE|-"},
                  {.name = "--contention-free",
                   .target = &arguments->contention_free,
                   .text = "contention within a step fails the check"},
                  {.name = "--check-deadlock",
                   .target = &arguments->check_deadlock,
                   .text = "say with how many virtual channels the schedule cannot deadlock; fails where that is not "
                           "proved for those of the configuration"}},
      .action = [arguments](Verbosity verbosity) { return check(*arguments, verbosity); }};
}

} // namespace wormcast
