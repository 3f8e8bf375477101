#include "wormcast/topologies/surviving_topology.hpp"

#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace wormcast {

struct SurvivingTopology::Parts {
  Faults faults;
  std::vector<NodeId> nodes;
  std::vector<ChannelId> channels;
  std::vector<std::optional<NodeId>> own_nodes;
  std::vector<std::optional<ChannelId>> own_channels;
  std::vector<ChannelEnds> ends;
  std::uint32_t hosts = 0;

  Parts(const Topology& whole, Faults given)
      : faults(std::move(given)), own_nodes(whole.node_count()), own_channels(whole.channel_count())
  {
    for (std::uint32_t node = 0; node < whole.node_count(); ++node) {
      if (!faults.lost_nodes[node]) {
        own_nodes[node] = NodeId{static_cast<std::uint32_t>(nodes.size())};
        nodes.push_back(NodeId{node});
        hosts += whole.is_host(NodeId{node}) ? 1 : 0;
      }
    }
    // Nodes keep their order, so channels do.
    for (std::uint32_t id = 0; id < whole.channel_count(); ++id) {
      if (!faults.lost_channels[id]) {
        const ChannelId channel{id};
        own_channels[id] = ChannelId{static_cast<std::uint32_t>(channels.size())};
        channels.push_back(channel);
        ends.push_back({.from = own_nodes[index(whole.channel_source(channel))].value(),
                        .to = own_nodes[index(whole.channel_target(channel))].value()});
      }
    }
  }
};

const std::vector<std::string>& table_routings()
{
  static const std::vector<std::string> routings = {"up_down", "shortest_path"};
  return routings;
}

SurvivingTopology::SurvivingTopology(const TopologyDescription& description,
                                     const std::shared_ptr<const Topology>& whole, const RoutingChoice& routing)
    : SurvivingTopology(description, whole, routing, Parts(*whole, read_faults(*whole, description)))
{}

SurvivingTopology::SurvivingTopology(TopologyDescription description, std::shared_ptr<const Topology> whole,
                                     const RoutingChoice& routing, Parts parts)
    : Topology(std::move(description), static_cast<std::uint32_t>(parts.nodes.size()), std::move(parts.ends), routing,
               parts.hosts),
      whole_(std::move(whole)), nodes_(std::move(parts.nodes)), channels_(std::move(parts.channels)),
      own_nodes_(std::move(parts.own_nodes)), own_channels_(std::move(parts.own_channels)),
      dead_nodes_(parts.faults.dead_node_count), dead_links_(parts.faults.dead_link_count)
{
  if (routing.routing == "up_down") {
    up_down_.emplace(*this);
  } else if (routing.routing == "shortest_path") {
    shortest_.emplace(*this);
  } else {
    check_routes_of_whole(parts.faults);
  }
}

void SurvivingTopology::check_routes_of_whole(const Faults& faults) const
{
  if (host_count() > most_nodes_for_up_down_table) {
    throw InputError(fmt::format("a {} of {} hosts with faults is too large to look at all of its routes, expected at "
                                 "most {}",
                                 description().kind, host_count(), most_nodes_for_up_down_table));
  }
  std::vector<ChannelId> lost;
  for (std::uint32_t id = 0; id < whole_->channel_count(); ++id) {
    if (faults.lost_channels[id]) {
      lost.push_back(ChannelId{id});
    }
  }
  const auto is_lost = [&](ChannelId channel) { return faults.lost_channels[index(channel)]; };
  std::vector<double> shares(whole_->channel_count());
  std::vector<ChannelId> route;
  WorkSteps steps;
  for (std::uint32_t from = 0; from < host_count(); ++from) {
    steps.add(host_count());
    for (std::uint32_t to = 0; to < host_count(); ++to) {
      const NodeId source = nodes_[from];
      const NodeId destination = nodes_[to];
      if (whole_->draws_route(source, destination)) {
        whole_->add_mean_route(source, destination, 1, shares);
        continue;
      }
      route.clear();
      whole_->append_route(source, destination, route);
      if (const auto blocked = std::ranges::find_if(route, is_lost); blocked != route.end()) {
        refuse_route(source, destination, *blocked, faults);
      }
    }
    // All drawn routes of a source at once; only where one is blocked, which.
    const auto carries = [&](ChannelId channel) { return shares[index(channel)] > 0; };
    if (std::ranges::none_of(lost, carries)) {
      continue;
    }
    for (std::uint32_t to = 0; to < host_count(); ++to) {
      std::ranges::fill(shares, 0);
      whole_->add_mean_route(nodes_[from], nodes_[to], 1, shares);
      if (const auto blocked = std::ranges::find_if(lost, carries); blocked != lost.end()) {
        refuse_route(nodes_[from], nodes_[to], *blocked, faults);
      }
    }
  }
}

