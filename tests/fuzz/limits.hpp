#pragma once

#include "wormcast/experiments/config/config.hpp"

#include <nlohmann/json.hpp>

namespace wormcast::fuzz {

/// Networks, schedules and sweeps above these are legal and take their time, which fuzzing has better uses for.
inline constexpr double most_nodes = 512;
inline constexpr std::uint64_t most_points = 64;

/// The most nodes that any point of a configuration can have, before any topology is made; infinite where a graph's
/// file says it: a target opens no files but its own.
double most_nodes_of(const RawConfig& config);

/// The same for the topology of a schedule, as it stands in its file.
double most_nodes_of(const nlohmann::json& topology);

/// Whether verifier and simulator are done with a schedule within milliseconds.
bool is_small(const Topology& topology, const Schedule& schedule, const NetworkParameters& network);

} // namespace wormcast::fuzz
