#include "algorithms/schedule_file.hpp"
#include "experiments/check_result.hpp"
#include "experiments/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/output_file.hpp"

#include <fstream>
#include <memory>
#include <optional>

namespace wormcast {

namespace {

struct CheckArguments {
  std::string file;
  std::vector<std::string> overrides;
  std::string json;
  bool contention_free = false;
};

/// A schedule by its name, or by its first character where the name says nothing.
bool is_schedule_file(const std::filesystem::path& file)
{
  if (file.extension() == ".json" || file.extension() == ".toml") {
    return file.extension() == ".json";
  }
  std::ifstream stream(file);
  stream >> std::ws;
  return stream.peek() == '{';
}

struct CheckedSchedule {
  std::shared_ptr<const Topology> topology;
  Schedule schedule;
};

CheckedSchedule read_checked(const CheckArguments& arguments)
{
  if (is_schedule_file(arguments.file)) {
    if (!arguments.overrides.empty()) {
      throw InputError("--set: found a schedule file, expected a configuration whose values --set can change");
    }
    Schedule schedule = read_schedule(arguments.file);
    auto topology = make_topology(schedule.topology, schedule.routing);
    return {std::move(topology), std::move(schedule)};
  }
  const RawConfig config = read_config(arguments.file, arguments.overrides);
  refuse_sweep(config, "check");
  const Experiment experiment = make_experiment(config);
  return {experiment.topology, experiment_schedule(experiment)};
}

int check(const CheckArguments& arguments)
{
  const CheckedSchedule checked = read_checked(arguments);
  std::optional<OutputFile> json;
  if (!arguments.json.empty()) {
    json.emplace(arguments.json);
  }
  const CheckReport report = check_schedule(*checked.topology, checked.schedule);
  if (json) {
    json->stream() << check_json_text(report);
    json->commit();
  }
  if (arguments.json != "-") {
    write_standard_output(check_table(*checked.topology, checked.schedule, report));
  }
  const bool good = report.valid() && (report.contention_free || !arguments.contention_free);
  return good ? exit_code::done : exit_code::failed_check;
}

} // namespace

void add_check_command(CLI::App& app, CommandContext& context)
{
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand(
      "check", "prove or refute a schedule without simulating it: coverage, possession, ports, contention");
  command->add_option("SCHEDULE|CONFIG", arguments->file, "schedule (JSON) or configuration file (TOML)")->required();
  add_override_option(*command, arguments->overrides);
  command->add_option("--json", arguments->json, "write the verdict as JSON (-: standard output, instead of the table)")
      ->type_name("FILE|-");
  command->add_flag("--contention-free", arguments->contention_free, "contention within a step fails the check");
  command->callback([arguments, &context] { context.action = [arguments] { return check(*arguments); }; });
}

} // namespace wormcast
