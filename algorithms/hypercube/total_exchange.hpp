#pragma once

#include "wormcast/algorithms/registry.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Returns the tables of fig. 6 (Bertsekas et al., section 4): column k, at k - 1, holds the destinations of the
/// 2^(k-1) packets that node 0 sends over link k, in the order of sending. The first columns are those of smaller
/// dimensions; the entries of one row of the table before follow each other from left to right. Cost O(2^d).
std::vector<std::vector<std::uint32_t>> exchange_tables(std::uint32_t dimension);

/// `total_exchange`: a packet from every node to every other on a hypercube; with d or more ports in 2^(d-1) steps
/// with all links always busy (Bertsekas et al., section 4), else in d 2^(d-1). Both are optimal, as are the
/// d 2^(2d-1) messages. Time and memory O(messages).
Algorithm total_exchange_algorithm();

} // namespace wormcast
