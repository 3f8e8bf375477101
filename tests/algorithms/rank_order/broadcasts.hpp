#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <tuple>
#include <vector>

namespace wormcast::testing {

/// The fully connected network, one channel from each node to each other one: what algorithms in rank order are made
/// for.
class CompleteNetwork final : public Topology {
public:
  explicit CompleteNetwork(std::uint32_t nodes) : Topology(TopologyDescription{"complete", {}}, nodes, all_pairs(nodes))
  {}

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override
  {
    if (from != to) {
      route.push_back(ChannelId{index(first_channel(from)) + index(to) - (to > from ? 1U : 0U)});
    }
  }
  std::uint32_t distance(NodeId from, NodeId to) const override { return from == to ? 0 : 1; }
  std::uint32_t longest_route() const override { return 1; }
  std::vector<std::int64_t> coordinates(NodeId node) const override { return {index(node)}; }
  NodeId node_at(std::span<const std::int64_t> coordinates) const override
  {
    return NodeId{static_cast<std::uint32_t>(coordinates[0])};
  }
  std::string title() const override { return "complete network"; }

private:
  static std::vector<ChannelEnds> all_pairs(std::uint32_t nodes)
  {
    std::vector<ChannelEnds> channels;
    for (std::uint32_t from = 0; from < nodes; ++from) {
      for (std::uint32_t to = 0; to < nodes; ++to) {
        if (from != to) {
          channels.push_back({NodeId{from}, NodeId{to}});
        }
      }
    }
    return channels;
  }
};

/// Step, sender, receiver, first block and the block after the last; for messages whose blocks are one range.
using Sent = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

inline std::vector<Sent> sent(const Schedule& schedule)
{
  std::vector<Sent> result;
  for (const Message& message : schedule.messages) {
    const BlockRanges ranges = schedule.block_sets.ranges(message.blocks);
    result.emplace_back(message.step, index(message.source), index(message.destination), ranges.front().begin,
                        ranges.back().end);
  }
  return result;
}

} // namespace wormcast::testing
