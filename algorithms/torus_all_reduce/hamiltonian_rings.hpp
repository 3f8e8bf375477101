#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Rings along link-disjoint Hamiltonian cycles, in both directions of each at the same time (Hoefler et al.,
/// "HammingMesh", SC 2022, appendix D; De Sensi et al., "Swing", NSDI 2024, section 2.3.1, which knows them for some
/// sizes of two dimensions). Every share of the vector goes once round its cycle to be combined and once to be copied,
/// a node in each step.
///
/// On every torus that hamiltonian_cycles() serves, beta with all ports is (1 - 1/N)/D, the lower bound whatever the
/// shape, in 2(N - 1) steps. With one port a single ring along the first cycle is left.
Algorithm hamiltonian_rings_algorithm();

} // namespace wormcast
