#pragma once

#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Returns, by node, how much work its router has with a pattern, as numbers that are comparable with each other: by
/// the routes of 8 messages of each node that sends, drawn for this alone. It is an estimate, for the division among
/// threads (EngineInput::router_work). Cost: the hops of these messages.
std::vector<std::uint32_t> router_work(const Topology& topology, const Pattern& pattern, std::uint64_t seed);

} // namespace wormcast
