#pragma once

#include "wormcast/topologies/registry.hpp"

namespace wormcast {

/// The kinds "mesh" and "torus": a Grid, or with several hosts at each router a ConcentratedGrid.
TopologyKind mesh_kind();
TopologyKind torus_kind();

} // namespace wormcast
