#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Segmented chain (pipelined) broadcast in rank order, as MPI libraries broadcast long messages (Pjesivac-Grbovic et
/// al. 2007, "Performance analysis of MPI collective operations", pipeline tree): the message is cut into M segments
/// that run along source, source + 1, ... modulo N. The same pipeline as line_pipeline, but in rank order on any
/// topology: neighbours in the chain need not be neighbours in the network, so steps can have channel contention.
Algorithm segmented_chain_algorithm();

} // namespace wormcast