void SurvivingTopology::refuse_route(NodeId from, NodeId to, ChannelId blocked, const Faults& faults) const
{
  const NodeId source = whole_->channel_source(blocked);
  const NodeId target = whole_->channel_target(blocked);
  const bool is_node = faults.lost_nodes[index(source)] || faults.lost_nodes[index(target)];
  std::array<std::string_view, 6> keys = {"dead_nodes", "random_dead_nodes", "dead_node_share",
                                          "dead_links", "random_dead_links", "dead_link_share"};
  if (!is_node) {
    std::ranges::rotate(keys, keys.begin() + 3);
  }
  const auto* const key =
      std::ranges::find_if(keys, [this](std::string_view stated) { return description().parameters.has(stated); });
  throw InputError(fmt::format("{}: the faults cut {} off from {}: routing {} takes messages over the channel {} -> "
                               "{}, which does not work; network.routing = \"up_down\" or \"shortest_path\" leads "
                               "around faults",
                               *key, whole_->node_name(to), whole_->node_name(from), routing().routing,
                               whole_->node_name(source), whole_->node_name(target)));
}

void SurvivingTopology::take_own_channels(std::span<ChannelId> route) const
{
  for (ChannelId& channel : route) {
    channel = *own_channels_[index(channel)];
  }
}

void SurvivingTopology::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  if (has_routes_of_whole()) {
    const std::size_t first = route.size();
    whole_->append_route(whole_node(from), whole_node(to), route);
    take_own_channels(std::span(route).subspan(first));
    return;
  }
  bool has_gone_down = false;
  while (from != to) {
    const std::uint32_t place =
        up_down_ ? up_down_->next_channel(from, to, has_gone_down) : shortest_->next_channel(from, to);
    const ChannelId channel{index(first_channel(from)) + place};
    const NodeId next = channel_target(channel);
    has_gone_down = has_gone_down || (up_down_ && up_down_->leads_down(from, next));
    route.push_back(channel);
    from = next;
  }
}

std::uint32_t SurvivingTopology::drawn_bits() const
{
  return has_routes_of_whole() ? whole_->drawn_bits() : 0;
}

bool SurvivingTopology::draws_route(NodeId from, NodeId to) const
{
  return has_routes_of_whole() && whole_->draws_route(whole_node(from), whole_node(to));
}

void SurvivingTopology::append_drawn_route(NodeId from, NodeId to, std::uint64_t draw,
                                           std::vector<ChannelId>& route) const
{
  if (!has_routes_of_whole()) {
    append_route(from, to, route);
    return;
  }
  const std::size_t first = route.size();
  whole_->append_drawn_route(whole_node(from), whole_node(to), draw, route);
  take_own_channels(std::span(route).subspan(first));
}

void SurvivingTopology::add_mean_route(NodeId from, NodeId to, double share, std::span<double> channels) const
{
  if (!draws_route(from, to)) {
    Topology::add_mean_route(from, to, share, channels);
    return;
  }
  std::vector<double> of_whole(whole_->channel_count());
  whole_->add_mean_route(whole_node(from), whole_node(to), share, of_whole);
  for (std::uint32_t id = 0; id < channel_count(); ++id) {
    channels[id] += of_whole[index(whole_channel(ChannelId{id}))];
  }
}

std::uint32_t SurvivingTopology::distance(NodeId from, NodeId to) const
{
  if (has_routes_of_whole()) {
    return whole_->distance(whole_node(from), whole_node(to));
  }
  return up_down_ ? up_down_->distance(from, to) : shortest_->distance(from, to);
}

double SurvivingTopology::mean_route_length(NodeId from, NodeId to) const
{
  return has_routes_of_whole() ? whole_->mean_route_length(whole_node(from), whole_node(to)) : distance(from, to);
}

std::uint32_t SurvivingTopology::longest_route() const
{
  if (has_routes_of_whole()) {
    return whole_->longest_route();
  }
  return up_down_ ? up_down_->longest_distance() : shortest_->longest_distance();
}

