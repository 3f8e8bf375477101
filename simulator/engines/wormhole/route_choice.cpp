#include "wormcast/simulator/engines/wormhole/route_choice.hpp"

#include <stdexcept>

namespace wormcast {

namespace {

std::uint64_t expected_wait(std::span<const ChannelId> route, const Arbiter& channels, std::int64_t now)
{
  return std::uint64_t{channels.message_count(route[1], now)} * (route.size() - 1);
}

} // namespace

std::span<const ChannelId> RouteChoice::choose(const MessageInFlight& message, const Arbiter& channels,
                                               std::int64_t now)
{
  shortest_.clear();
  drawn_.clear();
  topology_.append_route(message.source, message.destination, shortest_);
  topology_.append_drawn_route(message.source, message.destination, route_draw(network_, index(message.message)),
                               drawn_);
  if (shortest_.size() < 2 || drawn_.size() < 2 || shortest_.front() != drawn_.front()) {
    throw std::logic_error("the routes between which a header chooses part before its router");
  }
  return expected_wait(shortest_, channels, now) <= expected_wait(drawn_, channels, now) ? shortest_ : drawn_;
}

} // namespace wormcast
