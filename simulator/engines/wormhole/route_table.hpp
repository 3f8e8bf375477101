#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// The routes of a network. In small networks without drawn routes each is computed once and stored: 8 bytes a pair of
/// nodes, at most 128 KiB, and 4 bytes a channel of each route requested.
class RouteTable {
public:
  RouteTable(const Topology& topology, const NetworkParameters& network)
      : topology_(topology), network_(network), nodes_(topology.node_count()), draws_(topology.drawn_bits() > 0)
  {
    if (nodes_ <= most_nodes && !draws_) {
      spans_.resize(std::size_t{nodes_} * nodes_);
    }
  }

  /// Returns the route, as Topology::append_drawn_route gives it; valid until the next call.
  std::span<const ChannelId> route(NodeId from, NodeId to, MessageId message)
  {
    if (spans_.empty()) {
      channels_.clear();
      if (draws_) {
        topology_.append_drawn_route(from, to, route_draw(network_, index(message)), channels_);
      } else {
        topology_.append_route(from, to, channels_);
      }
      return channels_;
    }
    RouteSpan& span = spans_[std::size_t{index(from)} * nodes_ + index(to)];
    if (span.begin == span.end) { // not requested before, or no channels
      span.begin = static_cast<std::uint32_t>(channels_.size());
      topology_.append_route(from, to, channels_);
      span.end = static_cast<std::uint32_t>(channels_.size());
    }
    return std::span(channels_).subspan(span.begin, span.end - span.begin);
  }

private:
  static constexpr std::uint32_t most_nodes = 128;

  struct RouteSpan {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  const Topology& topology_;
  const NetworkParameters& network_;
  std::uint32_t nodes_;
  bool draws_;
  std::vector<RouteSpan> spans_; // in channels_, by source and destination; empty: routes are not stored
  std::vector<ChannelId> channels_;
};

} // namespace wormcast
