#pragma once

#include "wormcast/topologies/topology.hpp"

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

/// n where the topology has 2^n nodes. Throws InputError that names the algorithm if their number is no power of two.
unsigned require_power_of_two_nodes(const Topology& topology, std::string_view algorithm);

} // namespace wormcast
