#pragma once

#include "wormcast/topologies/grid.hpp"

#include <cstddef>
#include <cstdint>

namespace wormcast {

/// Flips bits of one coordinate: the node whose coordinate in `dimension` is that of `node` XOR `bits`.
NodeId flip(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t bits);

/// C_k, the k-th central symmetry mapping: complements bit k-1 of every coordinate (section 5; section 7 in 3-D).
NodeId central_mapping(const Grid& grid, NodeId node, unsigned k);

/// V_k, the k-th vertical symmetry mapping: complements the k lowest bits of y (section 5).
NodeId vertical_mapping(const Grid& grid, NodeId node, unsigned k);

/// H_k, the k-th horizontal symmetry mapping: complements bit k-1 of x (section 5).
NodeId horizontal_mapping(const Grid& grid, NodeId node, unsigned k);

/// Returns the next node on a ring of every `stride`-th of `length` positions from `begin` on in `dimension`; the last
/// is followed by the first.
NodeId ring_neighbour(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t begin, std::int64_t length,
                      std::int64_t stride);

} // namespace wormcast
