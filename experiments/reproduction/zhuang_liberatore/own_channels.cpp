#include "wormcast/experiments/reproduction/zhuang_liberatore/own_channels.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace wormcast::zhuang_liberatore {

namespace {

/// Nodes that a message passes, both ends included.
using Way = std::vector<NodeId>;
using Ways = std::map<std::pair<NodeId, NodeId>, Way>;

Ways own_ways(const Topology& topology, const Schedule& schedule)
{
  Ways ways;
  std::uint32_t nodes = topology.node_count();
  for (const Message& message : schedule.messages) {
    const auto [place, is_new] = ways.try_emplace({message.source, message.destination});
    if (is_new) {
      Way& way = place->second;
      way.push_back(message.source);
      for (std::uint32_t hop = 1; hop < topology.distance(message.source, message.destination); ++hop) {
        way.push_back(NodeId{nodes++});
      }
      way.push_back(message.destination);
    }
  }
  return ways;
}

std::uint32_t nodes_of(const Topology& topology, const Ways& ways)
{
  std::size_t nodes = topology.node_count();
  for (const auto& [ends, way] : ways) {
    nodes += way.size() - 2;
  }
  return static_cast<std::uint32_t>(nodes);
}

std::vector<ChannelEnds> channels_of(const Ways& ways)
{
  std::vector<ChannelEnds> channels;
  for (const auto& [ends, way] : ways) {
    for (std::size_t i = 1; i < way.size(); ++i) {
      channels.push_back({way[i - 1], way[i]});
    }
  }
  return channels;
}

class OwnChannels final : public Topology {
public:
  OwnChannels(const Topology& topology, const Ways& ways)
      : Topology(topology.description(), nodes_of(topology, ways), channels_of(ways), topology.routing())
  {
    for (const auto& [ends, way] : ways) {
      std::vector<ChannelId>& route = routes_[ends];
      for (std::size_t i = 1; i < way.size(); ++i) {
        route.push_back(channel(way[i - 1], way[i]));
      }
      longest_ = std::max(longest_, static_cast<std::uint32_t>(route.size()));
    }
  }

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override
  {
    const std::vector<ChannelId>& own = routes_.at({from, to});
    route.insert(route.end(), own.begin(), own.end());
  }

  std::uint32_t distance(NodeId from, NodeId to) const override
  {
    return static_cast<std::uint32_t>(routes_.at({from, to}).size());
  }

  std::uint32_t longest_route() const override { return longest_; }
  std::vector<std::int64_t> coordinates(NodeId node) const override { return {std::int64_t{index(node)}}; }
  NodeId node_at(std::span<const std::int64_t> coordinates) const override
  {
    return NodeId{static_cast<std::uint32_t>(coordinates[0])};
  }
  std::string title() const override { return "channels of its own for each pair of nodes"; }

private:
  ChannelId channel(NodeId from, NodeId to) const
  {
    std::uint32_t id = index(first_channel(from));
    while (channel_target(ChannelId{id}) != to) {
      ++id;
    }
    return ChannelId{id};
  }

  std::map<std::pair<NodeId, NodeId>, std::vector<ChannelId>> routes_;
  std::uint32_t longest_ = 0;
};

} // namespace

std::unique_ptr<Topology> with_own_channels(const Topology& topology, const Schedule& schedule)
{
  return std::make_unique<OwnChannels>(topology, own_ways(topology, schedule));
}

} // namespace wormcast::zhuang_liberatore
