#pragma once

#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"

#include <string>

namespace wormcast {

/// Metrics of a topology for people, one a line.
std::string topology_table(const Topology& topology, const TopologyMetrics& metrics);

/// Proof that the routing is free of deadlock, or a cycle of channels that wait for each other.
std::string deadlock_report(const Topology& topology, const ChannelDependencies& dependencies,
                            const DeadlockCheck& check);

} // namespace wormcast
