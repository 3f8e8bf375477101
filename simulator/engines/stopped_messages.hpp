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

/// All of them.
class StoppedMessages {
public:
  void add(const StoppedMessage& stopped) { stopped_.emplace(index(stopped.waiting.message), stopped); }

  /// The last cycle in which one stopped; -1: there is none.
  std::int64_t last() const;

  /// Found from the message of lowest id: as each one that waits points to one that waits as well, the way must come
  /// back to one seen before. Empty where nobody waits.
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
