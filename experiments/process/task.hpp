#pragma once

#include "wormcast/values/input_error.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace wormcast {

/// The form of tasks and reports, wherever they go: between processes, into stores, through Python. It changes with
/// what any kind of work writes into them, so that nothing is read that was written otherwise.
inline constexpr const char* task_format = "wormcast-task/2";

/// A task for the next free worker.
struct Task {
  std::size_t number = 0;            ///< as in TaskOutcome::task
  nlohmann::ordered_json parameters; ///< its parameters, for TaskWork::compute: an object
};

/// The parameters of a task as one line of JSON: as they go to another process, and as stores know them.
std::string task_text(const nlohmann::ordered_json& parameters);

/// The report of a task.
struct TaskReport {
  /// The name of an enumerator. Each kind of work has states of its own; all have `done` and `died`.
  std::string state;
  std::string error = {};                  ///< empty where nothing went wrong
  nlohmann::ordered_json result = nullptr; ///< null: there is none. Numbers are as read_json stores them

  static constexpr const char* done = "done";
  static constexpr const char* died = "died"; ///< it could not be computed: trying again can make sense

  bool has_died() const { return state == died; }

  friend bool operator==(const TaskReport&, const TaskReport&) = default;
};

/// {"state", "error", "result"}.
nlohmann::ordered_json report_json(const TaskReport& report);

/// Reads report_json(). Throws InputError where `json` is something else.
TaskReport report_from_json(const nlohmann::ordered_json& json);

/// report_json() as one line of text, with exact numbers as they are.
std::string report_text(const TaskReport& report);

/// Reads report_text(). Throws InputError where `text` is something else.
TaskReport read_report(std::string_view text);

/// Throws InputError with the type of the task's result.
[[noreturn]] void throw_wrong_result(const nlohmann::ordered_json& result, std::string_view reason);

/// Returns the result of a report, read by `read`. Throws InputError if the result has not the form that `read`
/// expects.
template <typename Read> auto read_result(const TaskReport& report, const Read& read)
{
  try {
    return read(report.result);
  } catch (const nlohmann::json::exception& error) {
    throw_wrong_result(report.result, error.what());
  }
}

} // namespace wormcast
