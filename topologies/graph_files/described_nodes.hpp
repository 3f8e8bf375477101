#pragma once

#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/parameter.hpp"

#include <cstdint>
#include <optional>

namespace wormcast {

/// Returns the number of hosts of a description without making the network, which for the largest ones takes half a
/// minute and gigabytes; none if the description does not give it (a file), or describes no network.
std::optional<std::uint64_t> described_nodes(const TopologyDescription& description);

/// Throws the InputError of resolve_node if the description alone shows that the network has no such node. Other nodes
/// can be wrong as well.
void check_described_node(const TopologyDescription& description, const ParameterValue& node);

} // namespace wormcast
