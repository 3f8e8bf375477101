#include "wormcast/simulator/traffic/expected_load.hpp"

#include "wormcast/topologies/grid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormcast {

namespace {

/// Shares of a node's messages, added up over all nodes that send.
struct Flow {
  std::vector<double> channels;
  std::vector<double> arriving; // by node
  double hops = 0;
  double messages = 0; // that take a channel
  double to_self = 0;
};

void add_pair(Flow& flow, const Topology& topology, NodeId from, NodeId to, double share, std::vector<ChannelId>& route)
{
  route.clear();
  topology.append_route(from, to, route);
  for (const ChannelId channel : route) {
    flow.channels[index(channel)] += share;
  }
  flow.arriving[index(to)] += share;
  flow.hops += share * static_cast<double>(route.size());
  (route.empty() ? flow.to_self : flow.messages) += share;
}

/// Of the ordered pairs of places on one line of a grid, how many go from a place up and how many down.
struct LineCrossings {
  std::vector<double> up;
  std::vector<double> down;
  double hops = 0; // of all pairs
};

LineCrossings line_crossings(const Grid& grid, std::size_t dimension)
{
  const std::int64_t size = grid.sizes()[dimension];
  // Where ways begin, less where they end; a way round the end of the line is one from its start, too.
  std::vector<std::int64_t> up(size + 1);
  std::vector<std::int64_t> down(size + 1);
  const auto add = [size](std::vector<std::int64_t>& changes, std::int64_t first, std::int64_t hops) {
    const std::int64_t end = first + hops;
    ++changes[first];
    --changes[std::min(end, size)];
    if (end > size) {
      ++changes[0];
      --changes[end - size];
    }
  };
  LineCrossings crossings;
  for (std::int64_t from = 0; from < size; ++from) {
    for (std::int64_t to = 0; to < size; ++to) {
      const Grid::Travel way = grid.travel(dimension, from, to);
      crossings.hops += static_cast<double>(way.hops);
      if (way.hops > 0) {
        // The way down from p by h hops leaves p, p - 1, ..., p - h + 1.
        add(way.up ? up : down, way.up ? from : (from - way.hops + 1 + size) % size, way.hops);
      }
    }
  }
  std::int64_t going_up = 0;
  std::int64_t going_down = 0;
  for (std::int64_t place = 0; place < size; ++place) {
    crossings.up.push_back(static_cast<double>(going_up += up[place]));
    crossings.down.push_back(static_cast<double>(going_down += down[place]));
  }
  return crossings;
}

/// From every node the same share to every node, itself included. In dimension order the coordinates before a channel's
/// dimension are those of the destination and the others those of the source, so that each line of a dimension is
/// crossed by N/k pairs of nodes for each pair of places on it.
void add_all_pairs(Flow& flow, const Grid& grid, double share)
{
  const auto nodes = static_cast<double>(grid.node_count());
  std::vector<LineCrossings> lines;
  double hops = 0;
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    lines.push_back(line_crossings(grid, dimension));
    const double others = nodes / static_cast<double>(grid.sizes()[dimension]);
    hops += others * others * lines.back().hops;
  }
  for (std::uint32_t id = 0; id < grid.channel_count(); ++id) {
    const NodeId from = grid.channel_source(ChannelId{id});
    const NodeId to = grid.channel_target(ChannelId{id});
    std::size_t dimension = 0;
    while (grid.coordinate(from, dimension) == grid.coordinate(to, dimension)) {
      ++dimension;
    }
    const std::int64_t size = grid.sizes()[dimension];
    const std::int64_t place = grid.coordinate(from, dimension);
    const std::int64_t next = grid.coordinate(to, dimension);
    const bool up = next == place + 1 || (size > 2 && place == size - 1 && next == 0);
    const LineCrossings& line = lines[dimension];
    flow.channels[id] += share * (up ? line.up : line.down)[place] * nodes / static_cast<double>(size);
  }
  for (double& arriving : flow.arriving) {
    arriving += share * nodes;
  }
  flow.hops += share * hops;
  flow.messages += share * nodes * (nodes - 1);
  flow.to_self += share * nodes;
}

Flow flow_of(const Topology& topology, const Pattern& pattern)
{
  Flow flow{.channels = std::vector<double>(topology.channel_count()),
            .arriving = std::vector<double>(topology.node_count())};
  const std::uint32_t nodes = topology.node_count();
  const std::uint32_t others = nodes - (pattern.includes_self() ? 0 : 1);
  // What all nodes have in common goes by lines, where there are any.
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  double common = grid == nullptr || others == 0 ? 0 : 1;
  for (std::uint32_t node = 0; common > 0 && node < nodes; ++node) {
    common = pattern.sends(NodeId{node}) ? std::min(common, pattern.even_share(NodeId{node})) : 0;
  }
  if (common > 0) {
    add_all_pairs(flow, *grid, common / others);
    if (!pattern.includes_self()) {
      flow.to_self = 0;
      for (double& arriving : flow.arriving) {
        arriving -= common / others;
      }
    }
  }
  std::vector<ChannelId> route;
  for (std::uint32_t from = 0; from < nodes; ++from) {
    if (!pattern.sends(NodeId{from})) {
      continue;
    }
    const auto add = [&](NodeId to, double share) { add_pair(flow, topology, NodeId{from}, to, share, route); };
    if (const double rest = pattern.even_share(NodeId{from}) - common; rest > 0) {
      for (std::uint32_t to = 0; to < nodes; ++to) {
        if (to != from || pattern.includes_self()) {
          add(NodeId{to}, rest / others);
        }
      }
    }
    pattern.for_each_chosen(NodeId{from}, add);
  }
  return flow;
}

} // namespace

ExpectedLoad expected_load(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                           const Pattern& pattern)
{
  const Flow flow = flow_of(topology, pattern);
  const double flits = traffic.lengths.mean_flits(network);
  // Time that a node's messages keep a channel busy that all of them cross, at load 1.
  const double busy = flits * static_cast<double>(network.flit_bytes) / traffic.lengths.mean_bytes();
  ExpectedLoad expected;
  const double all = flow.messages + flow.to_self;
  expected.mean_hops = flow.hops / all;
  // The latency on an empty network is linear in the hops from the first one on.
  if (flow.messages > 0) {
    expected.zero_load_picoseconds +=
        flow.messages / all * empty_network_picoseconds(network, flow.hops / flow.messages, flits);
  }
  if (flow.to_self > 0) {
    expected.zero_load_picoseconds += flow.to_self / all * empty_network_picoseconds(network, 0, flits);
  }
  const double ports = network.ports.count == PortModel::all ? 1 : network.ports.count;
  // With router "wormhole" a message holds its port during T_s, too.
  const double startup = network.router == Router::wormhole
                             ? static_cast<double>(network.startup.picoseconds) /
                                   (traffic.lengths.mean_bytes() * static_cast<double>(network.per_byte.picoseconds))
                             : 0;
  double most = (busy + startup) / ports;
  for (const double arrived : flow.arriving) {
    most = std::max(most, arrived * busy / ports);
  }
  for (const double channel : flow.channels) {
    most = std::max(most, channel * busy);
  }
  expected.capacity = 1 / most;
  return expected;
}

} // namespace wormcast
