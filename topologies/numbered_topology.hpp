#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// A topology without coordinates: in their place nodes have their ids.
class NumberedTopology : public Topology {
public:
  std::vector<std::int64_t> coordinates(NodeId node) const override { return {index(node)}; }
  NodeId node_at(std::span<const std::int64_t> coordinates) const override;

protected:
  using Topology::Topology;
};

} // namespace wormcast
