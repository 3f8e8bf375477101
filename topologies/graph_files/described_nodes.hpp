#pragma once

#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/parameter.hpp"

#include <cstdint>
#include <optional>

namespace wormcast {

/// How many nodes the description names, without making the network, which for the largest ones takes half a minute and
/// gigabytes; none where the description does not say it (a file), or describes no network at all.
std::optional<std::uint64_t> described_nodes(const TopologyDescription& description);

/// Throws InputError where the description alone shows that the network has no such node: what resolve_node would say
/// once the network is made. Other nodes can be wrong as well.
void check_described_node(const TopologyDescription& description, const ParameterValue& node);

} // namespace wormcast
