#include "wormcast/experiments/validation/predicted_rows.hpp"

#include "wormcast/experiments/compare/batches.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

TaskReport refusal(std::string_view reason)
{
  return {.state = TaskReport::done, .result = {{"latency", nullptr}, {"error", reason}}};
}

/// The latency of one configuration in picoseconds, or what is wrong.
TaskReport predict_one(const std::filesystem::path& configuration, const Json& parameters)
{
  try {
    const Time latency = predict_row({.file = configuration.string()},
                                     {.set = parameters.at("set").get<std::vector<std::string>>(),
                                      .without_contention = parameters.at("without_contention").get<bool>()});
    return {.state = TaskReport::done, .result = {{"latency", latency.picoseconds}, {"error", nullptr}}};
  } catch (const InputError& error) {
    return refusal(error.what());
  }
}

/// The tasks of all predictions, in the order of StudyPredictions, and those that need none as they have an error.
struct PlannedPredictions {
  std::vector<PredictedTime> predictions;
  std::vector<Json> tasks;
  std::vector<std::size_t> prediction_of; ///< by task
};

PlannedPredictions plan(const ValidationStudy& study, std::span<const MeasuredRow> rows, const FittedValues& fitted,
                        std::span<const std::string> further, std::map<std::string, std::size_t>& errors)
{
  PlannedPredictions planned;
  for (const std::string& model : model_names(study)) {
    for (const MeasuredRow& row : rows) {
      std::optional<StudiedRow> studied;
      try {
        studied = configuration_changes(study, model, row, fitted);
        if (!studied) {
          continue;
        }
        studied->set.insert(studied->set.end(), further.begin(), further.end());
        planned.tasks.push_back({{"number", planned.tasks.size()},
                                 {"set", studied->set},
                                 {"without_contention", studied->without_contention}});
        planned.prediction_of.push_back(planned.predictions.size());
      } catch (const InputError& error) {
        ++errors[error.what()];
      }
      planned.predictions.push_back({.of = row.of, .model = model, .time = {}});
    }
  }
  return planned;
}

std::size_t number_of(const Json& parameters)
{
  return parameters.at("number").get<std::size_t>();
}

} // namespace

Time predict_row(const ConfigSource& configuration, const StudiedRow& studied, RunClock clock)
{
  ConfigSource changed = configuration;
  changed.overrides.insert(changed.overrides.end(), studied.set.begin(), studied.set.end());
  const Experiment experiment = make_experiment(read_config(changed));
  const std::shared_ptr<const Schedule> schedule = simulated_schedule(experiment);
  const auto simulated = [&] {
    if (studied.without_contention) {
      return simulate_contention_free(*experiment.topology, *schedule, experiment.network, experiment.run);
    }
    if (experiment.run.fluid) {
      return run_experiment(experiment, *schedule, {}, clock).simulation;
    }
    require_completeness(experiment, *schedule);
    return simulate_fastest(*experiment.topology, *schedule, experiment.network, experiment.run);
  };
  const std::optional<Time> latency = simulated().latency;
  if (!latency) {
    throw InputError("deadlock");
  }
  return *latency;
}

StudyPredictions predict_rows(const ValidationStudy& study, std::span<const MeasuredRow> rows,
                              const FittedValues& fitted, std::span<const std::string> set, const TaskOptions& options)
{
  StudyPredictions predicted;
  PlannedPredictions planned = plan(study, rows, fitted, set, predicted.errors);
  const std::string text = read_whole_file(study.configuration);
  const TaskWork work = {
      .fingerprint = point_key(program_version(), text, ""),
      .compute = [&](const Json& parameters) { return predict_one(study.configuration, parameters); },
      .unit = number_of};
  Batches batches(work, options);
  predicted.interrupted_by = batches.run(planned.tasks, [&](const TaskOutcome& ended) {
    if (ended.report.has_died()) {
      ++predicted.errors[ended.report.error];
      return;
    }
    read_result(ended.report, [&](const Json& result) {
      if (result.at("latency").is_null()) {
        ++predicted.errors[result.at("error").get<std::string>()];
      } else {
        planned.predictions[planned.prediction_of[ended.task]].time = Time{result.at("latency").get<std::int64_t>()};
      }
      return true;
    });
  });
  predicted.has_gaps = batches.have_gaps();
  predicted.predictions = std::move(planned.predictions);
  return predicted;
}

} // namespace wormcast
