#include "wormcast/experiments/mpi/rank_map.hpp"

#include "wormcast/experiments/mpi/program_record.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <random>
#include <utility>

namespace wormcast {

namespace {

// The same everywhere, which std::shuffle does not promise.
void shuffle_nodes(std::vector<NodeId>& nodes, std::uint64_t seed)
{
  std::mt19937_64 random(seed);
  for (std::size_t left = nodes.size(); left > 1; --left) {
    std::swap(nodes[left - 1], nodes[random() % left]);
  }
}

} // namespace

std::vector<NodeId> map_ranks(const std::string& map, std::uint64_t ranks, std::uint32_t nodes, std::uint64_t seed)
{
  if (ranks < 1) {
    throw InputError("--ranks: found 0, expected a whole number from 1");
  }
  std::vector<NodeId> chosen;
  if (map == "block" || map == "random") {
    if (ranks > nodes) {
      throw InputError(fmt::format("--ranks: found {}, but the topology has {} nodes; --map round_robin or a file puts "
                                   "several ranks on a node",
                                   ranks, nodes));
    }
    chosen.reserve(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node) {
      chosen.push_back(NodeId{node});
    }
    if (map == "random") {
      shuffle_nodes(chosen, seed);
    }
  } else if (map == "round_robin") {
    chosen.reserve(ranks);
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
      chosen.push_back(NodeId{static_cast<std::uint32_t>(rank % nodes)});
    }
  } else {
    chosen = read_hosts(map, nodes);
    if (ranks > chosen.size()) {
      throw InputError(fmt::format("--ranks: found {}, but {} has {} lines with a node", ranks, map, chosen.size()));
    }
  }
  chosen.resize(ranks);
  return chosen;
}

} // namespace wormcast
