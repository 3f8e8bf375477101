#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// A property of a network that users should know before they rely on its results.
struct NetworkWarning {
  enum class Kind : std::uint8_t {
    slow_channels, ///< buffers are too small for the channels' full rate
    ring_deadlock, ///< a cycle of channel dependencies in the rings of a torus
    fluid_ignores  ///< keys of the network that a fluid model does not need
  };

  Kind kind{};
  std::string text; ///< without a full stop

  friend bool operator==(const NetworkWarning&, const NetworkWarning&) = default;
};

/// Returns the warnings for a network, each kind at most once. Where RouterModel::virtual_channels_add_up is set,
/// buffers are small only if all virtual channels of a channel together do not reach its rate. `network` must be
/// resolved for the topology (resolve_for). Cost: that of the channel dependency graph of a ring of each size, once.
std::vector<NetworkWarning> network_warnings(const NetworkParameters& network, const Topology& topology);

/// Returns the warning of a run on a fluid model (RunParameters::fluid) in a network with keys that only worms need,
/// and that are not their defaults. None without a fluid model, or without such keys.
std::vector<NetworkWarning> fluid_warnings(const NetworkParameters& network, const RunParameters& run);

} // namespace wormcast
