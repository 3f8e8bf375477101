#include "wormcast/algorithms/verifier/port_counter.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

PortCounter::PortCounter(const Topology& topology, const Schedule& schedule)
    : topology_(topology), ports_(schedule.ports), half_duplex_(schedule.duplex == Duplex::half),
      sends_(topology.host_count()), receives_(topology.host_count())
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
  using Kind = Excess::Kind;
  if (sent > ports_.count) {
    excesses_.push_back({.node = source, .kind = Kind::sends, .sends = sent});
  }
  if (received > ports_.count) {
    excesses_.push_back({.node = destination, .kind = Kind::receives, .receives = received});
  }
  if (source_receives > 0 && sent + source_receives > ports_.count) {
    excesses_.push_back({.node = source, .kind = Kind::both, .sends = sent, .receives = source_receives});
  }
  if (destination_sends > 0 && received + destination_sends > ports_.count) {
    excesses_.push_back({.node = destination, .kind = Kind::both, .sends = destination_sends, .receives = received});
  }
  return excesses_;
}

std::string PortCounter::Excess::text() const
{
  switch (kind) {
  case Kind::sends:
    return fmt::format("sends {} messages", sends);
  case Kind::receives:
    return fmt::format("receives {} messages", receives);
  case Kind::both:
    return fmt::format("sends {} and receives {} messages with half-duplex ports", sends, receives);
  case Kind::channel_out:
    return "sends more than one message through one external channel";
  case Kind::channel_in:
    return "receives more than one message through one external channel";
  case Kind::link:
    break;
  }
  return "sends and receives over one link with half-duplex ports";
}

void PortCounter::check_channels(std::uint32_t step, const Message& message, std::span<const ChannelId> route)
{
  using Kind = Excess::Kind;
  if (count(leaving_[index(route.front())], step) > 1) {
    excesses_.push_back({.node = message.source, .kind = Kind::channel_out});
  }
  if (count(entering_[index(route.back())], step) > 1) {
    excesses_.push_back({.node = message.destination, .kind = Kind::channel_in});
  }
  if (!half_duplex_) {
    return;
  }
  const std::optional<ChannelId> into_source = opposite(route.front());
  if (into_source && in_step(entering_[index(*into_source)], step) > 0) {
    excesses_.push_back({.node = message.source, .kind = Kind::link});
  }
  const std::optional<ChannelId> out_of_destination = opposite(route.back());
  if (out_of_destination && in_step(leaving_[index(*out_of_destination)], step) > 0) {
    excesses_.push_back({.node = message.destination, .kind = Kind::link});
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
