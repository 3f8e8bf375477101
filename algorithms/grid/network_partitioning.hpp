#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Network partitioning (Tseng; NP in Zhuang & Liberatore, section 4.3 and tables): the message is cut into 2^d
/// segments, each broadcast in a data distribution network (DDN) of its own, the nodes with equal low d bits on one
/// diagonal class, and collected in the data collection networks (DCN), the aligned blocks of 2^d nodes a side. d = 0
/// is the inner algorithm itself, message for message.
Algorithm network_partitioning_algorithm();

} // namespace wormcast
