#include "experiments/view.hpp"

#include "experiments/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/output_file.hpp"

#include <spdlog/spdlog.h>

#include <memory>

namespace wormcast {

namespace {

struct ViewArguments {
  ConfigArguments config;
  std::string out;
};

int view(const ViewArguments& arguments)
{
  const RawConfig config = read_config(arguments.config.file, arguments.config.overrides);
  refuse_sweep(config, "view");
  const Experiment experiment = make_experiment(config);
  check_view_limits(*experiment.topology);
  const Schedule schedule = experiment_schedule(experiment);
  OutputFile output(arguments.out);

  ViewRecorder recorder(*experiment.topology, schedule);
  const RunOutcome outcome = run_experiment(experiment, schedule, recorder.sinks());
  recorder.finish(outcome.simulation);
  for (const std::string& note : view_notes(schedule, outcome, recorder)) {
    spdlog::info("{}", note);
  }
  write_view_page(output.stream(), view_data(experiment, schedule, outcome, recorder));
  output.commit();
  if (outcome.simulation.deadlock) {
    spdlog::error("{}", explain_deadlock(*experiment.topology, schedule, *outcome.simulation.deadlock));
    return exit_code::deadlock;
  }
  return exit_code::done;
}

} // namespace

void add_view_command(CLI::App& app, CommandContext& context)
{
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App* command = app.add_subcommand("view", "simulate one configuration and show it as an animated page");
  add_config_arguments(*command, arguments->config);
  command->add_option("--out", arguments->out, "the HTML page to write; it needs no other file")
      ->type_name("FILE|-")
      ->required();
  command->callback([arguments, &context] { context.action = [arguments] { return view(*arguments); }; });
}

} // namespace wormcast
