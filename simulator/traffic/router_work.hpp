#pragma once

#include "wormcast/simulator/traffic/traffic_classes.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Returns, by node, how much work its router has with the traffic, as numbers that are comparable with each other: by
/// the routes of 8 messages of each class and each node that sends them, drawn for this alone, whose bytes are counted
/// by the class's part. It is an estimate, for the division among
/// threads (EngineInput::router_work). Cost: the hops of these messages.
std::vector<std::uint32_t> router_work(const Topology& topology, const TrafficClasses& classes, std::uint64_t seed);

} // namespace wormcast
