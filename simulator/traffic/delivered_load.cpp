#include "wormcast/simulator/traffic/delivered_load.hpp"

#include "wormcast/simulator/model/channel_times.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace wormcast {

DeliveredLoad::DeliveredLoad(const Topology& topology, const NetworkParameters& network)
    : topology_(topology), network_(network), headers_choose_(paths_are_chosen(network, topology)),
      sent_bytes_(topology.host_count()), channel_flits_(topology.channel_count())
{
  if (!headers_choose_) {
    routes_ = RouteCounts::of(topology);
  }
}

void DeliveredLoad::add(const TrafficMessage& message, MessageId id)
{
  ++messages_;
  bytes_ += static_cast<double>(message.bytes);
  sent_bytes_[index(message.source)] += static_cast<double>(message.bytes);
  if (routes_) {
    if (routes_->add(message.source, message.destination, message.flits)) {
      return;
    }
    count_parts();
  }
  if (headers_choose_) {
    take_path();
  } else {
    find_route(message.source, message.destination, route_draw(network_, index(id)));
  }
  count_along(1, message.flits);
}

void DeliveredLoad::add_path(std::span<const ChannelId> path)
{
  paths_.insert(paths_.end(), path.begin(), path.end());
  path_ends_.push_back(paths_.size());
}

void DeliveredLoad::take_path()
{
  const std::size_t begin = paths_taken_ == 0 ? 0 : path_ends_[paths_taken_ - 1];
  route_.assign(paths_.begin() + static_cast<std::ptrdiff_t>(begin),
                paths_.begin() + static_cast<std::ptrdiff_t>(path_ends_.at(paths_taken_)));
  if (++paths_taken_ == path_ends_.size()) {
    paths_.clear();
    path_ends_.clear();
    paths_taken_ = 0;
  }
}

void DeliveredLoad::find_route(NodeId from, NodeId to, std::uint64_t draw)
{
  route_.clear();
  topology_.append_drawn_route(from, to, draw, route_);
}

void DeliveredLoad::count_along(std::uint64_t messages, std::uint64_t flits)
{
  hops_ += messages * route_.size();
  for (const ChannelId channel : route_) {
    channel_flits_[index(channel)] += flits;
  }
}

void DeliveredLoad::count_parts()
{
  for (const RouteCounts::Part& part : routes_ ? routes_->take_parts() : std::vector<RouteCounts::Part>()) {
    find_route(part.from, part.to, 0);
    count_along(part.count.messages, part.count.flits);
  }
}

void DeliveredLoad::report(const TrafficClasses& classes, Time window, LoadResult& result)
{
  count_parts();
  result.hops = messages_ == 0 ? 0 : static_cast<double>(hops_) / static_cast<double>(messages_);
  report_channels(window, result);
  report_senders(classes, result);
}

void DeliveredLoad::report_channels(Time window, LoadResult& result) const
{
  const auto time = static_cast<double>(window.picoseconds);
  const ChannelTimes times(network_, topology_);
  for (std::uint32_t channel = 0; channel < channel_flits_.size(); ++channel) {
    const auto tau = static_cast<double>(times.flit(ChannelId{channel}));
    const double busy = static_cast<double>(channel_flits_[channel]) * tau / time;
    result.busy_mean += busy / static_cast<double>(channel_flits_.size());
    if (busy > result.busy_most) {
      result.busy_most = busy;
      result.busiest = ChannelId{channel};
    }
  }
}

void DeliveredLoad::report_senders(const TrafficClasses& classes, LoadResult& result) const
{
  result.smallest_share = std::numeric_limits<double>::infinity();
  for (std::uint32_t node = 0; node < sent_bytes_.size(); ++node) {
    if (!classes.sends(NodeId{node})) {
      continue;
    }
    const double share = sent_bytes_[node] / (bytes_ / (classes.parts() / classes.part_of(NodeId{node})));
    if (share < result.smallest_share) {
      result.smallest_share = share;
      result.smallest_sender = NodeId{node};
    }
  }
  result.smallest_share = std::isfinite(result.smallest_share) ? result.smallest_share : 0;
}

} // namespace wormcast
