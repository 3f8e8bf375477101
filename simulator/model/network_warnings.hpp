#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// Something about a network that a user should know before its results are believed.
struct NetworkWarning {
  enum class Kind : std::uint8_t {
    slow_channels, ///< buffers do not let channels reach their rate
    ring_deadlock  ///< a cycle of channel dependencies in the rings of a torus
  };

  Kind kind{};
  std::string text; ///< without a full stop

  friend bool operator==(const NetworkWarning&, const NetworkWarning&) = default;
};

/// What there is to warn of, each kind once. Where RouterModel::virtual_channels_add_up, buffers are small
/// only if all virtual channels of a channel together do not reach its rate. `network` is resolved for the topology
/// (resolve_for). Cost: that of the channel dependency graph of a ring of each size, once.
std::vector<NetworkWarning> network_warnings(const NetworkParameters& network, const Topology& topology);

} // namespace wormcast
