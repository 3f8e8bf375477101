#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/load_run.hpp"
#include "wormcast/simulator/traffic/route_counts.hpp"
#include "wormcast/simulator/traffic/traffic_classes.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// What a network delivered in a measurement window: bytes by sender, and flits by the channels that they crossed.
/// Memory: the nodes and channels, and RouteCounts.
class DeliveredLoad {
public:
  /// Both must outlive it.
  DeliveredLoad(const Topology& topology, const NetworkParameters& network);

  /// A message was delivered.
  void add(const TrafficMessage& message, MessageId id);
  /// The channels of a message whose header chose them, before the message itself is added, in the same order; add()
  /// looks up those of others.
  void add_path(std::span<const ChannelId> path);

  double bytes() const { return bytes_; }

  /// Fills in hops, busy_mean, busy_most, busiest, smallest_share and smallest_sender. `window` is the length of the
  /// window. To be called once.
  void report(const TrafficClasses& classes, Time window, LoadResult& result);

private:
  void take_path();
  void find_route(NodeId from, NodeId to, std::uint64_t draw);
  void count_along(std::uint64_t messages, std::uint64_t flits);
  void count_parts();
  void report_channels(Time window, LoadResult& result) const;
  void report_senders(const TrafficClasses& classes, LoadResult& result) const;

  const Topology& topology_;
  const NetworkParameters& network_;
  bool headers_choose_; ///< other routes than those of Topology::append_drawn_route
  double bytes_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t hops_ = 0;
  std::vector<double> sent_bytes_;           ///< by node
  std::optional<RouteCounts> routes_;        ///< none: counted along the routes at once
  std::vector<std::uint64_t> channel_flits_; ///< by channel
  std::vector<ChannelId> route_;             ///< of one message
  std::vector<ChannelId> paths_;             ///< of messages that are not yet added, one after the other
  std::vector<std::size_t> path_ends_;       ///< in paths_
  std::size_t paths_taken_ = 0;
};

} // namespace wormcast
