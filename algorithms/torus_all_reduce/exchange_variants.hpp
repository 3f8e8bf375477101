#pragma once

#include "wormcast/algorithms/torus_all_reduce/ring_exchange.hpp"

#include <string_view>

namespace wormcast {

/// How an algorithm of exchanges moves a share of the vector.
enum class ExchangeVariant {
  bandwidth, ///< reduce_scatter and all_gather of a block for each node: most steps, fewest bytes
  latency    ///< partial results of the whole share: half the steps, more bytes
};

/// An algorithm of exchanges along the rings of one dimension at a time.
struct ExchangeAlgorithm {
  std::string_view name;
  MirroredToo mirrored = MirroredToo::yes;
  std::int64_t base = 2; ///< A node and its peers of a step are so many, and keep an equal part of a share each.
  /// Throws InputError that names the dimension where the variant does not serve the topology.
  std::function<void(const Grid& grid, PortModel ports, ExchangeVariant variant)> require;
  RingPatterns patterns;
  RingHopTables hops;
};

/// Adds what the algorithms of exchanges have in common: the parameter `variant` with its tuning, its family, and
/// `make`.
void add_exchange_variants(Algorithm& algorithm, const ExchangeAlgorithm& exchange);

/// Throws InputError that names algorithm, dimension and nearest size unless every size of the grid is a power of
/// `base`.
void require_powers(const Grid& grid, std::string_view algorithm, std::uint32_t base);

/// The logarithm of a power of `base`.
std::uint32_t logarithm(std::uint32_t power, std::uint32_t base);

} // namespace wormcast
