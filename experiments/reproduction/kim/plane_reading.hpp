#pragma once

#include "wormcast/algorithms/schedule/neighbour_sends.hpp"

#include <array>
#include <cstdint>

namespace wormcast::kim {

/// What Algorithm 1 leaves open in its Steps 2 to 5, or says otherwise than the program's petersen_torus_broadcast.
struct PlaneReading {
  /// Which node a module belongs to that the message reaches at several in a step: 8, 7, 2, 3 in this order.
  std::array<int, 4> diagonal_order = {8, 7, 2, 3};
  /// The send to w0, the second step of Condition 3, also to a module that has the message.
  bool w0_always = false;
  /// Step 5 only when all eight adjacent modules have the message; else as soon as the module has it.
  bool wait_for_adjacent = true;
};

/// Steps 2 to 5 in the plane of 3PT(l, m, n) from module (0, 0, 0), in that reading. Nodes are those of 3PT(1, m, n).
/// The default reading makes the sends of petersen_torus_plane_steps. Cost O(steps * m * n).
SendSteps plane_steps(std::int64_t m, std::int64_t n, bool all_ports, const PlaneReading& reading = {});

} // namespace wormcast::kim
