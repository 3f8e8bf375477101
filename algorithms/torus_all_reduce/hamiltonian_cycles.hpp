#pragma once

#include "wormcast/topologies/grid.hpp"

#include <string_view>
#include <vector>

namespace wormcast {

/// Closed paths through all nodes, each as a list of neighbours. No two of them share a link.
///
/// On a torus of 1 to 4 dimensions, all sides at least 3, there are as many as dimensions, which use all links
/// (existence: Kotzig 1973; Foregger 1978; Aubert & Schneider 1982). The construction is this program's own: two
/// dimensions by a rule, four as products of two pairs, three by a search that finds the same cycles on every machine.
/// It was checked by program for all pairs of sides from 3 to 40 and is not proved; the result is therefore verified.
///
/// On a mesh of two dimensions with an even number of nodes there is one.
///
/// Throws InputError that names `algorithm` and the dimension where there is no such cycle.
std::vector<std::vector<NodeId>> hamiltonian_cycles(const Grid& grid, std::string_view algorithm);

} // namespace wormcast
