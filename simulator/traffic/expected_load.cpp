#include "wormcast/simulator/traffic/expected_load.hpp"

#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/grid_routing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// Fractions of a node's messages, added up over all nodes that send.
struct Flow {
  std::vector<double> channels;
  std::vector<double> arriving; // by node
  double hops = 0;
  double messages = 0; // messages over a channel
  double to_self = 0;
};

Flow empty_flow(const Topology& topology)
{
  return {.channels = std::vector<double>(topology.channel_count()),
          .arriving = std::vector<double>(topology.host_count())};
}

/// Messages of one pair of nodes that have drawn `draw`.
void add_drawn(Flow& flow, const Topology& topology, NodeId from, NodeId to, std::uint64_t draw, double share,
               std::vector<ChannelId>& route)
{
  route.clear();
  topology.append_drawn_route(from, to, draw, route);
  for (const ChannelId channel : route) {
    flow.channels[index(channel)] += share;
  }
  flow.arriving[index(to)] += share;
  flow.hops += share * static_cast<double>(route.size());
  (route.empty() ? flow.to_self : flow.messages) += share;
}

/// Messages with all draws alike.
void add_pair(Flow& flow, const Topology& topology, NodeId from, NodeId to, double share, std::vector<ChannelId>& route)
{
  if (!topology.draws_route(from, to)) {
    add_drawn(flow, topology, from, to, 0, share, route);
    return;
  }
  topology.add_mean_route(from, to, share, flow.channels);
  flow.arriving[index(to)] += share;
  flow.hops += share * topology.mean_route_length(from, to);
  (from == to ? flow.to_self : flow.messages) += share;
}

/// The number of ordered pairs of positions on one line of a grid with a path up and down over a position; of drawn
/// directions one half each.
struct LineCrossings {
  std::vector<double> up;
  std::vector<double> down;
  double hops = 0; // of all pairs
};

LineCrossings line_crossings(const Grid& grid, std::size_t dimension)
{
  const std::int64_t size = grid.sizes()[dimension];
  // Starts of paths minus their ends; a path over the end of the line also starts at its beginning.
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
  const auto add_travel = [&](const Grid::Travel& travel, std::int64_t from) {
    // The path down from p by h hops leaves p, p - 1, ..., p - h + 1.
    add(travel.up ? up : down, travel.up ? from : (from - travel.hops + 1 + size) % size, travel.hops);
  };
  LineCrossings crossings;
  for (std::int64_t from = 0; from < size; ++from) {
    for (std::int64_t to = 0; to < size; ++to) {
      const Grid::Travel travel = grid.drawn_travel(dimension, from, to, 0);
      crossings.hops += static_cast<double>(travel.hops);
      if (travel.hops > 0) { // each direction for half of the messages
        add_travel(travel, from);
        add_travel(grid.drawn_travel(dimension, from, to, ~std::uint64_t{0}), from);
      }
    }
  }
  std::int64_t going_up = 0;
  std::int64_t going_down = 0;
  for (std::int64_t x = 0; x < size; ++x) {
    crossings.up.push_back(static_cast<double>(going_up += up[x]) / 2);
    crossings.down.push_back(static_cast<double>(going_down += down[x]) / 2);
  }
  return crossings;
}

/// From every node the same fraction to every node, itself included. In dimension order the coordinates before a
/// channel's dimension are those of the destination and the others those of the source, so that each line of a
/// dimension is crossed by N/k pairs of nodes for each pair of positions on it.
void add_all_pairs(Flow& flow, const Grid& grid, double share)
{
  const auto nodes = static_cast<double>(grid.host_count());
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
    const std::int64_t x = grid.coordinate(from, dimension);
    const std::int64_t next = grid.coordinate(to, dimension);
    const bool up = next == x + 1 || (size > 2 && x == size - 1 && next == 0);
    const LineCrossings& line = lines[dimension];
    flow.channels[id] += share * (up ? line.up : line.down)[x] * nodes / static_cast<double>(size);
  }
  for (double& arriving : flow.arriving) {
    arriving += share * nodes;
  }
  flow.hops += share * hops;
  flow.messages += share * nodes * (nodes - 1);
  flow.to_self += share * nodes;
}

