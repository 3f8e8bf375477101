#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/segment_trees.hpp"
#include "wormcast/topologies/grid.hpp"

namespace wormcast {

/// Rings along link-disjoint Hamiltonian cycles, in both directions of each at the same time (Hoefler et al.,
/// "HammingMesh", SC 2022, appendix D; De Sensi et al., "Swing", NSDI 2024, section 2.3.1, which knows them for some
/// sizes of two dimensions). Every share of the vector goes once round its cycle to be combined and once to be copied,
/// a node in each step.
///
/// On every torus that hamiltonian_cycles() serves, beta with all ports is (1 - 1/N)/D, the lower bound whatever the
/// shape, in 2(N - 1) steps. With one port a single ring along the first cycle is left.
///
/// A broadcast sends segments in turn along the rings, each from the source on to the node before it. With all ports of
/// a torus, k segments and 2D rings alpha is ceil(k/(2D)) + N - 2, so that beta goes to 1/(2D), the lower bound.
Algorithm hamiltonian_rings_algorithm();

/// The rings of a broadcast, each as a tree: a chain from the source. Throws InputError as hamiltonian_cycles() does.
SegmentTrees hamiltonian_chains(const Grid& grid, NodeId source, PortModel ports);

} // namespace wormcast
