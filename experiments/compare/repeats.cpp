#include "wormcast/experiments/compare/repeats.hpp"

#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace wormcast {

namespace {

constexpr std::int64_t most_repeats = 10'000;
constexpr std::string_view tie_break_key = "run.tie_break";

} // namespace

std::vector<std::string> random_keys(const Experiment& experiment)
{
  std::vector<std::string> keys;
  if (experiment.run.start_jitter != Time{}) {
    keys.emplace_back("run.start_jitter");
  }
  if (experiment.run.noise) {
    keys.emplace_back("run.noise");
  }
  if (experiment.run.tie_break == TieBreak::seeded) {
    keys.emplace_back(tie_break_key);
  }
  const NetworkParameters& network = experiment.network;
  const GridRouting routing = network.pipeline.routing;
  if (network.router == Router::input_queued && (routing == GridRouting::valiant || routing == GridRouting::romm)) {
    keys.emplace_back("network.routing");
  }
  if (experiment.topology->drawn_bits() > 0) {
    keys.emplace_back("network.tie");
  }
  return keys;
}

Repeats repeats_of(const Experiment& experiment, std::optional<std::int64_t> given)
{
  if (given && (*given < 1 || *given > most_repeats)) {
    throw InputError(fmt::format("--repeat: found {}, expected a whole number from 1 to {}", *given, most_repeats));
  }
  Repeats repeats{.count = 1, .first_seed = experiment.run.seed, .keys = random_keys(experiment)};
  if (!repeats.keys.empty()) {
    repeats.count = given ? static_cast<std::size_t>(*given) : usual_repeats;
  }
  constexpr std::uint64_t most_seed = std::uint64_t{1} << 62;
  if (repeats.first_seed > most_seed - repeats.count) {
    throw InputError(fmt::format("run.seed: found {}, of which {} seeds do not fit 62 bits; expected a smaller one",
                                 repeats.first_seed, repeats.count));
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
  for (std::size_t index = 0; index < repeats.count; ++index) {
    const Experiment one = repeated(experiment, index);
    const SimulationResult result = simulate_core(*one.topology, schedule, one.network, one.run);
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