void for_each_share(const Pattern& pattern, std::uint32_t nodes, NodeId from, double left_out,
                    const std::function<void(NodeId to, double share)>& visit)
{
  const std::uint32_t others = nodes - (pattern.includes_self() ? 0 : 1);
  if (const double rest = pattern.even_share(from) - left_out; rest > 0) {
    for (std::uint32_t to = 0; to < nodes; ++to) {
      if (NodeId{to} != from || pattern.includes_self()) {
        visit(NodeId{to}, rest / others);
      }
    }
  }
  pattern.for_each_chosen(from, visit);
}

/// By Topology::append_drawn_route.
Flow direct_flow(const Topology& topology, const Pattern& pattern)
{
  Flow flow = empty_flow(topology);
  const std::uint32_t nodes = topology.host_count();
  const std::uint32_t others = nodes - (pattern.includes_self() ? 0 : 1);
  // Traffic common to all nodes is computed by lines, if there are lines.
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
    if (pattern.sends(NodeId{from})) {
      for_each_share(pattern, nodes, NodeId{from}, common,
                     [&](NodeId to, double share) { add_pair(flow, topology, NodeId{from}, to, share, route); });
    }
  }
  return flow;
}

/// The mean time of a node's messages on an empty network whose channels are not all alike, over all nodes that send.
double mean_time_of_routes(const Topology& topology, const NetworkParameters& network, const ChannelTimes& times,
                           const Pattern& pattern, double flits)
{
  // Routes that are drawn among more than this cross as many channels of each class, whichever is drawn.
  constexpr std::uint32_t most_drawn_bits = 6;
  double sum = 0;
  double messages = 0;
  std::vector<ChannelId> route;
  for (std::uint32_t from = 0; from < topology.host_count(); ++from) {
    if (!pattern.sends(NodeId{from})) {
      continue;
    }
    for_each_share(pattern, topology.host_count(), NodeId{from}, 0, [&](NodeId to, double share) {
      const bool drawn = !topology.headers_choose() && topology.draws_route(NodeId{from}, to) &&
                         topology.drawn_bits() <= most_drawn_bits;
      const std::uint64_t draws = drawn ? std::uint64_t{1} << topology.drawn_bits() : 1;
      for (std::uint64_t draw = 0; draw < draws; ++draw) {
        route.clear();
        if (topology.headers_choose()) {
          topology.append_route(NodeId{from}, to, route);
        } else {
          topology.append_drawn_route(NodeId{from}, to, draw, route);
        }
        sum += share / static_cast<double>(draws) * empty_route_picoseconds(network, times, route, flits);
      }
      messages += share;
    });
  }
  return sum / messages;
}

/// The same where all channels are alike.
double mean_time_of_flow(const Flow& flow, const NetworkParameters& network, double flits)
{
  const double all = flow.messages + flow.to_self;
  double time = 0;
  // The latency on an empty network is linear in the hops from the first one on.
  if (flow.messages > 0) {
    time += flow.messages / all * empty_network_picoseconds(network, flow.hops / flow.messages, flits);
  }
  if (flow.to_self > 0) {
    time += flow.to_self / all * empty_network_picoseconds(network, 0, flits);
  }
  return time;
}

/// Paths that headers choose: as if all channels shared the hops of the shortest paths.
void spread_evenly(Flow& flow)
{
  const auto count = static_cast<double>(flow.channels.size());
  std::ranges::fill(flow.channels, std::accumulate(flow.channels.begin(), flow.channels.end(), 0.0) / count);
}

