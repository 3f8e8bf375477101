#include "wormcast/topologies/turn_classes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace wormcast {

TurnClasses::TurnClasses(UpDownOrder order) : order_(std::move(order)), turns_(order_.nodes().size()) {}

void TurnClasses::add_routes(const Topology& topology, std::span<const NodeId> nodes, std::span<const NodeId> next)
{
  turns_[index(nodes.front())] = {};
  for (const NodeId node : nodes.subspan(1)) {
    const NodeId beyond = next[index(node)];
    const Turns& rest = turns_[index(beyond)];
    if (order_.leads_down(node, beyond)) {
      turns_[index(node)] = {.behind_up = rest.behind_down, .behind_down = rest.behind_down};
    } else {
      turns_[index(node)] = {.behind_up = rest.behind_up, .behind_down = rest.behind_up + 1};
    }
    if (topology.is_host(node)) {
      most_turns_ = std::max(most_turns_, turns_[index(node)].behind_up);
    }
  }
}

std::uint32_t TurnClasses::turns_at(const Topology& topology, std::span<const ChannelId> route,
                                    std::span<std::uint8_t> turns) const
{
  std::uint32_t so_far = 0;
  bool has_gone_down = false;
  for (std::size_t hop = 0; hop < route.size(); ++hop) {
    const bool down = order_.leads_down(topology.channel_source(route[hop]), topology.channel_target(route[hop]));
    so_far += has_gone_down && !down ? 1 : 0;
    has_gone_down = down;
    if (hop < turns.size()) {
      turns[hop] = static_cast<std::uint8_t>(so_far);
    }
  }
  return so_far;
}

void TurnClasses::add_route(const Topology& topology, std::span<const ChannelId> route)
{
  most_turns_ = std::max(most_turns_, turns_at(topology, route, {}));
}

std::uint32_t TurnClasses::virtual_channel_classes(std::uint32_t virtual_channels) const
{
  const bool fits = most_turns_ < std::numeric_limits<std::uint8_t>::max();
  return fits && virtual_channels > most_turns_ ? most_turns_ + 1 : 1;
}

void TurnClasses::assign(const Topology& topology, std::span<const ChannelId> route, std::uint32_t virtual_channels,
                         std::span<std::uint8_t> classes) const
{
  if (virtual_channel_classes(virtual_channels) == 1) {
    std::ranges::fill(classes, std::uint8_t{0});
    return;
  }
  turns_at(topology, route, classes);
}

} // namespace wormcast
