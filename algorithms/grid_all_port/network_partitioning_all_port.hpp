#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/grid.hpp"

namespace wormcast {

/// Network partitioning with all ports (NP-D in Zhuang & Liberatore, section 8.3; Tseng, Wang & Ho) on a 2^n x 2^n mesh
/// or torus from any source; reconstructed, not the published schedule. The message is cut into h = 2^d segments: 1.
/// scatter: segment i goes to one node of DDN i, the nodes with x = y = i modulo h; 2. every DDN broadcasts its segment
/// through dominating nodes (n-d+1 steps, torus n-d where n-d >= 2; none for d = n); 3. every DCN, an aligned h x h
/// block, collects: segment i along row i by tripling, ceil(log_3(2h-1)) steps (torus with d = n: ceil(log_3 h)), then
/// neighbours in each column exchange, h-1 steps. With `split` (not in the paper) segments are two blocks, and in phase
/// 3 the second uses rows and columns exchanged at the same time, which halves the sizes there. Throws InputError if
/// the sizes are not equal powers of two or d is not 0 .. n, or if the tie rule of a torus does not fit phase 2
/// (dominating_nodes.hpp).
Schedule all_port_network_partitioning(const Grid& grid, NodeId source, int d, bool split);

} // namespace wormcast
