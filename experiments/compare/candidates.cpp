#include "wormcast/experiments/compare/candidates.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace wormcast {

namespace {

constexpr const char* destinations_key = "destinations"; ///< of a multicast

/// The choice of an algorithm that can do several operations.
const Parameter* operation_parameter(const Algorithm& algorithm)
{
  const auto found = std::ranges::find(algorithm.parameters, "operation", &Parameter::name);
  return found == algorithm.parameters.end() ? nullptr : &*found;
}

bool does(const Algorithm& algorithm, Operation operation)
{
  const std::vector<Operation> served = served_operations(algorithm);
  return std::ranges::find(served, operation) != served.end();
}

std::string operations_text(const Algorithm& algorithm)
{
  std::vector<std::string_view> names;
  std::ranges::transform(served_operations(algorithm), std::back_inserter(names),
                         [](Operation operation) { return operation_names.text(operation); });
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<const Algorithm*> chosen_algorithms(const std::vector<std::string>& names, Operation operation)
{
  std::vector<const Algorithm*> chosen;
  for (const std::string& name : names) {
    if (const Algorithm& algorithm = find_algorithm(name); !does(algorithm, operation)) {
      throw InputError(fmt::format("{} is for {}, expected an algorithm for {}", name, operations_text(algorithm),
                                   operation_names.text(operation)));
    }
  }
  for (const Algorithm& algorithm : algorithms()) {
    if (names.empty() ? algorithm.compared_unnamed && does(algorithm, operation)
                      : std::ranges::find(names, algorithm.name) != names.end()) {
      chosen.push_back(&algorithm);
    }
  }
  return chosen;
}

/// All parameters of an algorithm from some of them.
ParameterValues completed(const Algorithm& algorithm, const ParameterValues& given, Operation operation)
{
  ParameterValues values;
  for (const Parameter& parameter : algorithm.parameters) {
    if (given.has(parameter.name)) {
      values.set(parameter.name, given.value(parameter.name));
    } else if (&parameter == operation_parameter(algorithm) &&
               (parameter.fallback || operation != algorithm.operation)) {
      values.set(parameter.name, std::string(operation_names.text(operation)));
    } else if (parameter.fallback) {
      values.set(parameter.name, *parameter.fallback);
    }
  }
  return values;
}

/// The values with what the algorithm takes for those that are "best"; as they are where it does not run here.
ParameterValues with_best_values(const Experiment& experiment, const Algorithm& algorithm, ParameterValues values)
{
  ScheduleRequest request = experiment.request;
  request.parameters = values;
  try {
    return chosen_parameters(algorithm, *experiment.topology, request);
  } catch (const InputError&) { // its run will say so
    return values;
  }
}

Experiment running(Experiment experiment, std::string algorithm, ParameterValues values)
{
  experiment.algorithm = std::move(algorithm);
  experiment.given = nullptr;
  experiment.request.parameters = std::move(values);
  return experiment;
}

Candidate candidate(const Experiment& experiment, const Algorithm& algorithm, ParameterValues values, BestValues best)
{
  Candidate result;
  result.shown.name = algorithm.name;
  const bool configured =
      experiment.algorithm == algorithm.name && experiment.given == nullptr && experiment.request.parameters == values;
  if (best == BestValues::replaced) {
    values = with_best_values(experiment, algorithm, std::move(values));
  }
  result.shown.values = parameters_json(algorithm.parameters, values);
  nlohmann::ordered_json own = result.shown.values;
  own.erase(destinations_key); // those of all
  result.shown.parameters = parameters_text(own);
  result.shown.configured = configured;
  result.experiment = running(experiment, algorithm.name, std::move(values));
  return result;
}

/// Whether it does not run without values of its own besides `common`.
bool needs_values(const Algorithm& algorithm, const ParameterValues& common)
{
  return std::ranges::any_of(algorithm.parameters, [&](const Parameter& parameter) {
    return !parameter.fallback && !parameter.optional && !common.has(parameter.name);
  });
}

/// What all algorithms for the operation have in common with the configured one: the destinations of a multicast.
ParameterValues common_values(const Experiment& experiment, Operation operation)
{
  const ParameterValues& configured = experiment.request.parameters;
  ParameterValues common;
  if (operation == Operation::multicast && configured.has(destinations_key)) {
    common.set(destinations_key, configured.value(destinations_key));
  }
  return common;
}

std::vector<ParameterValues> family_of(const Experiment& experiment, const Algorithm& algorithm, Operation operation)
{
  const ParameterValues common = common_values(experiment, operation);
  std::vector<ParameterValues> family;
  if (algorithm.family) {
    for (ParameterValues values : algorithm.family(*experiment.topology)) {
      for (const auto& [name, value] : common.all()) {
        values.set(name, value);
      }
      family.push_back(completed(algorithm, values, operation));
    }
  }
  if (family.empty() && !needs_values(algorithm, common)) {
    family.push_back(completed(algorithm, common, operation));
  }
  const ParameterValues& configured = experiment.request.parameters;
  if (experiment.algorithm == algorithm.name && std::ranges::find(family, configured) == family.end()) {
    family.insert(family.begin(), configured);
  }
  return family;
}

} // namespace

std::string parameters_text(const nlohmann::ordered_json& values)
{
  if (const auto label = values.find(label_parameter); label != values.end() && label->is_string()) {
    return label->get<std::string>();
  }
  std::vector<std::string> texts;
  for (const auto& [name, value] : values.items()) {
    texts.push_back(fmt::format("{}={}", name,
                                value.is_string() ? value.get<std::string>() : json_text(value, JsonLayout::one_line)));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

Operation configured_operation(const Experiment& experiment)
{
  if (experiment.placement != nullptr) {
    throw InputError(
        "[ranks]: found ranks on some nodes, expected no such section: algorithms are compared on all nodes "
        "of [topology]; a sweep over algorithm.name compares those that run on the ranks' topology");
  }
  if (experiment.given != nullptr) {
    if (experiment.given->operation == Operation::none) {
      throw InputError(
          fmt::format("{}: found a {}, expected an algorithm or a schedule with an operation, of which there "
                      "are others to compare with",
                      schedule_name(experiment), name_without_steps(*experiment.given)));
    }
    return experiment.given->operation;
  }
  return requested_operation(find_algorithm(experiment.algorithm), experiment.request.parameters);
}

std::vector<Candidate> candidates(const Experiment& experiment, const std::vector<std::string>& names,
                                  Operation operation, BestValues best)
{
  std::vector<Candidate> all;
  if (experiment.given != nullptr) {
    Candidate given;
    given.shown.name = schedule_algorithm;
    given.shown.values = {{"file", schedule_name(experiment)}};
    given.shown.parameters = schedule_name(experiment);
    given.shown.configured = true;
    given.experiment = experiment;
    all.push_back(std::move(given));
  }
  for (const Algorithm* algorithm : chosen_algorithms(names, operation)) {
    for (ParameterValues& values : family_of(experiment, *algorithm, operation)) {
      all.push_back(candidate(experiment, *algorithm, std::move(values), best));
    }
  }
  return all;
}

void add_without_faults(std::vector<Candidate>& all, const Experiment& whole)
{
  for (Candidate& one : all) {
    one.without_faults = running(whole, one.experiment.algorithm, one.experiment.request.parameters);
  }
}

} // namespace wormcast
