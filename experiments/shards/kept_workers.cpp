#include "wormcast/experiments/shards/kept_workers.hpp"

#include "wormcast/formats/json_document.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// The shown part of a task, as some have megabytes.
std::string shown_task(const Json& parameters)
{
  constexpr std::size_t shown_characters = 200;
  return task_text(parameters).substr(0, shown_characters);
}

/// The form of an outcome in a store.
std::string outcome_text(const TaskOutcome& outcome)
{
  return json_text(
      {{"format", task_format}, {"report", report_json(outcome.report)}, {"captured_output", outcome.captured_output}},
      JsonLayout::one_line);
}

/// None if the text is not in the form of outcome_text().
std::optional<TaskOutcome> outcome_of(const StoredPoint& stored, std::size_t task)
{
  try {
    const Json json = read_json(stored.result);
    if (json.at("format") != task_format) {
      return std::nullopt;
    }
    return TaskOutcome{.task = task,
                       .report = report_from_json(json.at("report")),
                       .captured_output = json.at("captured_output").get<std::string>(),
                       .wall_seconds = stored.wall_seconds};
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

} // namespace

std::string task_key(const TaskWork& work, const Json& parameters)
{
  return point_key(results_version() + " " + task_format, work.fingerprint, task_text(parameters));
}

bool KeptWorkers::owns(const Task& task) const
{
  return part_.shard.count == 1 || part_.shard.owns(work_.unit(task.parameters));
}

bool KeptWorkers::start(const Task& task)
{
  const bool own = owns(task);
  if (const auto stored = known_result(task_key(work_, task.parameters), store_, part_, own)) {
    if (std::optional<TaskOutcome> outcome = outcome_of(*stored, task.number)) {
      known_.push_back(std::move(*outcome));
      ++counts_.kept;
      return true;
    }
  }
  if (!own || !part_.compute) {
    counts_.left_out.push_back(shown_task(task.parameters));
    return true;
  }
  if (!children_.start(task)) {
    return false;
  }
  started_[task.number] = task;
  return true;
}

std::optional<TaskOutcome> KeptWorkers::wait(std::chrono::milliseconds timeout)
{
  if (!known_.empty()) {
    TaskOutcome outcome = std::move(known_.front());
    known_.pop_front();
    return outcome;
  }
  if (children_.running() == 0) {
    return std::nullopt;
  }
  std::optional<TaskOutcome> outcome = children_.wait(timeout);
  if (outcome) {
    const Task task = std::exchange(started_[outcome->task], {});
    started_.erase(outcome->task);
    const bool died = outcome->report.has_died();
    store_.put({.key = task_key(work_, task.parameters),
                .config = shown_task(task.parameters),
                .state = died ? PointState::died : PointState::done,
                .result = outcome_text(*outcome),
                .error = died ? outcome->report.error : std::string(),
                .wall_seconds = outcome->wall_seconds});
    ++counts_.computed;
  }
  return outcome;
}

} // namespace wormcast
