#include "wormcast/experiments/shards/kept_workers.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace wormcast {

namespace {

constexpr std::size_t shown_of_text = 200; ///< characters of a task's text that are kept, for people
constexpr const char* task_format = "wormcast-task/1";

/// How an outcome stands in a store.
std::string outcome_text(const TaskOutcome& outcome)
{
  const nlohmann::ordered_json json = {{"format", task_format},
                                       {"code", outcome.report.code},
                                       {"signal", outcome.signal},
                                       {"text", outcome.report.text},
                                       {"talk", outcome.talk}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// None where it is not what outcome_text() writes.
std::optional<TaskOutcome> outcome_of(const StoredPoint& stored, std::size_t task)
{
  try {
    const nlohmann::json json = nlohmann::json::parse(stored.result);
    if (json.at("format") != task_format) {
      return std::nullopt;
    }
    return TaskOutcome{.task = task,
                       .report = {json.at("code").get<int>(), json.at("text").get<std::string>()},
                       .signal = json.at("signal").get<int>(),
                       .talk = json.at("talk").get<std::string>(),
                       .wall_seconds = stored.wall_seconds};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

} // namespace

std::string task_key(const TaskWork& work, const std::string& text)
{
  return point_key(results_version(), work.basis, text);
}

bool KeptWorkers::owns(const std::string& text, const std::string& key) const
{
  if (part_.shard.count == 1) {
    return true;
  }
  constexpr int hexadecimal = 16;
  constexpr std::size_t digits = 8;
  return part_.shard.owns(work_.unit ? work_.unit(text) : std::stoul(key.substr(0, digits), nullptr, hexadecimal));
}

bool KeptWorkers::start(const Task& task)
{
  const std::string key = task_key(work_, task.text);
  const bool own = owns(task.text, key);
  if (const auto stored = known_result(key, store_, part_, own)) {
    if (std::optional<TaskOutcome> outcome = outcome_of(*stored, task.number)) {
      known_.push_back(std::move(*outcome));
      ++counts_.kept;
      return true;
    }
  }
  if (!own || !part_.compute) {
    counts_.left_out.push_back(task.text);
    return true;
  }
  if (!children_.start(task)) {
    return false;
  }
  started_[task.number] = task;
  return true;
}

std::optional<TaskOutcome> KeptWorkers::wait(std::chrono::milliseconds patience)
{
  if (!known_.empty()) {
    TaskOutcome outcome = std::move(known_.front());
    known_.pop_front();
    return outcome;
  }
  if (children_.running() == 0) {
    return std::nullopt;
  }
  std::optional<TaskOutcome> outcome = children_.wait(patience);
  if (outcome) {
    const std::string text = std::exchange(started_[outcome->task].text, {});
    started_.erase(outcome->task);
    const bool failed =
        outcome->signal != 0 || (work_.failed ? work_.failed(outcome->report) : outcome->report.code != 0);
    store_.put({.key = task_key(work_, text),
                .config = text.substr(0, shown_of_text),
                .state = failed ? PointState::died : PointState::done,
                .result = outcome_text(*outcome),
                .error = failed ? describe_death(*outcome) : std::string(),
                .wall_seconds = outcome->wall_seconds});
    ++counts_.computed;
  }
  return outcome;
}

} // namespace wormcast
