#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace wormcast {

/// Checks the sizes of a network with switches before it is made. Throws InputError if they exceed 2^24 nodes or 2^27
/// channels, or the memory; `title` names the network.
void check_switched_size(std::uint64_t nodes, std::uint64_t channels, std::string_view title);

/// A network whose hosts have one coordinate, their id.
class SwitchedTopology : public Topology {
public:
  std::vector<std::int64_t> coordinates(NodeId node) const override { return {index(node)}; }
  NodeId node_at(std::span<const std::int64_t> coordinates) const override;

protected:
  using Topology::Topology;
};

} // namespace wormcast
