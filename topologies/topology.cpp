#include "wormcast/topologies/topology.hpp"

#include "wormcast/topologies/node_names.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <boost/iterator/transform_iterator.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

std::vector<ChannelEnds>& sort_by_source(std::vector<ChannelEnds>& channels)
{
  WorkSteps steps;
  const auto leaves_earlier = [&steps](const ChannelEnds& a, const ChannelEnds& b) {
    steps.add();
    return index(a.from) < index(b.from);
  };
  if (!std::is_sorted(channels.begin(), channels.end(), leaves_earlier)) {
    std::stable_sort(channels.begin(), channels.end(), leaves_earlier);
  }
  return channels;
}

ChannelGraph make_graph(std::uint32_t node_count, const std::vector<ChannelEnds>& sorted)
{
  WorkSteps steps;
  for (const ChannelEnds& ends : sorted) {
    steps.add();
    if (index(ends.from) >= node_count || index(ends.to) >= node_count) {
      throw std::logic_error("a channel that ends outside of its topology");
    }
  }
  const auto to_pair = [](const ChannelEnds& ends) { return std::make_pair(index(ends.from), index(ends.to)); };
  return ChannelGraph(boost::edges_are_sorted, boost::make_transform_iterator(sorted.begin(), to_pair),
                      boost::make_transform_iterator(sorted.end(), to_pair), node_count,
                      static_cast<std::uint32_t>(sorted.size()));
}

} // namespace

Topology::Topology(TopologyDescription description, std::uint32_t node_count, std::vector<ChannelEnds> channels,
                   RoutingChoice routing, std::optional<std::uint32_t> host_count)
    : description_(std::move(description)), routing_(std::move(routing)),
      graph_(make_graph(node_count, sort_by_source(channels))), host_count_(host_count.value_or(node_count)),
      offsets_(std::size_t{node_count} + 1, 0)
{
  sources_.reserve(channels.size());
  targets_.reserve(channels.size());
  WorkSteps steps;
  for (const ChannelEnds& ends : channels) {
    steps.add();
    ++offsets_[index(ends.from) + 1];
    sources_.push_back(ends.from);
    targets_.push_back(ends.to);
  }
  for (std::size_t node = 0; node < node_count; ++node) {
    offsets_[node + 1] += offsets_[node];
  }
}

std::string Topology::node_name(NodeId node) const
{
  const std::vector<std::int64_t> place = coordinates(node);
  return place.size() == 1 ? fmt::format("{}", place[0]) : fmt::format("({})", fmt::join(place, ", "));
}

bool Topology::draws_route(NodeId, NodeId) const
{
  return false;
}

void Topology::append_drawn_route(NodeId from, NodeId to, std::uint64_t, std::vector<ChannelId>& route) const
{
  append_route(from, to, route);
}

std::vector<std::string> Topology::link_classes() const
{
  return {"link"};
}

std::uint32_t Topology::link_class(ChannelId /*channel*/) const
{
  return 0;
}

void Topology::add_mean_route(NodeId from, NodeId to, double share, std::span<double> channels) const
{
  std::vector<ChannelId> route;
  const bool drawn = draws_route(from, to);
  for (const std::uint64_t draw : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    if (draw == 0 || drawn) {
      append_drawn_route(from, to, draw, route);
    }
  }
  for (const ChannelId channel : route) {
    channels[index(channel)] += drawn ? share / 2 : share;
  }
}

std::uint32_t Topology::virtual_channel_classes(std::uint32_t /*virtual_channels*/) const
{
  return 1;
}

void Topology::assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t /*virtual_channels*/,
                                              std::span<std::uint8_t> classes) const
{
  std::fill_n(classes.begin(), route.size(), std::uint8_t{0});
}

NodeId resolve_node(const Topology& topology, const ParameterValue& value)
{
  if (const auto* id = std::get_if<std::int64_t>(&value)) {
    if (*id < 0 || *id >= topology.node_count()) {
      throw InputError(fmt::format("node {} is outside of the {}, expected 0 to {}", *id, topology.title(),
                                   topology.host_count() - 1));
    }
    check_host(topology, NodeId{static_cast<std::uint32_t>(*id)}, "the node");
    return NodeId{static_cast<std::uint32_t>(*id)};
  }
  if (const auto* name = std::get_if<std::string>(&value)) {
    return HostsByName(topology).host(*name);
  }
  return topology.node_at(std::get<std::vector<std::int64_t>>(value));
}

void check_host(const Topology& topology, NodeId node, std::string_view what)
{
  if (!topology.is_host(node)) {
    throw InputError(
        fmt::format("{} is {}, a switch of the {}, which neither sends nor receives; expected a host, 0 to {}", what,
                    topology.node_name(node), topology.title(), topology.host_count() - 1));
  }
}

void check_only_hosts(const Topology& topology, std::string_view algorithm)
{
  if (topology.has_switches()) {
    throw InputError(
        fmt::format("{} sends along the links of the network from neighbour to neighbour, but hosts of a {} "
                    "are linked to switches only; take an algorithm for any network such as binomial_tree",
                    algorithm, topology.title()));
  }
}

} // namespace wormcast
