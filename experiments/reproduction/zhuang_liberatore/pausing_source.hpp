#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>

namespace wormcast {

/// A broadcast from the corner of a 4 x 4 mesh whose source sends the message in three blocks, 2/5, 2/5 and 1/5, and
/// pauses between the second and the third while the others pass on the first two along chains, in `pieces` pieces
/// each. Valid, one-port, contention-free; beta = 9/5 + 5/pieces. It refutes proposition 3 of Zhuang &
/// Liberatore for more than 25 pieces.
Schedule broadcast_with_pausing_source(const Topology& mesh, std::uint32_t pieces);

} // namespace wormcast
