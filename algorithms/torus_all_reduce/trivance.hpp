#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Trivance: in relative step t every node of a ring of 3^q exchanges with the nodes 3^t ahead and 3^t behind, so that
/// log3 N steps reach all (Juerss, Addanki & Schmid, arXiv 2602.17254, 2026; here after its abstract and the pattern of
/// its published simulator, for powers of three only). It needs both channels of a dimension at once: a torus and all
/// ports. One collective starts with each dimension.
Algorithm trivance_algorithm();

} // namespace wormcast
