#include "wormcast/algorithms/verifier/port_counter.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

PortCounter::PortCounter(const Topology& topology, const Schedule& schedule)
    : topology_(topology), ports_(schedule.ports), half_duplex_(schedule.duplex == Duplex::half),
      sends_(topology.node_count()), receives_(topology.node_count())
{
  if (ports_.count == PortModel::all) {
    leaving_.resize(topology.channel_count());
    entering_.resize(topology.channel_count());
  }
}

std::uint32_t PortCounter::in_step(const Count& count, std::uint32_t step)
{
  return count.step == step ? count.messages : 0;
}

std::uint32_t PortCounter::count(Count& count, std::uint32_t step)
{
  if (count.step != step) {
    count = {step, 0};
  }
  return ++count.messages;
}

std::span<const PortCounter::Excess> PortCounter::add(std::uint32_t step, const Message& message,
                                                      std::span<const ChannelId> route)
{
  excesses_.clear();
  const NodeId source = message.source;
  const NodeId destination = message.destination;
  const std::uint32_t sent = count(sends_[index(source)], step);
  const std::uint32_t received = count(receives_[index(destination)], step);
  const std::uint32_t source_receives = half_duplex_ ? in_step(receives_[index(source)], step) : 0;
  const std::uint32_t destination_sends = half_duplex_ ? in_step(sends_[index(destination)], step) : 0;
  needed_ = std::max({needed_, sent + source_receives, received + destination_sends});
  if (ports_.count == PortModel::all) {
    check_channels(step, message, route);
    return excesses_;
  }
  if (sent > ports_.count) {
    report(source, fmt::format("sends {} messages", sent));
  }
  if (received > ports_.count) {
    report(destination, fmt::format("receives {} messages", received));
  }
  constexpr std::string_view both = "sends {} and receives {} messages with half-duplex ports";
  if (source_receives > 0 && sent + source_receives > ports_.count) {
    report(source, fmt::format(both, sent, source_receives));
  }
  if (destination_sends > 0 && received + destination_sends > ports_.count) {
    report(destination, fmt::format(both, destination_sends, received));
  }
  return excesses_;
}

void PortCounter::report(NodeId node, std::string_view text)
{
  Excess& excess = excesses_.emplace_back();
  excess.node = node;
  excess.text = text;
}

void PortCounter::check_channels(std::uint32_t step, const Message& message, std::span<const ChannelId> route)
{
  if (count(leaving_[index(route.front())], step) > 1) {
    report(message.source, "sends more than one message through one external channel");
  }
  if (count(entering_[index(route.back())], step) > 1) {
    report(message.destination, "receives more than one message through one external channel");
  }
  if (!half_duplex_) {
    return;
  }
  const char* both = "sends and receives over one link with half-duplex ports";
  const std::optional<ChannelId> into_source = opposite(route.front());
  if (into_source && in_step(entering_[index(*into_source)], step) > 0) {
    report(message.source, both);
  }
  const std::optional<ChannelId> out_of_destination = opposite(route.back());
  if (out_of_destination && in_step(leaving_[index(*out_of_destination)], step) > 0) {
    report(message.destination, both);
  }
}

// The channel in the opposite direction, if there is one; parallel channels are paired in the order of their ids.
std::optional<ChannelId> PortCounter::opposite(ChannelId channel) const
{
  const NodeId from = topology_.channel_source(channel);
  const NodeId to = topology_.channel_target(channel);
  const auto channels_between = [&](NodeId a, NodeId b) {
    std::vector<ChannelId> between;
    const std::uint32_t first = index(topology_.first_channel(a));
    for (std::uint32_t id = first; id < first + topology_.out_degree(a); ++id) {
      if (topology_.channel_target(ChannelId{id}) == b) {
        between.push_back(ChannelId{id});
      }
    }
    return between;
  };
  const std::vector<ChannelId> there = channels_between(from, to);
  const std::vector<ChannelId> back = channels_between(to, from);
  const auto place = static_cast<std::size_t>(std::ranges::find(there, channel) - there.begin());
  return place < back.size() ? std::optional(back[place]) : std::nullopt;
}

} // namespace wormcast
