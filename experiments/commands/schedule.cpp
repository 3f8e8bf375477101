#include "algorithms/schedule_export.hpp"
#include "algorithms/schedule_file.hpp"
#include "experiments/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/output_file.hpp"

#include <memory>

namespace wormcast {

namespace {

struct ScheduleArguments {
  ConfigArguments config;
  std::string format = "json";
  std::string out = "-";
};

int show_schedule(const ScheduleArguments& arguments)
{
  const RawConfig config = read_config(arguments.config.file, arguments.config.overrides);
  refuse_sweep(config, "schedule");
  const Experiment experiment = make_experiment(config);
  const Schedule schedule = experiment_schedule(experiment);
  OutputFile output(arguments.out);
  if (arguments.format == "dot") {
    write_schedule_dot(*experiment.topology, schedule, output.stream());
  } else if (arguments.format == "goal") {
    write_schedule_goal(*experiment.topology, schedule, output.stream());
  } else {
    write_schedule(schedule, output.stream());
  }
  output.commit();
  return exit_code::done;
}

} // namespace

void add_schedule_command(CLI::App& app, CommandContext& context)
{
  auto arguments = std::make_shared<ScheduleArguments>();
  CLI::App* command = app.add_subcommand("schedule", "the algorithm's messages, without simulating them");
  add_config_arguments(*command, arguments->config);
  command->add_option("--format", arguments->format, "what to write (default: json)")
      ->check(one_of({"json", "dot", "goal"}));
  command->add_option("--out", arguments->out, "write to a file instead of standard output")->type_name("FILE|-");
  command->callback([arguments, &context] { context.action = [arguments] { return show_schedule(*arguments); }; });
}

} // namespace wormcast
