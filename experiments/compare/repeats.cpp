#include "wormcast/experiments/compare/repeats.hpp"

#include "wormcast/experiments/config/random_draws.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string_view>

namespace wormcast {

namespace {

constexpr std::string_view tie_break_key = "run.tie_break";

} // namespace

Repeats repeats_of(const Experiment& experiment, std::optional<std::int64_t> given)
{
  const std::vector<std::uint64_t> seeds =
      repetition_seeds("--repeat", given.value_or(usual_repeats), experiment.run.seed);
  Repeats repeats{.count = 1, .first_seed = experiment.run.seed, .keys = random_keys(experiment)};
  if (!repeats.keys.empty()) {
    repeats.count = seeds.size();
  }
  return repeats;
}

std::string repeats_text(const Repeats& repeats)
{
  if (repeats.keys.empty()) {
    return {};
  }
  const std::string random = fmt::format("{}", fmt::join(repeats.keys, ", "));
  return repeats.count == 1 ? fmt::format("one run, run.seed = {} (random: {})", repeats.first_seed, random)
                            : fmt::format("means of {} runs, run.seed = {} .. {} (random: {})", repeats.count,
                                          repeats.first_seed, repeats.first_seed + repeats.count - 1, random);
}

Experiment repeated(const Experiment& experiment, std::size_t index)
{
  Experiment one = experiment;
  one.run.seed += index;
  one.network.routing_seed = one.run.seed;
  return one;
}

bool same_for_all_seeds(const SimulationResult& result, const Repeats& repeats)
{
  return result.contention.none() && !result.deadlock &&
         repeats.keys == std::vector<std::string>{std::string(tie_break_key)};
}

SeedLatencies measured_latencies(const Experiment& experiment, const Schedule& schedule, const Repeats& repeats)
{
  SeedLatencies latencies;
  const std::optional<Schedule> sent = schedule_as_sent(experiment, schedule);
  for (std::size_t index = 0; index < repeats.count; ++index) {
    const Experiment one = repeated(experiment, index);
    const SimulationResult result = simulate_fastest(*one.topology, sent ? *sent : schedule, one.network, one.run);
    const std::optional<Time> latency = result.latency_from_source();
    if (!latency) {
      return {};
    }
    if (same_for_all_seeds(result, repeats)) {
      return SeedLatencies(repeats.count, latency->picoseconds);
    }
    latencies.push_back(latency->picoseconds);
  }
  return latencies;
}

} // namespace wormcast