std::vector<std::int64_t> SurvivingTopology::coordinates(NodeId node) const
{
  return whole_->coordinates(whole_node(node));
}

NodeId SurvivingTopology::node_at(std::span<const std::int64_t> coordinates) const
{
  return survivor(whole_->node_at(coordinates));
}

NodeId SurvivingTopology::survivor(NodeId node) const
{
  if (!own_nodes_[index(node)]) {
    throw InputError(
        fmt::format("node {} of the {} is dead, expected one that works", whole_->node_name(node), title()));
  }
  return *own_nodes_[index(node)];
}

std::string SurvivingTopology::node_name(NodeId node) const
{
  return whole_->node_name(whole_node(node));
}

std::uint32_t SurvivingTopology::virtual_channel_classes(std::uint32_t virtual_channels) const
{
  if (has_routes_of_whole()) {
    return whole_->virtual_channel_classes(virtual_channels);
  }
  return shortest_ ? shortest_->turn_classes().virtual_channel_classes(virtual_channels) : 1;
}

void SurvivingTopology::assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                                       std::span<std::uint8_t> classes) const
{
  if (shortest_) {
    shortest_->turn_classes().assign(*this, route, virtual_channels, classes);
    return;
  }
  if (up_down_) {
    Topology::assign_virtual_channel_classes(route, virtual_channels, classes);
    return;
  }
  std::vector<ChannelId> of_whole;
  std::ranges::transform(route, std::back_inserter(of_whole),
                         [&](ChannelId channel) { return whole_channel(channel); });
  whole_->assign_virtual_channel_classes(of_whole, virtual_channels, classes);
}

std::string SurvivingTopology::title() const
{
  const auto counted = [](std::uint32_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  std::string title = whole_->title();
  if (dead_nodes_ > 0) {
    title += " without " + counted(dead_nodes_, "node");
  }
  if (dead_links_ > 0) {
    title += (dead_nodes_ > 0 ? " and " : " without ") + counted(dead_links_, "link");
  }
  if (dead_nodes_ == 0 && dead_links_ == 0) {
    title += " by " + routing().routing;
  }
  return title;
}

const Topology& whole_of(const Topology& topology)
{
  const auto* survivors = dynamic_cast<const SurvivingTopology*>(&topology);
  return survivors == nullptr ? topology : survivors->whole();
}

NodeId node_in_whole(const Topology& topology, NodeId node)
{
  const auto* survivors = dynamic_cast<const SurvivingTopology*>(&topology);
  return survivors == nullptr ? node : survivors->whole_node(node);
}

NodeId resolve_whole_node(const Topology& topology, const ParameterValue& value)
{
  const auto* survivors = dynamic_cast<const SurvivingTopology*>(&topology);
  return survivors == nullptr ? resolve_node(topology, value)
                              : survivors->survivor(resolve_node(survivors->whole(), value));
}

const TopologyKind* kind_of_whole(const Topology& topology)
{
  if (dynamic_cast<const SurvivingTopology*>(&topology) != nullptr ||
      dynamic_cast<const ParallelLinks*>(&topology) != nullptr) {
    return nullptr;
  }
  const auto kind = std::ranges::find(topology_kinds(), topology.description().kind, &TopologyKind::name);
  return kind == topology_kinds().end() ? nullptr : &*kind;
}

void add_faults(TopologyKind& kind)
{
  kind.parameters.insert(kind.parameters.end(), fault_parameters().begin(), fault_parameters().end());
  const std::vector<std::string> own = kind.routings;
  for (const std::string& routing : table_routings()) {
    if (std::ranges::find(own, routing) == own.end()) {
      kind.routings.push_back(routing);
    }
  }
  kind.make = [own, make = std::move(kind.make)](const TopologyDescription& description,
                                                 const RoutingChoice& routing) -> std::unique_ptr<Topology> {
    const bool is_own = std::ranges::find(own, routing.routing) != own.end();
    if (is_own && !has_faults(description)) {
      return make(description, routing);
    }
    RoutingChoice of_whole = routing;
    if (std::ranges::find(table_routings(), routing.routing) != table_routings().end()) {
      of_whole.routing = own.front();
    }
    return std::make_unique<SurvivingTopology>(
        description, std::shared_ptr<const Topology>(make(without_faults(description), of_whole)), routing);
  };
}

} // namespace wormcast
