#pragma once

#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/topologies/topology.hpp"

#include <bit>
#include <cstdint>
#include <string_view>

namespace wormcast {

/// Ranks relative to the source, as MPI libraries number the processes of a broadcast: node (source + r) mod N has rank
/// r, so the source has rank 0. Node ids are process ranks, whatever the topology.
class RankOrder {
public:
  RankOrder(const Topology& topology, NodeId source) : nodes_(topology.host_count()), source_(index(source)) {}

  std::uint32_t size() const { return nodes_; }
  std::uint32_t rank(NodeId node) const { return (index(node) + (nodes_ - source_)) % nodes_; }
  /// `rank` is below size().
  NodeId node(std::uint32_t rank) const { return NodeId{(source_ + rank) % nodes_}; }

private:
  std::uint32_t nodes_;
  std::uint32_t source_;
};

/// The binomial tree over `size` ranks in which a node's first child is the farthest: in each step, of distances size/2
/// (rounded up to a power of two), ..., 2, 1, every rank that has the message sends it to the rank so far behind, if
/// there is one. `ownership` begins with rank 0; `rank_of(NodeId)` and `node_of(rank)` say who has which rank.
template <typename RankOf, typename NodeOf>
Schedule far_children_first(std::uint32_t size, Ownership ownership, RankOf rank_of, NodeOf node_of)
{
  for (std::uint32_t distance = std::bit_ceil(size) / 2; distance > 0; distance /= 2) {
    ownership.share([&](NodeId node) {
      const std::uint32_t rank = rank_of(node);
      return rank < size - distance ? node_of(rank + distance) : node;
    });
  }
  return ownership.take_schedule();
}

/// n where the topology has 2^n nodes. Throws InputError that names the algorithm if their number is no power of two.
unsigned require_power_of_two_nodes(const Topology& topology, std::string_view algorithm);

} // namespace wormcast
