#include "wormcast/topologies/damaged_network.hpp"

#include "wormcast/topologies/shortest_path_routing.hpp"

#include <algorithm>
#include <map>

namespace wormcast {

DamagedNetwork::DamagedNetwork(const Topology& whole)
    : whole_(whole), links_(links_of(whole)), link_of_(whole.channel_count()), incoming_(whole.node_count()),
      dead_links_(links_.size())
{
  faults_.lost_nodes.resize(whole.node_count());
  for (std::uint32_t link = 0; link < links_.size(); ++link) {
    for (const ChannelId channel : links_[link]) {
      link_of_[index(channel)] = link;
      incoming_[index(whole.channel_target(channel))].push_back(channel);
    }
  }
}

std::vector<bool> DamagedNetwork::reached_from(NodeId root, bool backwards) const
{
  std::vector<bool> reached(whole_.node_count());
  reached[index(root)] = true;
  std::vector<NodeId> next{root};
  const auto cross = [&](ChannelId channel) {
    const NodeId node = backwards ? whole_.channel_source(channel) : whole_.channel_target(channel);
    if (works(channel) && !reached[index(node)]) {
      reached[index(node)] = true;
      if (forwards(whole_, node)) {
        next.push_back(node);
      }
    }
  };
  while (!next.empty()) {
    const NodeId node = next.back();
    next.pop_back();
    if (backwards) {
      std::ranges::for_each(incoming_[index(node)], cross);
    } else {
      for (std::uint32_t place = 0; place < whole_.out_degree(node); ++place) {
        cross(ChannelId{index(whole_.first_channel(node)) + place});
      }
    }
  }
  return reached;
}

std::optional<CutPair> DamagedNetwork::cut_pair_of_switches(std::vector<NodeId>& useless) const
{
  // Of each part of linked switches its first one, and the part of each host.
  std::vector<bool> assigned(whole_.node_count());
  std::vector<std::optional<std::size_t>> part_of_host(whole_.host_count());
  std::vector<NodeId> first_hosts;
  for (std::uint32_t number = whole_.host_count(); number < whole_.node_count(); ++number) {
    if (assigned[number] || is_dead(NodeId{number})) {
      continue;
    }
    const std::vector<bool> there = reached_from(NodeId{number}, false);
    const std::vector<bool> back = reached_from(NodeId{number}, true);
    std::optional<NodeId> first_host;
    std::vector<NodeId> switches;
    for (std::uint32_t node = 0; node < whole_.node_count(); ++node) {
      if (!there[node] || !back[node]) {
        continue;
      }
      if (!whole_.is_host(NodeId{node})) {
        assigned[node] = true;
        switches.push_back(NodeId{node});
      } else {
        first_host = first_host.value_or(NodeId{node});
        part_of_host[node] = first_hosts.size();
      }
    }
    if (first_host) {
      first_hosts.push_back(*first_host);
    } else {
      useless.insert(useless.end(), switches.begin(), switches.end());
    }
  }
  std::optional<NodeId> first;
  for (std::uint32_t host = 0; host < whole_.host_count(); ++host) {
    if (is_dead(NodeId{host})) {
      continue;
    }
    if (!first) {
      first = NodeId{host};
    } else if (!part_of_host[host] || part_of_host[host] != part_of_host[index(*first)]) {
      return CutPair(*first, NodeId{host});
    }
  }
  // Hosts that are linked to several parts do not join them, because they forward nothing.
  if (first_hosts.size() > 1) {
    return CutPair(first_hosts[0], first_hosts[1]);
  }
  return std::nullopt;
}

std::optional<CutPair> DamagedNetwork::cut_pair(std::vector<NodeId>& useless) const
{
  if (whole_.has_switches()) {
    return cut_pair_of_switches(useless);
  }
  std::uint32_t first = 0;
  while (first < whole_.node_count() && is_dead(NodeId{first})) {
    ++first;
  }
  if (first == whole_.node_count()) {
    return std::nullopt;
  }
  const std::vector<bool> there = reached_from(NodeId{first}, false);
  const std::vector<bool> back = reached_from(NodeId{first}, true);
  for (std::uint32_t node = first; node < whole_.node_count(); ++node) {
    if (!is_dead(NodeId{node}) && !there[node]) {
      return CutPair(NodeId{first}, NodeId{node});
    }
    if (!is_dead(NodeId{node}) && !back[node]) {
      return CutPair(NodeId{node}, NodeId{first});
    }
  }
  return std::nullopt;
}

Faults DamagedNetwork::faults(const std::vector<NodeId>& useless) &&
{
  faults_.dead_node_count = static_cast<std::uint32_t>(std::ranges::count(faults_.lost_nodes, true));
  for (std::size_t link = 0; link < links_.size(); ++link) {
    const ChannelId channel = links_[link].front();
    const bool has_nodes = !is_dead(whole_.channel_source(channel)) && !is_dead(whole_.channel_target(channel));
    faults_.dead_link_count += dead_links_[link] && has_nodes ? 1 : 0;
  }
  for (const NodeId node : useless) {
    set_dead(node, true);
  }
  faults_.lost_channels.resize(whole_.channel_count());
  for (std::uint32_t channel = 0; channel < whole_.channel_count(); ++channel) {
    faults_.lost_channels[channel] = !works(ChannelId{channel});
  }
  return std::move(faults_);
}

std::vector<std::vector<ChannelId>> links_of(const Topology& topology)
{
  // By nodes, the smaller first: how many links have a channel of this direction, and of the other.
  std::map<std::pair<NodeId, NodeId>, std::vector<std::size_t>> links_between;
  std::map<std::pair<NodeId, NodeId>, std::size_t> channels_from_to;
  std::vector<std::vector<ChannelId>> links;
  for (std::uint32_t id = 0; id < topology.channel_count(); ++id) {
    const NodeId from = topology.channel_source(ChannelId{id});
    const NodeId to = topology.channel_target(ChannelId{id});
    std::vector<std::size_t>& between = links_between[std::minmax(from, to)];
    const std::size_t place = channels_from_to[{from, to}]++;
    if (place == between.size()) {
      between.push_back(links.size());
      links.emplace_back();
    }
    links[between[place]].push_back(ChannelId{id});
  }
  return links;
}

} // namespace wormcast
