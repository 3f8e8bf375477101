#include "wormcast/algorithms/torus_all_reduce/swing.hpp"

#include "wormcast/algorithms/torus_all_reduce/exchange_variants.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace wormcast {

namespace {

constexpr std::string_view swing_name = "swing";

RingHops swing_hops(std::uint32_t size, bool mirrored)
{
  const RingPattern pattern = swing_pattern(size, mirrored);
  if (size % 2 == 0 || size == 1) {
    return hops_by_pattern({size, pattern.steps, pattern.peers}, swing_name);
  }
  const RingHops even = hops_by_pattern(pattern, swing_name);
  RingHops hops(size, pattern.steps);
  const std::uint32_t extra = size - 1;
  for (std::uint32_t node = 0; node < extra; ++node) {
    for (std::uint32_t owner = 0; owner < extra; ++owner) {
      hops.hop(node, owner) = even.hop(node, owner);
    }
  }
  // In each step the extra node serves half of the nodes that are left, in the last step all of them.
  std::uint32_t node = 0;
  for (std::uint32_t step = 0; step < pattern.steps; ++step) {
    const std::uint32_t left = extra - node;
    const std::uint32_t served = step + 1 == pattern.steps ? left : (left + 1) / 2;
    for (std::uint32_t i = 0; i < served; ++i, ++node) {
      hops.hop(extra, node) = {static_cast<std::uint16_t>(step), static_cast<std::uint16_t>(node)};
      hops.hop(node, extra) = {static_cast<std::uint16_t>(step), static_cast<std::uint16_t>(extra)};
    }
  }
  return hops;
}

void require_swing(const Grid& grid, PortModel /*ports*/, ExchangeVariant variant)
{
  if (variant == ExchangeVariant::latency) {
    require_powers(grid, "swing with variant = \"latency\"", 2);
    return;
  }
  const auto more_than_one = std::ranges::count_if(grid.sizes(), [](std::int64_t size) { return size > 1; });
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    const std::int64_t size = grid.sizes()[dimension];
    if (size > 1 && size % 2 != 0 && more_than_one > 1) {
      throw InputError(fmt::format("{} needs even sizes with more than one dimension; the {} size of the {} is {}; the "
                                   "nearest are {} and {}",
                                   swing_name, dimension_name(dimension), grid.title(), size, size - 1, size + 1));
    }
  }
}

} // namespace

RingPattern swing_pattern(std::uint32_t size, bool mirrored)
{
  const std::uint32_t even = size - size % 2;
  const auto steps = static_cast<std::uint32_t>(even < 2 ? 0 : std::bit_width(even - 1));
  return {.size = even, .steps = steps, .peers = [even, mirrored](std::uint32_t node, std::uint32_t step) {
            const std::int64_t ahead = (node % 2 == 0) == mirrored ? -swing_distance(step) : swing_distance(step);
            const std::int64_t peer = (node + ahead) % even;
            return std::vector{static_cast<std::uint32_t>(peer < 0 ? peer + even : peer)};
          }};
}

std::int64_t swing_distance(std::uint32_t step)
{
  std::int64_t power = -2; // (-2)^(step + 1)
  for (std::uint32_t i = 0; i < step; ++i) {
    power *= -2;
  }
  return (1 - power) / 3;
}

Algorithm swing_algorithm()
{
  Algorithm algorithm = torus_all_reduce_algorithm(swing_name);
  algorithm.summary =
      "exchanges at the distances 1, -1, 3, -5, 11, ... along rings; with all ports 2D patterns at once";
  algorithm.ports = "one-port, all-port";
  algorithm.topologies =
      "mesh and torus of even sizes, or of one dimension and any size; variant latency: of powers of "
      "two; made for tori";
  algorithm.costs =
      "powers of two, N nodes, D dimensions: all_reduce alpha = 2 log2 N, beta with all ports (1 - 1/N)/D, "
      "with one port 2(1 - 1/N); variant latency alpha = log2 N, beta = log2(N)/(2D) or log2 N; "
      "reduce_scatter and all_gather half of bandwidth; free of contention on tori with sides of 4";
  algorithm.source = "De Sensi, Bonato, Saam & Hoefler, NSDI 2024, sections 3 and 4, appendix A";
  add_exchange_variants(algorithm, {.name = swing_name,
                                    .mirrored = MirroredToo::yes,
                                    .base = 2,
                                    .require = require_swing,
                                    .patterns = swing_pattern,
                                    .hops = swing_hops});
  return algorithm;
}

} // namespace wormcast
