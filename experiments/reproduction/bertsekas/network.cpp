#include "wormcast/algorithms/hypercube/trees.hpp"
#include "wormcast/algorithms/schedule/neighbour_sends.hpp"
#include "wormcast/experiments/reproduction/bertsekas/cases.hpp"
#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace wormcast::bertsekas {

namespace {

/// Links from every node to `from` by breadth-first search, without regard to ids.
std::vector<std::uint32_t> searched_distances(const Topology& topology, std::uint32_t from)
{
  std::vector<std::uint32_t> distance(topology.node_count(), ~0U);
  std::vector<std::uint32_t> queue = {from};
  distance[from] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const NodeId node{queue[next]};
    for (std::uint32_t c = index(topology.first_channel(node));
         c < index(topology.first_channel(node)) + topology.out_degree(node); ++c) {
      const std::uint32_t to = index(topology.channel_target(ChannelId{c}));
      if (distance[to] == ~0U) {
        distance[to] = distance[index(node)] + 1;
        queue.push_back(to);
      }
    }
  }
  return distance;
}

std::set<std::pair<std::uint32_t, std::uint32_t>> directed_links(const Topology& topology)
{
  std::set<std::pair<std::uint32_t, std::uint32_t>> links;
  for (std::uint32_t c = 0; c < topology.channel_count(); ++c) {
    links.emplace(index(topology.channel_source(ChannelId{c})), index(topology.channel_target(ChannelId{c})));
  }
  return links;
}

// The links of two cubes of one dimension less, of which the second has a leading 1, and those between equal ids.
std::set<std::pair<std::uint32_t, std::uint32_t>> joined_cubes(std::uint32_t dimension)
{
  const std::uint32_t half = 1U << (dimension - 1);
  std::set<std::pair<std::uint32_t, std::uint32_t>> links;
  if (dimension > 1) {
    for (const auto& [from, to] : directed_links(*make_cube(dimension - 1))) {
      links.emplace(from, to);
      links.emplace(from + half, to + half);
    }
  }
  for (std::uint32_t id = 0; id < half; ++id) {
    links.emplace(id, id + half);
    links.emplace(id + half, id);
  }
  return links;
}

Observation joins_smaller_cubes(std::uint32_t d)
{
  const auto links = directed_links(*make_cube(d));
  const std::size_t count = as_claimed(std::size_t{d} << d);
  return {.what = fmt::format("links, d = {}", d),
          .expected = fmt::format("{}, those of two {}-cubes and of the pairs of equal ids", count, d - 1),
          .found = fmt::format("{} directed links", links.size()),
          .holds = links == joined_cubes(d) && links.size() == count};
}

Evidence figure_1()
{
  return not_testable(lost_drawing, all_hold("d = 3 and 4: the links of the two smaller cubes, whose nodes got a "
                                             "leading 0 or 1, and of the pairs of equal ids",
                                             {joins_smaller_cubes(3), joins_smaller_cubes(4)}));
}

Evidence network_is_a_hypercube()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 10; ++d) {
    const auto cube = make_cube(d);
    observations.push_back(joins_smaller_cubes(d));
    std::uint64_t wrong = 0;
    for (std::uint32_t from = 0; from < cube->node_count(); ++from) {
      const std::vector<std::uint32_t> distance = searched_distances(*cube, from);
      for (std::uint32_t to = 0; to < cube->node_count(); ++to) {
        const auto hamming = as_claimed(static_cast<std::uint32_t>(std::popcount(from ^ to)));
        wrong += distance[to] != hamming || cube->distance(NodeId{from}, NodeId{to}) != hamming;
      }
    }
    observations.push_back(none(fmt::format("pairs farther or nearer than their Hamming distance, d = {}", d), wrong));
  }
  return all_hold("d = 1..10, shortest paths by breadth-first search from every node", observations);
}

Evidence broadcast_takes_a_tree()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 10; ++d) {
    for (const CubeCase& one : from_roots({.dimension = d, .algorithm = "single_node_broadcast"}, 64)) {
      observations.push_back(costs(one, d, (1U << d) - 1));
    }
  }
  return all_hold("in d steps, for d = 1..10, every root up to d = 6, 64 roots above", observations);
}

