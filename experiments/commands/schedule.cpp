#include "wormcast/algorithms/schedule/export.hpp"
#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/output/file.hpp"

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
  const RawConfig config = read_single_config(arguments.config, "schedule");
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

Command schedule_command()
{
  auto arguments = std::make_shared<ScheduleArguments>();
  return {.name = "schedule",
          .summary = "the algorithm's messages, without simulating them",
          .options = config_options(arguments->config, {{.name = "--format",
                                                         .target = &arguments->format,
                                                         .text = "what to write (default: json)",
                                                         .choices = {"json", "dot", "goal"}},
                                                        {.name = "--out",
                                                         .target = &arguments->out,
                                                         .text = "write to a file instead of standard output",
                                                         .value = "FILE|-"}}),
          .action = [arguments](Verbosity) { return show_schedule(*arguments); }};
}

} // namespace wormcast
