#pragma once

#include "wormcast/topologies/petersen_torus.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast::kim {

/// An edge of Definition 2 by its ends, whose coordinates wrap around.
using DefinedEdge = std::pair<PetersenTorusNode, PetersenTorusNode>;

/// The external edges (1) to (5) of Definition 2 as printed, for any l, m, n >= 1.
std::vector<DefinedEdge> external_edges(const PetersenTorusSize& size);

/// What Definition 2 makes of sizes that the topology itself does not allow.
struct DefinedEdges {
  std::uint32_t repeated = 0;         ///< edges between two nodes that an earlier one joins
  std::uint32_t inside_of_module = 0; ///< external edges between nodes of one module
};
DefinedEdges defined_edges(const PetersenTorusSize& size);

/// How symmetric a small graph is, by exhaustive search. Cost exponential in the number of nodes.
struct GraphSymmetry {
  std::uint32_t automorphisms = 0;
  std::uint32_t images_of_first_channel = 0; ///< different directed edges that the first one is mapped to
};
GraphSymmetry symmetry_of(const Topology& topology);

/// The fewest paths without a common inner node between one of the nodes 0 .. first-1 and any node that is not its
/// neighbour: the vertex connectivity where those nodes represent all. Cost O(first * nodes * channels).
std::uint32_t fewest_disjoint_paths(const Topology& topology, std::uint32_t first);

} // namespace wormcast::kim
