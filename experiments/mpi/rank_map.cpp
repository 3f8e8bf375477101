#include "wormcast/experiments/mpi/rank_map.hpp"

#include "wormcast/experiments/mpi/channel_load.hpp"
#include "wormcast/experiments/mpi/program_record.hpp"
#include "wormcast/experiments/mpi/scotch_placement.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

constexpr std::array<const char*, 4> communication_maps = {"greedy", "refine", "channel_load", "scotch"};

// The same everywhere, which std::shuffle does not promise.
void shuffle_nodes(std::vector<NodeId>& nodes, std::uint64_t seed)
{
  std::mt19937_64 random(seed);
  for (std::size_t left = nodes.size(); left > 1; --left) {
    std::swap(nodes[left - 1], nodes[random() % left]);
  }
}

void check_ranks(std::string_view what, std::int64_t ranks)
{
  if (ranks < 1 || ranks > most_ranks) {
    throw InputError(fmt::format("{} {}, expected a whole number from 1 to {}", what, ranks, most_ranks));
  }
}

} // namespace

std::vector<std::string> rank_map_names()
{
  return {"block", "round_robin", "order", "random"};
}

bool needs_communication(const std::string& map)
{
  return std::ranges::find(communication_maps, map) != communication_maps.end();
}

std::vector<std::string> program_map_names()
{
  std::vector<std::string> names = rank_map_names();
  names.insert(names.end(), communication_maps.begin(), communication_maps.end());
  return names;
}

std::vector<NodeId> map_by_communication(const std::string& map, const Topology& topology,
                                         const Communication& communication, std::span<const NodeId> before)
{
  if (map == "scotch") {
    return scotch_placement(topology, communication);
  }
  std::vector<NodeId> greedy = greedy_placement(topology, communication);
  if (map == "greedy") {
    return greedy;
  }
  const auto refined = [&](std::span<const NodeId> nodes) {
    std::vector<NodeId> placed = refined_placement(topology, communication, {nodes.begin(), nodes.end()});
    return map == "refine" ? placed : least_loaded_placement(topology, communication, std::move(placed));
  };
  const auto cost = [&](const std::vector<NodeId>& nodes) {
    return map == "refine" ? byte_hops(topology, communication, nodes)
                           : busiest_channel_bytes(topology, communication, nodes);
  };
  const std::vector<NodeId> from_greedy = refined(greedy);
  const std::vector<NodeId> from_before = refined(before);
  return cost(from_greedy) <= cost(from_before) ? from_greedy : from_before;
}

std::vector<NodeId> map_ranks(const std::string& map, std::optional<std::int64_t> given, const Topology& topology,
                              std::uint64_t seed)
{
  const std::uint32_t nodes = topology.host_count();
  if (needs_communication(map)) {
    throw InputError(fmt::format("--map: found {}, which is made from what a program sends; expected one of {}, or a "
                                 "file",
                                 map, fmt::join(rank_map_names(), ", ")));
  }
  if (given) {
    check_ranks("--ranks: found", *given);
  }
  const std::uint64_t ranks = given ? static_cast<std::uint64_t>(*given) : nodes;
  std::vector<NodeId> chosen;
  if (map == "block" || map == "random" || map == "order") {
    if (ranks > nodes) {
      throw InputError(fmt::format("--ranks: found {}, but the topology has {} nodes; --map round_robin or a file puts "
                                   "several ranks on a node",
                                   ranks, nodes));
    }
    if (map == "order") {
      chosen = curve_order(topology);
    } else {
      chosen.reserve(nodes);
      for (std::uint32_t node = 0; node < nodes; ++node) {
        chosen.push_back(NodeId{node});
      }
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
    if (!given) {
      check_ranks(fmt::format("{}: found lines with a node:", map), static_cast<std::int64_t>(chosen.size()));
      return chosen;
    }
    if (ranks > chosen.size()) {
      throw InputError(fmt::format("--ranks: found {}, but {} has {} lines with a node", ranks, map, chosen.size()));
    }
  }
  check_ranks("ranks: found", static_cast<std::int64_t>(ranks));
  chosen.resize(ranks);
  return chosen;
}

} // namespace wormcast
