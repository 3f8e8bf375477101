#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// A send over one external channel, from a node to its neighbour.
struct NodeSend {
  NodeId from{};
  NodeId to{};

  friend bool operator==(NodeSend, NodeSend) = default;
};

/// The sends of each step.
using SendSteps = std::vector<std::vector<NodeSend>>;

/// Returns the broadcast in which every send carries the whole message. Messages are ordered by step, then as given.
Schedule whole_message_broadcast(const SendSteps& steps);

/// Whether a node of `degree` neighbours can use all its links at once.
bool all_links_at_once(PortModel ports, std::uint32_t degree);

} // namespace wormcast
