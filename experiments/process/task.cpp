#include "wormcast/experiments/process/task.hpp"

#include "wormcast/formats/json_document.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

constexpr std::size_t shown_of_json = 60; ///< characters that an error shows of JSON

std::string beginning_of(const nlohmann::ordered_json& json)
{
  return json_text(json, JsonLayout::one_line).substr(0, shown_of_json);
}

} // namespace

std::string task_text(const nlohmann::ordered_json& parameters)
{
  return json_text(parameters, JsonLayout::one_line);
}

nlohmann::ordered_json report_json(const TaskReport& report)
{
  return {{"state", report.state}, {"error", report.error}, {"result", report.result}};
}

TaskReport report_from_json(const nlohmann::ordered_json& json)
{
  constexpr std::size_t members = 3;
  if (!json.is_object() || json.size() != members || !json.contains("state") || !json["state"].is_string() ||
      !json.contains("error") || !json["error"].is_string() || !json.contains("result")) {
    throw InputError(
        fmt::format("found {}, expected the report of a task: \"state\", \"error\", \"result\"", beginning_of(json)));
  }
  return {
      .state = json["state"].get<std::string>(), .error = json["error"].get<std::string>(), .result = json["result"]};
}

std::string report_text(const TaskReport& report)
{
  return json_text(report_json(report), JsonLayout::one_line);
}

TaskReport read_report(std::string_view text)
{
  return report_from_json(read_json(text));
}

void throw_wrong_result(const nlohmann::ordered_json& result, std::string_view reason)
{
  throw InputError(
      fmt::format("found {} as the result of a task, which is of another form ({})", beginning_of(result), reason));
}

} // namespace wormcast
