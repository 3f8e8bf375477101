#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <span>

namespace wormcast {

/// The broadcast in which the first node of `chain` cuts the message into `segments` blocks and every node hands each
/// block on to the next: segment f crosses hop h in step f + h. `chain` holds every node once. Messages are ordered by
/// step and sender. alpha = M + N - 2, beta = 1 + (N - 2)/M for N > 1 nodes and M segments. Cost O(M N log N).
Schedule chain_pipeline(std::span<const NodeId> chain, std::uint64_t segments);

} // namespace wormcast
