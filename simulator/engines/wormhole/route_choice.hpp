#pragma once

#include "wormcast/simulator/engines/message_in_flight.hpp"
#include "wormcast/simulator/engines/wormhole/arbiter.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// The choice of headers between two routes (Topology::headers_choose), made with the information of one router as in
/// UGAL-L (J. Kim, W. J. Dally, S. Scott and D. Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008,
/// section 4): the shortest route is taken if q * H of it is not greater than that of the drawn one. H is the number of
/// channels of the route after the first, and q the number of messages that hold a virtual channel of the second one,
/// or wait for one, when the header requests it.
class RouteChoice {
public:
  /// Both must outlive it.
  RouteChoice(const Topology& topology, const NetworkParameters& network)
      : topology_(topology), network_(network), exists_(topology.headers_choose())
  {}

  bool exists() const { return exists_; }
  /// Whether the header of this message chooses. It does so when it requests the channel at position 2 of its path.
  bool has(const MessageInFlight& message) const
  {
    return exists_ && topology_.draws_route(message.source, message.destination);
  }

  /// Returns the route that the header chooses at `now`; valid until the next call. Throws std::logic_error if the
  /// routes begin with different channels.
  std::span<const ChannelId> choose(const MessageInFlight& message, const Arbiter& channels, std::int64_t now);

private:
  const Topology& topology_;
  const NetworkParameters& network_;
  bool exists_;
  std::vector<ChannelId> shortest_;
  std::vector<ChannelId> drawn_;
};

} // namespace wormcast
