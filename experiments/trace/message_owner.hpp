#pragma once

#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace wormcast {

/// The owner of a message.
struct MessageOwner {
  bool in_series = false;                      ///< of several operations or of a load; else of a single run
  std::optional<std::uint32_t> broadcast = {}; ///< in a series the number of its broadcast; none: the load's

  friend bool operator==(const MessageOwner&, const MessageOwner&) = default;
};

/// "5", "117 of broadcast 3", "5002 of the load".
std::string message_name(std::uint32_t message, const MessageOwner& owner);

/// The owners of a series' messages. Memory: a few words for each broadcast.
class MessageOwners {
public:
  /// Adds a message; must be called before its owner is requested.
  void add(const SeriesMessage& message);
  MessageOwner of(MessageId message) const;

private:
  std::map<std::uint32_t, std::optional<std::uint32_t>> broadcast_from_; ///< by the number of its message 0
};

} // namespace wormcast
