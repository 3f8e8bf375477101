#include "wormcast/algorithms/torus_all_reduce/torus_doubling.hpp"

#include "wormcast/algorithms/torus_all_reduce/exchange_variants.hpp"

namespace wormcast {

namespace {

constexpr std::string_view torus_doubling_name = "torus_doubling";

} // namespace

RingPattern doubling_pattern(std::uint32_t size, bool mirrored)
{
  return {.size = size, .steps = logarithm(size, 2), .peers = [size, mirrored](std::uint32_t node, std::uint32_t step) {
            const std::uint32_t distance = std::uint32_t{1} << step;
            const bool up = ((node & distance) == 0) != mirrored;
            return std::vector{(up ? node + distance : node + size - distance) % size};
          }};
}

Algorithm torus_doubling_algorithm()
{
  Algorithm algorithm = torus_all_reduce_algorithm(torus_doubling_name);
  algorithm.summary =
      "recursive halving and doubling along rings, dimension in turn; with all ports 2D of them at once";
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "mesh and torus of any dimensions, sizes powers of two";
  algorithm.costs =
      "N nodes, D dimensions: all_reduce alpha = 2 log2 N, beta with all ports (1 - 1/N)/D, with one port "
      "2(1 - 1/N); variant latency alpha = log2 N, beta = log2(N)/(2D) or log2 N; reduce_scatter and "
      "all_gather half of bandwidth; contends but for sides of 2";
  algorithm.source =
      "Rabenseifner 2004; Sack & Gropp, ACM TOPC 1(2), 2015; De Sensi et al., NSDI 2024, sections 4.1 and "
      "5.1 (mirrored)";
  add_exchange_variants(
      algorithm,
      {.name = torus_doubling_name,
       .mirrored = MirroredToo::yes,
       .base = 2,
       .require = [](const Grid& grid, PortModel, ExchangeVariant) { require_powers(grid, torus_doubling_name, 2); },
       .patterns = doubling_pattern,
       .hops = [](std::uint32_t size,
                  bool mirrored) { return hops_by_pattern(doubling_pattern(size, mirrored), torus_doubling_name); }});
  return algorithm;
}

} // namespace wormcast
