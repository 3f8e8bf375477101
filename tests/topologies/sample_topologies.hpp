#pragma once

#include "wormcast/topologies/registry.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

inline std::unique_ptr<Topology> make_grid(const std::string& kind, std::vector<std::int64_t> dims,
                                           const std::string& tie = "no_wrap")
{
  TopologyDescription description{kind, {}};
  description.parameters.set("dims", std::move(dims));
  return make_topology(description, {"", tie});
}

/// A torus whose dimensions are rings where `wrap` is 1, and lines where it is 0.
inline std::unique_ptr<Topology> make_torus(std::vector<std::int64_t> dims, std::vector<std::int64_t> wrap,
                                            const std::string& tie = "no_wrap")
{
  TopologyDescription description{"torus", {}};
  description.parameters.set("dims", std::move(dims));
  description.parameters.set("wrap", std::move(wrap));
  return make_topology(description, {"", tie});
}

inline std::unique_ptr<Topology> make_hypercube(std::int64_t dimension, const std::string& routing = "dimension_order")
{
  TopologyDescription description{"hypercube", {}};
  description.parameters.set("dimension", dimension);
  return make_topology(description, {.routing = routing});
}

/// A grid of random kind, tie rule, sizes and rings with at most `most_nodes` nodes.
inline std::unique_ptr<Topology> arbitrary_grid(std::int64_t most_nodes)
{
  const auto wanted = *rc::gen::inRange<std::size_t>(1, 9);
  std::vector<std::int64_t> dims;
  std::int64_t nodes = 1;
  while (dims.size() < wanted) {
    const std::int64_t largest = std::min<std::int64_t>(most_nodes / nodes, 12);
    dims.push_back(*rc::gen::inRange<std::int64_t>(1, largest + 1));
    nodes *= dims.back();
  }
  const std::string kind = *rc::gen::element<std::string>("mesh", "torus", "rings and lines");
  const std::string tie = *rc::gen::element<std::string>("no_wrap", "positive", "random");
  if (kind == "rings and lines") {
    std::vector<std::int64_t> wrap;
    while (wrap.size() < dims.size()) {
      wrap.push_back(*rc::gen::inRange<std::int64_t>(0, 2));
    }
    return make_torus(dims, wrap, tie);
  }
  return make_grid(kind, dims, tie);
}

/// Any directed graph, with shortest routes; of several, the one whose channels have the lowest ids from the back.
class ListedTopology final : public Topology {
public:
  ListedTopology(std::uint32_t nodes, std::vector<ChannelEnds> channels)
      : Topology(TopologyDescription{"listed", {}}, nodes, std::move(channels))
  {
    for (std::uint32_t from = 0; from < nodes; ++from) {
      arrivals_.push_back(first_arrivals(NodeId{from}));
    }
  }

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override
  {
    const auto begin = static_cast<std::ptrdiff_t>(route.size());
    for (NodeId node = to; node != from;) {
      const ChannelId channel = arrivals_[index(from)][index(node)];
      route.push_back(channel);
      node = channel_source(channel);
    }
    std::reverse(route.begin() + begin, route.end());
  }
  std::uint32_t distance(NodeId from, NodeId to) const override
  {
    std::vector<ChannelId> route;
    append_route(from, to, route);
    return static_cast<std::uint32_t>(route.size());
  }
  std::uint32_t longest_route() const override { return node_count() - 1; }
  std::vector<std::int64_t> coordinates(NodeId node) const override { return {index(node)}; }
  NodeId node_at(std::span<const std::int64_t> place) const override
  {
    return NodeId{static_cast<std::uint32_t>(place[0])};
  }
  std::string title() const override { return "listed"; }

private:
  std::vector<ChannelId> first_arrivals(NodeId from) const
  {
    std::vector<ChannelId> arrivals(node_count());
    std::vector<bool> seen(node_count(), false);
    std::deque<NodeId> queue{from};
    seen[index(from)] = true;
    for (; !queue.empty(); queue.pop_front()) {
      const std::uint32_t first = index(first_channel(queue.front()));
      for (std::uint32_t id = first; id < first + out_degree(queue.front()); ++id) {
        const NodeId next = channel_target(ChannelId{id});
        if (!seen[index(next)]) {
          seen[index(next)] = true;
          arrivals[index(next)] = ChannelId{id};
          queue.push_back(next);
        }
      }
    }
    return arrivals;
  }

  std::vector<std::vector<ChannelId>> arrivals_;
};

/// Both directions of every link.
inline std::vector<ChannelEnds> both_ways(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& links)
{
  std::vector<ChannelEnds> channels;
  for (const auto& [a, b] : links) {
    channels.push_back({NodeId{a}, NodeId{b}});
    channels.push_back({NodeId{b}, NodeId{a}});
  }
  return channels;
}

/// The Petersen graph: an outer ring 0..4, an inner star 5..9, spokes between them.
inline std::vector<ChannelEnds> petersen_channels()
{
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
  for (std::uint32_t i = 0; i < 5; ++i) {
    links.emplace_back(i, (i + 1) % 5);
    links.emplace_back(i + 5, (i + 2) % 5 + 5);
    links.emplace_back(i, i + 5);
  }
  return both_ways(links);
}

inline std::vector<ChannelId> route_between(const Topology& topology, std::uint32_t from, std::uint32_t to)
{
  std::vector<ChannelId> route;
  topology.append_route(NodeId{from}, NodeId{to}, route);
  return route;
}

/// The nodes of a route, `from` first.
inline std::vector<std::uint32_t> nodes_between(const Topology& topology, std::uint32_t from, std::uint32_t to)
{
  std::vector<std::uint32_t> nodes{from};
  for (const ChannelId channel : route_between(topology, from, to)) {
    nodes.push_back(index(topology.channel_target(channel)));
  }
  return nodes;
}

} // namespace wormcast
