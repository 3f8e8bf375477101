#pragma once

#include "wormcast/experiments/compare/ranking.hpp"
#include "wormcast/experiments/config/config.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// How each candidate is run: with the seeds run.seed, run.seed + 1, ...
struct Repeats {
  std::size_t count = 1;
  std::uint64_t first_seed = 1;
  std::vector<std::string> keys = {}; ///< random_keys()

  LatencyKind kind() const { return keys.empty() ? LatencyKind::exact : LatencyKind::drawn; }
};

/// The default number of runs.
inline constexpr std::int64_t usual_repeats = 20;

/// As many runs as `given`, by default usual_repeats; where nothing is random one run. Throws as repetition_seeds.
Repeats repeats_of(const Experiment& experiment, std::optional<std::int64_t> given);

/// "means of 20 runs, run.seed = 1 .. 20 (random: run.start_jitter)"; empty where nothing is random.
std::string repeats_text(const Repeats& repeats);

/// The experiment's run number `index`.
Experiment repeated(const Experiment& experiment, std::size_t index);

/// Whether a run says of itself that those with other seeds are the same: nothing but the order of equal requests is
/// random, and none of its messages had to wait.
bool same_for_all_seeds(const SimulationResult& result, const Repeats& repeats);

/// The latencies of a schedule from its source's start, by seed; empty where a run does not end. Throws as
/// simulate_core.
SeedLatencies measured_latencies(const Experiment& experiment, const Schedule& schedule, const Repeats& repeats);

} // namespace wormcast
