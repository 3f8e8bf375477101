#include "tests/fuzz/limits.hpp"
#include "tests/fuzz/simulation.hpp"
#include "tests/fuzz/targets.hpp"

#include <algorithm>

namespace wormcast::fuzz {

namespace {

/// What --set would give: comments that begin with "#set ".
std::vector<std::string> overrides_in(std::string_view input)
{
  constexpr std::string_view start = "#set ";
  std::vector<std::string> overrides;
  for (std::size_t at = input.find(start); at != std::string_view::npos; at = input.find(start, at)) {
    const std::size_t end = std::min(input.find('\n', at), input.size());
    overrides.emplace_back(input.substr(at + start.size(), end - at - start.size()));
    at = end;
  }
  return overrides;
}

bool has_few_parts(const Experiment& experiment)
{
  constexpr std::int64_t most_parts = 256;
  return std::ranges::all_of(experiment.request.parameters.all(), [](const auto& parameter) {
    const auto* number = std::get_if<std::int64_t>(&parameter.second);
    return number == nullptr || *number <= most_parts;
  });
}

} // namespace

bool run_config(std::string_view input)
{
  const InputFile file(input, ".toml");
  const RawConfig config = read_config(file.path(), overrides_in(input));
  if (most_nodes_of(config) > most_nodes) {
    return false;
  }
  const Experiment experiment = make_experiment(config);
  if (experiment.topology->node_count() > 64 || !has_few_parts(experiment)) {
    return true;
  }
  const Schedule schedule = experiment_schedule(experiment);
  if (is_small(*experiment.topology, schedule, experiment.network)) {
    check_and_simulate(*experiment.topology, schedule, experiment.network, experiment.run);
  }
  return true;
}

} // namespace wormcast::fuzz
