#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// `flooding` on any topology, all ports. operation = "broadcast": in step t the message is sent to the nodes at
/// distance t, to each from its neighbour of lowest id that has it; as many steps as the source's eccentricity, the
/// optimum. operation = "multinode_broadcast" (all-to-all): every node that received a new block in the step before
/// sends all its blocks over all its channels; as many steps as the diameter, the optimum where messages combine.
Algorithm flooding_algorithm();

} // namespace wormcast