/// Each message passes a random node: from its source to all nodes alike, and from all nodes alike to its destination.
void go_by_random_nodes(Flow& flow, const Grid& grid, const Pattern& pattern)
{
  const std::uint32_t nodes = grid.host_count();
  std::vector<double> leaving(nodes); // except to the node itself
  std::vector<double> coming = flow.arriving;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    double to_itself = 0;
    if (pattern.sends(NodeId{node})) {
      if (pattern.includes_self()) {
        to_itself = pattern.even_share(NodeId{node}) / nodes;
      }
      pattern.for_each_chosen(NodeId{node},
                              [&](NodeId to, double share) { to_itself += to == NodeId{node} ? share : 0; });
      leaving[node] = 1 - to_itself;
      coming[node] -= to_itself;
    }
  }
  Flow paths = empty_flow(grid);
  const double common = std::ranges::min(leaving) + std::ranges::min(coming);
  add_all_pairs(paths, grid, common / nodes);
  std::vector<ChannelId> route;
  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (std::uint32_t to = 0; to < nodes; ++to) {
      const double share = (leaving[from] + coming[to] - common) / nodes;
      if (share > 1e-12) {
        add_pair(paths, grid, NodeId{from}, NodeId{to}, share, route);
      }
    }
  }
  flow.channels = std::move(paths.channels);
  flow.hops = paths.hops;
}

/// Draws that affect a pair of nodes: with all values of their bits.
std::uint64_t draw_count(const Grid& grid, NodeId from, NodeId to)
{
  return grid.draws_route(from, to) ? std::uint64_t{1} << grid.drawn_bits() : 1;
}

/// Each message passes a random node between its source and its destination. Returns false, and changes nothing, if
/// there are too many paths.
bool go_by_nodes_between(Flow& flow, const Grid& grid, const Pattern& pattern)
{
  constexpr double most_steps = 1U << 28U;
  const std::uint32_t nodes = grid.host_count();
  double steps = 0;
  for (std::uint32_t from = 0; from < nodes && steps <= most_steps; ++from) {
    if (pattern.sends(NodeId{from})) {
      for_each_share(pattern, nodes, NodeId{from}, 0, [&](NodeId to, double) {
        steps += static_cast<double>(intermediate_count(GridRouting::romm, grid, NodeId{from}, to)) *
                 grid.distance(NodeId{from}, to) * static_cast<double>(draw_count(grid, NodeId{from}, to));
      });
    }
  }
  if (steps > most_steps) {
    return false;
  }
  Flow paths = empty_flow(grid);
  std::vector<ChannelId> route;
  for (std::uint32_t from = 0; from < nodes; ++from) {
    if (pattern.sends(NodeId{from})) {
      for_each_share(pattern, nodes, NodeId{from}, 0, [&](NodeId to, double share) {
        const std::uint32_t count = intermediate_count(GridRouting::romm, grid, NodeId{from}, to);
        const std::uint64_t draws = draw_count(grid, NodeId{from}, to);
        const double part = share / (static_cast<double>(count) * static_cast<double>(draws));
        for (std::uint64_t draw = 0; draw < draws; ++draw) {
          for (std::uint32_t number = 0; number < count; ++number) {
            const NodeId by = intermediate_at(GridRouting::romm, grid, NodeId{from}, to, number, draw);
            add_drawn(paths, grid, NodeId{from}, by, draw, part, route);
            add_drawn(paths, grid, by, to, draw, part, route);
          }
        }
      });
    }
  }
  flow.channels = std::move(paths.channels);
  return true;
}

/// By the network's routing.
struct RoutedFlow {
  Flow flow;
  bool capacity_known = true;
};

