#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// The least total communication distance, by node id, of all broadcasts on a mesh of as many axes as `crossed` has,
/// side 2^k, that cut every box with one informed node across the axes in this order, again and again, and send to any
/// node of the other half: recursive halving with one fixed order. Exact, by dynamic programming over the boxes; cost
/// O(N d) per cut.
std::vector<std::int64_t> fixed_order_halving_tcds(std::span<const std::size_t> crossed, unsigned k);

} // namespace wormcast