// Without the paper's pages: the fewest steps of one port are those in which a node gets, or the root sends, all
// packets; for the total exchange those of all transmissions at one a node and step.
Evidence one_port_times()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 9; ++d) {
    const std::uint64_t nodes = std::uint64_t{1} << d;
    const auto add = [&](const std::string& algorithm, std::uint64_t steps, std::uint64_t transmissions) {
      for (const CubeCase& one : from_roots({.dimension = d, .algorithm = algorithm, .ports = sla},
                                            algorithm.starts_with("single") ? 8 : 1)) {
        observations.push_back(costs(one, steps, transmissions));
      }
    };
    add("single_node_broadcast", d, nodes - 1);
    add("single_node_scatter", nodes - 1, d * nodes / 2);
    add("multinode_broadcast", nodes - 1, nodes * (nodes - 1));
    if (d <= 8) {
      add("total_exchange", d * nodes / 2, d * nodes * nodes / 2);
    }
  }
  return all_hold("d = 1..9 (total exchange 1..8), up to 8 roots", observations);
}

// A message cut into parts that follow each other down the tree of all ports.
Schedule in_parts(const Topology& cube, std::uint32_t dimension, std::uint32_t parts)
{
  const BroadcastTree tree = all_port_broadcast_tree(dimension);
  Schedule schedule;
  schedule.topology = cube.description();
  schedule.routing = cube.routing();
  schedule.ports = mla;
  schedule.blocks = parts;
  schedule.message_bytes = parts;
  for (std::uint32_t part = 0; part < parts; ++part) {
    const BlockSetId block = schedule.block_sets.intern(BlockRange{part, part + 1});
    for (std::uint32_t id = 1; id < tree.parent.size(); ++id) {
      schedule.messages.push_back({tree.step[id] + part, NodeId{tree.parent[id]}, NodeId{id}, block});
    }
  }
  return as_made(std::move(schedule), cube.node_count());
}

Evidence parts_shorten_a_broadcast()
{
  std::vector<Observation> observations;
  ExhibitFigure figure{.title = "Single node broadcast in parts",
                       .x_label = "parts",
                       .y_label = "time (whole packets)",
                       .log_x = true,
                       .series = {},
                       .marks = {}};
  for (std::uint32_t d = 1; d <= 8; ++d) {
    const auto cube = make_cube(d);
    ExhibitSeries series{.title = fmt::format("d = {}", d), .points = {}};
    for (std::uint32_t parts = 1; parts <= 32; parts *= 2) {
      const CheckReport report = check_schedule(*cube, in_parts(*cube, d, parts), {.max_violations = 1});
      const Fraction expected(d + parts - 1, parts);
      const bool shorter = parts == 1 || d == 1 ? report.costs.beta == Fraction(d) : report.costs.beta < Fraction(d);
      observations.push_back(
          {.what = fmt::format("d = {}, {} parts", d, parts),
           .expected = fmt::format("valid, time {}", format_fraction(expected)),
           .found =
               fmt::format("{}, time {}", report.valid() ? "valid" : "not valid", format_fraction(report.costs.beta)),
           .holds = report.valid() && report.contention_free && report.costs.beta == expected && shorter});
      series.points.push_back({fmt::to_string(parts), decimal(boost::rational_cast<double>(report.costs.beta), 6)});
    }
    figure.series.push_back(std::move(series));
  }
  Evidence evidence = all_hold("d = 1..8, 1..32 parts that follow each other down a shortest-path tree, time "
                               "(d + parts - 1) / parts",
                               observations, 12);
  evidence.figures.push_back(std::move(figure));
  return evidence;
}

// The share of the links that matter in all steps which transmit something.
double use(const CubeCase& cube)
{
  const auto topology = make_cube(cube.dimension);
  const Schedule schedule = schedule_of(cube, *topology);
  const bool from_root = cube.algorithm == "single_node_scatter";
  std::uint64_t used = 0;
  for (const Message& message : schedule.messages) {
    used += !from_root || index(message.source) == cube.root;
  }
  const std::uint64_t links = from_root ? cube.dimension : topology->channel_count();
  return static_cast<double>(used) / static_cast<double>(links * step_count(schedule));
}