RoutedFlow routed_flow(const Topology& topology, const NetworkParameters& network, const Pattern& pattern)
{
  RoutedFlow routed{.flow = direct_flow(topology, pattern)};
  // All routings except dimension order need a grid.
  if (const GridRouting routing = network.pipeline.routing; routing == GridRouting::valiant) {
    go_by_random_nodes(routed.flow, dynamic_cast<const Grid&>(topology), pattern);
  } else if (topology.headers_choose() || is_adaptive(routing) ||
             (routing == GridRouting::romm &&
              !go_by_nodes_between(routed.flow, dynamic_cast<const Grid&>(topology), pattern))) {
    spread_evenly(routed.flow);
    routed.capacity_known = false;
  }
  return routed;
}

std::vector<RoutedFlow> routed_flows(const Topology& topology, const NetworkParameters& network,
                                     const TrafficClasses& classes)
{
  std::vector<RoutedFlow> flows;
  for (const TrafficClasses::Class& one : classes.all()) {
    flows.push_back(routed_flow(topology, network, one.pattern));
  }
  return flows;
}

double capacity_of(const TrafficClasses& classes, const std::vector<RoutedFlow>& flows,
                   const NetworkParameters& network, const ChannelTimes& times)
{
  const double ports = network.ports.count == PortModel::all ? 1 : network.ports.count;
  const auto tau = static_cast<double>(network.flit_time().picoseconds);
  const double of_port = static_cast<double>(times.port_flit()) / tau;
  std::vector<double> leaving(flows.front().flow.arriving.size()); // fractions of time at load 1
  std::vector<double> arriving(leaving.size());
  std::vector<double> channels(flows.front().flow.channels.size());
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const TrafficClasses::Class& one = classes.all()[i];
    const MessageLengths& lengths = one.generation.lengths;
    const Flow& flow = flows[i].flow;
    // The fraction of time in which a node's messages occupy a channel that all of them cross.
    const double busy = one.generation.weight *
                        (lengths.mean_flits(network) * static_cast<double>(network.flit_bytes) / lengths.mean_bytes());
    const double startup = network.router->startup_holds_port
                               ? one.generation.weight * (static_cast<double>(network.startup.picoseconds) /
                                                          (lengths.mean_bytes() * network.per_byte.nearest()))
                               : 0;
    for (std::uint32_t node = 0; node < leaving.size(); ++node) {
      leaving[node] += one.pattern.sends(NodeId{node}) ? busy * of_port + startup : 0;
      arriving[node] += flow.arriving[node] * busy * of_port;
    }
    for (std::uint32_t id = 0; id < channels.size(); ++id) {
      const double of_channel = times.equal() ? 1 : static_cast<double>(times.flit(ChannelId{id})) / tau;
      channels[id] += flow.channels[id] * busy * of_channel;
    }
  }
  const auto most = [](const std::vector<double>& of) { return of.empty() ? 0 : std::ranges::max(of); };
  return 1 / std::max({most(leaving) / ports, most(arriving) / ports, most(channels)});
}

} // namespace

double expected_capacity(const Topology& topology, const NetworkParameters& network, const TrafficClasses& classes)
{
  return capacity_of(classes, routed_flows(topology, network, classes), network, ChannelTimes(network, topology));
}

ExpectedLoad expected_load(const Topology& topology, const NetworkParameters& network, const TrafficClasses& classes)
{
  const std::vector<RoutedFlow> flows = routed_flows(topology, network, classes);
  const ChannelTimes times(network, topology);
  ExpectedLoad expected{.capacity = capacity_of(classes, flows, network, times),
                        .capacity_known = std::ranges::all_of(flows, &RoutedFlow::capacity_known)};
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const TrafficClasses::Class& one = classes.all()[i];
    const Flow& flow = flows[i].flow;
    const double flits = one.generation.lengths.mean_flits(network);
    expected.mean_hops += one.message_share * (flow.hops / (flow.messages + flow.to_self));
    expected.zero_load_picoseconds +=
        one.message_share * (times.equal() ? mean_time_of_flow(flow, network, flits)
                                           : mean_time_of_routes(topology, network, times, one.pattern, flits));
  }
  return expected;
}

} // namespace wormcast
