#pragma once

#include "wormcast/topologies/topology.hpp"
#include "wormcast/topologies/up_down_order.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// Classes of virtual channels for any deterministic routes, by the turns that up*/down* routing forbids: a worm begins
/// in class 0 and rises by one at each channel that leads up behind one that leads down. Within a class all worms go
/// up, then down, so that no virtual channels wait for each other in a circle. As many classes are needed as one more
/// than the turns of the route with the most; with fewer virtual channels there is one class. So descending layers
/// routing divides them (M. Koibuchi et al., Descending layers routing, ICPP 2003).
class TurnClasses {
public:
  explicit TurnClasses(UpDownOrder order);

  /// Looks at the routes of all hosts to one destination, at each node of which one node is next: `next`, by node, is
  /// given for those in `nodes`, each of which comes behind its next one; the first is the destination.
  void add_routes(const Topology& topology, std::span<const NodeId> nodes, std::span<const NodeId> next);

  /// Looks at one route.
  void add_route(const Topology& topology, std::span<const ChannelId> route);

  /// The most turns of a route that was looked at.
  std::uint32_t most_turns() const { return most_turns_; }

  /// As Topology's functions of these names.
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const;
  void assign(const Topology& topology, std::span<const ChannelId> route, std::uint32_t virtual_channels,
              std::span<std::uint8_t> classes) const;

private:
  struct Turns {
    std::uint32_t behind_up = 0; ///< on the rest of a route, where the channel before leads up, or where it begins
    std::uint32_t behind_down = 0;
  };

  /// Returns the turns of a route, and sets those up to each channel in `turns`, unless that is empty.
  std::uint32_t turns_at(const Topology& topology, std::span<const ChannelId> route,
                         std::span<std::uint8_t> turns) const;

  UpDownOrder order_;
  std::vector<Turns> turns_; ///< by node, to the destination that is looked at
  std::uint32_t most_turns_ = 0;
};

} // namespace wormcast
