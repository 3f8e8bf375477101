#include "wormcast/algorithms/torus_all_reduce/trivance.hpp"

#include "wormcast/algorithms/torus_all_reduce/exchange_variants.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

constexpr std::string_view trivance_name = "trivance";

RingPattern trivance_pattern(std::uint32_t size, bool /*mirrored*/)
{
  return {.size = size, .steps = logarithm(size, 3), .peers = [size](std::uint32_t node, std::uint32_t step) {
            std::uint32_t distance = 1;
            for (std::uint32_t i = 0; i < step; ++i) {
              distance *= 3;
            }
            return std::vector{(node + distance) % size, (node + size - distance) % size};
          }};
}

void require_trivance(const Grid& grid, PortModel ports, ExchangeVariant /*variant*/)
{
  if (!grid.wraps()) {
    throw InputError(fmt::format("{} runs on a torus, not on a {}", trivance_name, grid.title()));
  }
  require_powers(grid, trivance_name, 3);
  if (ports.count != PortModel::all) {
    throw InputError(fmt::format("{}: found ports = {}, expected \"all\": every node sends both ways at once",
                                 trivance_name, ports.count));
  }
}

} // namespace

Algorithm trivance_algorithm()
{
  Algorithm algorithm = torus_all_reduce_algorithm(trivance_name);
  algorithm.summary = "exchanges with the nodes 3^t ahead and behind along rings of 3^q nodes: log3 N steps";
  algorithm.ports = "all-port";
  algorithm.topologies = "torus of any dimensions, sizes powers of three";
  algorithm.costs =
      "N nodes, D dimensions: all_reduce alpha = 2 log3 N, beta = (1 - 1/N)/D; variant latency alpha = log3 "
      "N, beta = log3(N)/D; reduce_scatter and all_gather half of bandwidth; free of contention with sides "
      "of 3";
  algorithm.source = "Juerss, Addanki & Schmid, arXiv 2602.17254, 2026, after its abstract and published simulator";
  add_exchange_variants(algorithm, {.name = trivance_name,
                                    .mirrored = MirroredToo::no,
                                    .base = 3,
                                    .require = require_trivance,
                                    .patterns = trivance_pattern,
                                    .hops = [](std::uint32_t size, bool mirrored) {
                                      return hops_by_pattern(trivance_pattern(size, mirrored), trivance_name);
                                    }});
  return algorithm;
}

} // namespace wormcast
