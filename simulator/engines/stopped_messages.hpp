#pragma once

#include "wormcast/simulator/engines/contention_log.hpp"
#include "wormcast/simulator/engines/engine.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace wormcast {

/// A header that waits in a network in which nothing moves any more.
struct StoppedMessage {
  MessageStep waiting;
  Resource resource;
  MessageStep holding;
  std::int64_t since = 0; ///< cycle
  WaitCause cause = WaitCause::channel;
};

/// All stopped messages of a network.
class StoppedMessages {
public:
  void add(const StoppedMessage& stopped) { stopped_.emplace(index(stopped.waiting.message), stopped); }

  /// Returns the last cycle in which a message stopped; -1: no message waits.
  std::int64_t last() const;

  /// Returns the cyclic wait that is found from the message of lowest id: as each waiting message points to another
  /// waiting message, the chain must return to a message seen before. Empty if no message waits.
  std::vector<WaitingLink> cyclic_wait() const;

  template <typename Visit> void for_each(Visit&& visit) const
  {
    for (const auto& [message, stopped] : stopped_) {
      visit(stopped);
    }
  }

private:
  std::unordered_map<std::uint32_t, StoppedMessage> stopped_; // by message
};

} // namespace wormcast
