#include "wormcast/experiments/config/parameter_json.hpp"

#include "wormcast/values/flag_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace wormcast {

nlohmann::ordered_json parameter_json(const Parameter& parameter, const ParameterValue& value)
{
  if (parameter.type == ParameterType::ports && std::get<std::int64_t>(value) == 0) {
    return "all";
  }
  if (is_flag_list(parameter)) {
    auto flags = nlohmann::ordered_json::array();
    for (const std::int64_t flag : std::get<std::vector<std::int64_t>>(value)) {
      flags.push_back(flag != 0);
    }
    return flags;
  }
  if (const Time* time = std::get_if<Time>(&value)) {
    return format_time(*time);
  }
  return std::visit(
      [](const auto& held) -> nlohmann::ordered_json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, Time>) {
          return nullptr;
        } else {
          return held;
        }
      },
      value);
}

nlohmann::ordered_json declaration_json(const Parameter& parameter)
{
  return {{"name", parameter.name},
          {"text", parameter.text},
          {"expected", expectation(parameter)},
          {"required", !parameter.fallback && !parameter.optional},
          {"default", parameter.fallback ? parameter_json(parameter, *parameter.fallback) : nlohmann::ordered_json()}};
}

nlohmann::ordered_json parameters_json(std::span<const Parameter> parameters, const ParameterValues& values)
{
  auto json = nlohmann::ordered_json::object();
  for (const Parameter& parameter : parameters) {
    if (values.has(parameter.name)) {
      json[parameter.name] = parameter_json(parameter, values.value(parameter.name));
    }
  }
  return json;
}

nlohmann::ordered_json chosen_json(const ParameterValues& chosen)
{
  auto json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : chosen.all()) {
    const auto* number = std::get_if<std::int64_t>(&value);
    json[name] =
        number != nullptr ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(std::get<std::string>(value));
  }
  return json;
}

std::string chosen_text(const ParameterValues& chosen)
{
  std::vector<std::string> texts;
  for (const auto& [name, value] : chosen.all()) {
    const auto* number = std::get_if<std::int64_t>(&value);
    texts.push_back(
        fmt::format("{} = {}", name, number != nullptr ? fmt::to_string(*number) : std::get<std::string>(value)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

} // namespace wormcast
