#include "wormcast/experiments/view/view_configuration.hpp"

#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/run/series_result.hpp"
#include "wormcast/experiments/view/recorder.hpp"
#include "wormcast/experiments/view/view.hpp"
#include "wormcast/experiments/view/viewed_messages.hpp"
#include "wormcast/experiments/view/viewed_round.hpp"
#include "wormcast/values/input_error.hpp"

namespace wormcast {

namespace {

void begin_view(const Experiment& experiment, const ViewRequest& request)
{
  check_view_limits(*experiment.topology);
  if (request.begin) {
    request.begin(experiment);
  }
}

std::string view_single_run(const RawConfig& config, const ViewRequest& request)
{
  if (request.round) {
    throw InputError("--repetition: the configuration runs its operation once, "
                     "expected [broadcast] or [traffic] beside [algorithm]");
  }
  const Experiment experiment = make_experiment(config);
  begin_view(experiment, request);
  const ViewedMessages messages(simulated_schedule(experiment));
  const Schedule& schedule = *messages.operations().front();
  ViewRecorder recorder(*experiment.topology, messages);
  const RunOutcome outcome = run_experiment(experiment, schedule, recorder.sinks());
  recorder.finish(outcome.simulation.delivered);
  request.show(viewed_run(experiment, messages, outcome, recorder));
  return outcome.simulation.deadlock ? explain_deadlock(*experiment.topology, schedule, *outcome.simulation.deadlock)
                                     : std::string();
}

std::string view_one_round(const RawConfig& config, const ViewRequest& request)
{
  const SeriesExperiment experiment = make_series_experiment(config);
  std::optional<std::uint32_t> round;
  if (request.round) {
    check_round(experiment, *request.round);
    round = static_cast<std::uint32_t>(*request.round);
  }
  begin_view(experiment.single, request);
  const SeriesResult result = run_series(experiment);
  const ViewedRound shown(experiment, result, round_window(experiment, result, round));
  request.show(shown.run(round.has_value()));
  return result.deadlock ? series_deadlock(experiment, result) : std::string();
}

} // namespace

std::string view_configuration(const RawConfig& config, const ViewRequest& request)
{
  return is_series(config) ? view_one_round(config, request) : view_single_run(config, request);
}

} // namespace wormcast
