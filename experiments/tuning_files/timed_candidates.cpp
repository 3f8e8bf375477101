#include "wormcast/experiments/tuning_files/timed_candidates.hpp"

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/compare/batches.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

TimedCandidates::Question question_of(const Json& parameters)
{
  return {parameters.at("candidate").get<std::size_t>(), parameters.at("bytes").get<std::uint64_t>()};
}

} // namespace

Experiment experiment_at(const Candidate& candidate, std::uint64_t bytes)
{
  Experiment experiment = candidate.experiment;
  experiment.request.message_bytes = bytes;
  if (experiment.given != nullptr) {
    return experiment;
  }
  const Algorithm& algorithm = find_algorithm(experiment.algorithm);
  if (algorithm.segment_costs) {
    experiment.request.parameters.set(algorithm.segments, std::string(best_value));
  }
  experiment.request.parameters = chosen_parameters(algorithm, *experiment.topology, experiment.request);
  return experiment;
}

std::string title_at(const Candidate& candidate, std::uint64_t bytes)
{
  std::string parameters = candidate.shown.parameters;
  if (candidate.experiment.given == nullptr) {
    const Algorithm& algorithm = find_algorithm(candidate.experiment.algorithm);
    Json values = candidate.shown.values;
    if (algorithm.segment_costs) {
      const Json chosen = parameters_json(algorithm.parameters, experiment_at(candidate, bytes).request.parameters);
      values[algorithm.segments] = chosen.at(algorithm.segments);
    }
    parameters = parameters_text(values);
  }
  return parameters.empty() ? candidate.shown.name : candidate.shown.name + " " + parameters;
}

TimedCandidates::TimedCandidates(const Experiment& experiment, std::vector<Candidate> candidates,
                                 const Repeats& repeats, const TaskOptions& tasks)
    : experiment_(experiment), candidates_(std::move(candidates)), repeats_(repeats), tasks_(tasks)
{}

SeedLatencies TimedCandidates::measured(const Question& question) const
{
  try {
    Schedule schedule = experiment_schedule(experiment_at(candidates_.at(question.first), question.second));
    schedule.message_bytes = question.second;
    return measured_latencies(experiment_, schedule, repeats_);
  } catch (const InputError&) { // it does not run here, or not with this length
    return {};
  }
}

std::string TimedCandidates::fingerprint() const
{
  std::string text =
      fmt::format("rules\n{}\n{}", json_text(experiment_.effective, JsonLayout::one_line), repeats_.count);
  for (const Candidate& one : candidates_) {
    text += fmt::format("\n{} {}", one.shown.name, one.shown.parameters);
  }
  return point_key(program_version(), text, FileContents().of(experiment_));
}

bool TimedCandidates::ask(std::span<const Question> questions)
{
  std::vector<Json> parameters;
  for (const Question& question : std::set<Question>(questions.begin(), questions.end())) {
    if (!known_.contains(question)) {
      parameters.push_back({{"candidate", question.first}, {"bytes", question.second}});
    }
  }
  const TaskWork work = {
      fingerprint(),
      [this](const Json& json) { return TaskReport{.state = TaskReport::done, .result = measured(question_of(json))}; },
      [](const Json& json) { return question_of(json).first; }};
  Batches batches(work, tasks_, StudyWorkers::SingleTask::in_this_process);
  interrupted_by_ = batches.run(parameters, [&](const TaskOutcome& ended) {
    const Question question = question_of(parameters[ended.task]);
    if (ended.report.has_died()) {
      throw std::runtime_error(fmt::format("{} with {} bytes: {}",
                                           title_at(candidates_[question.first], question.second), question.second,
                                           ended.report.error));
    }
    known_[question] = read_result(ended.report, [](const Json& result) { return result.get<SeedLatencies>(); });
  });
  has_gaps_ = batches.have_gaps();
  return interrupted_by_ == 0 && !has_gaps_;
}

std::optional<Time> TimedCandidates::mean(const Question& question) const
{
  const SeedLatencies& all = latencies(question);
  return all.empty() ? std::nullopt : std::optional(Time{mean_latency(all)});
}

} // namespace wormcast