// What splitting could gain at most: ceil((2^d - 1) / d) - (2^d - 1) / d, below one unit; nothing for total exchange.
Evidence links_are_in_use()
{
  std::vector<Observation> observations;
  ExhibitFigure figure{.title = "Use of the links that limit the time",
                       .x_label = "dimension d",
                       .y_label = "share of link steps in use",
                       .series = {},
                       .marks = {}};
  for (const std::string algorithm : {"single_node_scatter", "multinode_broadcast", "total_exchange"}) {
    std::vector<double> shares;
    for (std::uint32_t d = 1; d <= 8; ++d) {
      shares.push_back(use({.dimension = d, .algorithm = algorithm}));
      const double possible = static_cast<double>((1U << d) - 1) / static_cast<double>(d * packets_per_link(d));
      const double expected = algorithm == "total_exchange" ? 1 : possible;
      observations.push_back({.what = fmt::format("{}, d = {}", algorithm, d),
                              .expected = decimal(expected, 4),
                              .found = decimal(shares.back(), 4),
                              .holds = std::abs(shares.back() - expected) < 1e-12});
    }
    figure.series.push_back(series_by_dimension(algorithm, ExhibitSeries::Kind::measured, 1, shares));
  }
  Evidence evidence = all_hold("d = 1..8: (2^d - 1) / (d ceil((2^d - 1) / d)) of the root's "
                               "links in the scatter and of all links in the multinode broadcast, "
                               "from 3/4 (d = 2) upwards, all links in the total exchange",
                               observations);
  evidence.figures.push_back(std::move(figure));
  return evidence;
}

// The node at which packets of a schedule start.
std::uint32_t origin_of(const Schedule& schedule, const Hop& hop, std::uint32_t nodes)
{
  if (schedule.operation == Operation::total_exchange) {
    return hop.packet / nodes;
  }
  return schedule.operation == Operation::scatter ? index(schedule.source) : hop.packet;
}

// Origins whose packets do not use the links of one spanning tree.
std::uint64_t origins_without_tree(const CubeCase& cube)
{
  const auto topology = make_cube(cube.dimension);
  const std::uint32_t nodes = topology->node_count();
  const Schedule schedule = schedule_of(cube, *topology);
  // Every node but the origin is entered from one node only; with all nodes reached that is a tree.
  std::vector<std::set<std::uint32_t>> entries(std::size_t{nodes} * nodes);
  std::set<std::uint32_t> origins;
  for (const Hop& hop : hops_of(schedule)) {
    const std::uint32_t origin = origin_of(schedule, hop, nodes);
    origins.insert(origin);
    entries[std::size_t{origin} * nodes + hop.to].insert(hop.from);
  }
  std::uint64_t without = 0;
  for (const std::uint32_t origin : origins) {
    bool tree = true;
    for (std::uint32_t to = 0; to < nodes; ++to) {
      tree = tree && entries[std::size_t{origin} * nodes + to].size() == (to == origin ? 0U : 1U);
    }
    without += !tree;
  }
  return without;
}

Evidence packets_keep_to_trees()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 7; ++d) {
    for (const std::string algorithm : {"single_node_scatter", "multinode_broadcast", "total_exchange"}) {
      const CubeCase cube{.dimension = d, .algorithm = algorithm};
      observations.push_back(none("origins without a spanning tree: " + title(cube), origins_without_tree(cube)));
    }
  }
  return all_hold("d = 1..7", observations);
}

} // namespace

std::vector<Check> network_checks()
{
  const CubeCase broadcast{.dimension = 4, .algorithm = "single_node_broadcast"};
  return {
      check_of("network", {config_text(broadcast), "wormcast topology CONFIG"}, network_is_a_hypercube),
      check_of("figure_1", {config_text(broadcast), "wormcast topology CONFIG"}, figure_1),
      check_of("single_node_broadcast", checked(broadcast), broadcast_takes_a_tree),
      check_of("sla_times", checked({.dimension = 4, .algorithm = "total_exchange", .ports = sla}), one_port_times),
      check_of("splitting_a_broadcast", checked(broadcast), parts_shorten_a_broadcast),
      check_of("links_in_use", checked({.dimension = 4, .algorithm = "multinode_broadcast"}), links_are_in_use),
      check_of("one_tree_per_origin", checked({.dimension = 4, .algorithm = "total_exchange"}), packets_keep_to_trees)};
}

} // namespace wormcast::bertsekas
