#include "wormcast/experiments/view/view.hpp"

#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/output/file.hpp"

#include <spdlog/spdlog.h>

#include <memory>

namespace wormcast {

namespace {

struct ViewArguments {
  ConfigSource config;
  std::string out;
};

int view(const ViewArguments& arguments)
{
  const RawConfig config = read_single_config(arguments.config, "view");
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

Command view_command()
{
  auto arguments = std::make_shared<ViewArguments>();
  return {.name = "view",
          .summary = "simulate one configuration and show it as an animated page",
          .options = config_options(arguments->config, {{.name = "--out",
                                                         .target = &arguments->out,
                                                         .text = "the HTML page to write; it needs no other file",
                                                         .value = "FILE|-",
                                                         .required = true}}),
          .action = [arguments](Verbosity) { return view(*arguments); }};
}

} // namespace wormcast
