#include "wormcast/experiments/trace/message_owner.hpp"

#include <fmt/format.h>

#include <iterator>

namespace wormcast {

std::string message_name(std::uint32_t message, const MessageOwner& owner)
{
  if (!owner.in_series) {
    return fmt::to_string(message);
  }
  return owner.broadcast ? fmt::format("{} of broadcast {}", message, *owner.broadcast)
                         : fmt::format("{} of the load", message);
}

void MessageOwners::add(const SeriesMessage& message)
{
  broadcast_from_.try_emplace(index(message.id) - index(message.own), message.broadcast);
}

MessageOwner MessageOwners::of(MessageId message) const
{
  const auto behind = broadcast_from_.upper_bound(index(message));
  return {.in_series = true, .broadcast = std::prev(behind)->second};
}

} // namespace wormcast
