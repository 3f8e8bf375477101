#pragma once

#include "wormcast/algorithms/petersen/torus_moves.hpp"
#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Steps of each phase of Algorithm 1; phases are separated by barriers (choice: letting each plane run ahead gives the
/// same total).
struct PetersenTorusBroadcastPhases {
  std::int64_t source_module = 0; ///< Condition 1(1)
  std::int64_t planes = 0;        ///< Condition 1(2)
  std::int64_t module_fill = 0;   ///< Condition 2
};

/// For l planes and a source that is node p0 of its module.
PetersenTorusBroadcastPhases petersen_torus_broadcast_phases(std::int64_t l, int p0, bool all_ports);

/// The times of theorems 4 (one port) and 5 (all ports): 2 floor(l/2) + 2 floor(max(m, n)/2) + 15 or 7 for odd l, l + 2
/// floor(max(m, n)/2) + 14 or 6 for even l. It holds as an upper bound.
std::int64_t petersen_torus_broadcast_bound(const PetersenTorusSize& size, bool all_ports);

/// `petersen_torus_broadcast`: one-to-all in 3PT(l, m, n), Algorithm 1 (Kim et al.), SLA with fewer than four ports,
/// else MLA.
Algorithm petersen_torus_broadcast_algorithm();

} // namespace wormcast
