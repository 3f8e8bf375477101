#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

/// The keys of faults, which all kinds of topologies have beside their own: dead_nodes, dead_links, random_dead_nodes,
/// random_dead_links, dead_node_share, dead_link_share and fault_seed.
const std::vector<Parameter>& fault_parameters();

/// Whether these keys let any node or link die; fault_seed alone does not.
bool has_faults(const TopologyDescription& description);

/// Returns the description of the whole network, without these keys.
TopologyDescription without_faults(const TopologyDescription& description);

/// Returns the channels of each link, which are those of both directions; of parallel links, those of the same place
/// among the channels between their nodes. In the order of their first channels.
std::vector<std::vector<ChannelId>> links_of(const Topology& topology);

/// The faults of a network, and the nodes that are of no use after them.
struct Faults {
  std::vector<bool> lost_nodes;      ///< by node: dead, or a switch that leads to no host any more
  std::vector<bool> lost_channels;   ///< by channel: of dead links, and of lost nodes
  std::uint32_t dead_node_count = 0; ///< without switches that lead to no host any more
  std::uint32_t dead_link_count = 0; ///< without links of dead nodes
};

/// Returns the faults that a description states for the network `whole`, whose description it is without them. Nodes
/// have the names and numbers of the whole network. Random faults are drawn one after the other from those that leave
/// all other hosts connected: with the same seed, more nodes include fewer, and so do more links while the dead nodes
/// are the same. A share is one of all nodes or links of the whole network, rounded to the nearest number. Throws
/// InputError "KEY: ..." for a node or link that does not exist or that is named twice, where fewer can die than are to
/// be drawn, where a number and a share are stated, and for two hosts that no path joins any more.
Faults read_faults(const Topology& whole, const TopologyDescription& description);

} // namespace wormcast
