#include "wormcast/simulator/traffic/pattern.hpp"

#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>

namespace wormcast {

namespace {

// The stream of the random permutation; those of the nodes are their ids.
constexpr std::uint64_t permutation_stream = std::uint64_t{1} << 40;

constexpr std::uint64_t largest_weight = std::uint64_t{1} << 32;

const Grid& grid_for(const Topology& topology, const char* pattern)
{
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr) {
    throw InputError(
        fmt::format("pattern: \"{}\" needs a mesh or a torus, but this is a {}", pattern, topology.title()));
  }
  return *grid;
}

std::uint32_t bits_for(const Topology& topology, const char* pattern)
{
  const std::uint32_t nodes = topology.node_count();
  if (!std::has_single_bit(nodes)) {
    throw InputError(
        fmt::format("pattern: \"{}\" needs 2^b nodes, but the {} has {}", pattern, topology.title(), nodes));
  }
  return static_cast<std::uint32_t>(std::countr_zero(nodes));
}

/// Bit i of the result is bit source(i) of `node`.
template <typename Source> std::uint32_t move_bits(std::uint32_t node, std::uint32_t bits, Source&& source)
{
  std::uint32_t moved = 0;
  for (std::uint32_t i = 0; i < bits; ++i) {
    moved |= (node >> source(i) & 1U) << i;
  }
  return moved;
}

template <typename Destination> std::vector<std::uint32_t> all_destinations(std::uint32_t nodes, Destination&& to)
{
  std::vector<std::uint32_t> destinations(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    destinations[node] = to(node);
  }
  return destinations;
}

std::vector<std::uint32_t> transposed(const Topology& topology)
{
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  const bool square = grid != nullptr && grid->sizes().size() == 2 && grid->sizes()[0] == grid->sizes()[1];
  if (!square) {
    const auto bits = static_cast<std::uint32_t>(std::countr_zero(topology.node_count()));
    if (!std::has_single_bit(topology.node_count()) || bits % 2 != 0) {
      throw InputError(
          fmt::format("pattern: \"transpose\" needs a square or 2^b nodes with an even b, but the {} has {}",
                      topology.title(), topology.node_count()));
    }
    return all_destinations(topology.node_count(), [bits](std::uint32_t node) {
      return move_bits(node, bits, [bits](std::uint32_t i) { return (i + bits / 2) % bits; });
    });
  }
  const auto side = static_cast<std::uint32_t>(grid->sizes()[0]);
  return all_destinations(topology.node_count(),
                          [side](std::uint32_t node) { return node % side * side + node / side; });
}

/// In each dimension of size k step(k) nodes further.
template <typename Step> std::vector<std::uint32_t> shifted(const Topology& topology, const char* pattern, Step&& step)
{
  const Grid& grid = grid_for(topology, pattern);
  return all_destinations(topology.node_count(), [&](std::uint32_t node) {
    std::int64_t to = 0;
    for (std::size_t d = 0; d < grid.sizes().size(); ++d) {
      const std::int64_t size = grid.sizes()[d];
      to += (grid.coordinate(NodeId{node}, d) + step(size)) % size * grid.stride(d);
    }
    return static_cast<std::uint32_t>(to);
  });
}

std::vector<std::uint32_t> random_permutation(std::uint32_t nodes, std::uint64_t seed)
{
  std::vector<std::uint32_t> destinations(nodes);
  std::iota(destinations.begin(), destinations.end(), 0U);
  RandomStream random(seed, permutation_stream);
  for (std::uint32_t left = nodes; left > 1; --left) {
    std::swap(destinations[left - 1], destinations[random.below(left)]);
  }
  return destinations;
}

} // namespace

Pattern::Pattern(const Topology& topology, const TrafficParameters& traffic, std::uint64_t seed)
    : nodes_(topology.node_count()), include_self_(traffic.include_self), sends_(nodes_, true)
{
  const auto by_bits = [&](const char* name, auto&& source) {
    const std::uint32_t bits = bits_for(topology, name);
    lay_out(all_destinations(nodes_, [&](std::uint32_t node) {
      return move_bits(node, bits, [&](std::uint32_t i) { return source(i, bits); });
    }));
  };
  switch (traffic.pattern) {
  case PatternKind::uniform:
    break;
  case PatternKind::transpose:
    lay_out(transposed(topology));
    break;
  case PatternKind::bit_complement:
    bits_for(topology, "bit_complement");
    lay_out(all_destinations(nodes_, [this](std::uint32_t node) { return nodes_ - 1 - node; }));
    break;
  case PatternKind::bit_reverse:
    by_bits("bit_reverse", [](std::uint32_t i, std::uint32_t bits) { return bits - 1 - i; });
    break;
  case PatternKind::bit_rotate:
    by_bits("bit_rotate", [](std::uint32_t i, std::uint32_t bits) { return (i + 1) % bits; });
    break;
  case PatternKind::shuffle:
    by_bits("shuffle", [](std::uint32_t i, std::uint32_t bits) { return (i + bits - 1) % bits; });
    break;
  case PatternKind::tornado:
    lay_out(shifted(topology, "tornado", [](std::int64_t size) { return (size + 1) / 2 - 1; }));
    break;
  case PatternKind::neighbour:
    lay_out(shifted(topology, "neighbour", [](std::int64_t) { return 1; }));
    break;
  case PatternKind::permutation:
    lay_out(random_permutation(nodes_, seed));
    break;
  case PatternKind::hot_spot:
    read_hot_spots(traffic);
    break;
  case PatternKind::file:
    read_weights(traffic);
    break;
  }
  if (nodes_ == 1 && !include_self_) {
    sends_[0] = false;
  }
  senders_ = static_cast<std::uint32_t>(std::ranges::count(sends_, true));
  if (senders_ == 0) {
    throw InputError("pattern: no node sends anything to another one");
  }
}

void Pattern::lay_out(const std::vector<std::uint32_t>& destinations)
{
  kind_ = Kind::one_each;
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    destinations_.push_back(NodeId{destinations[node]});
    sends_[node] = include_self_ || destinations[node] != node;
  }
}

void Pattern::read_hot_spots(const TrafficParameters& traffic)
{
  kind_ = Kind::hot_spot;
  hot_share_ = traffic.hot_share;
  for (const std::int64_t spot : traffic.hot_spots) {
    if (spot >= nodes_) {
      throw InputError(fmt::format("hot_spot.nodes: found {}, expected nodes from 0 to {}", spot, nodes_ - 1));
    }
    const NodeId node{static_cast<std::uint32_t>(spot)};
    if (std::ranges::find(spots_, node) != spots_.end()) {
      throw InputError(fmt::format("hot_spot.nodes: found {} a second time, expected different nodes", spot));
    }
    spots_.push_back(node);
  }
}

void Pattern::read_weights(const TrafficParameters& traffic)
{
  kind_ = Kind::weighted;
  weights_.resize(nodes_);
  std::ifstream file(traffic.file);
  if (!file) {
    throw FileError(fmt::format("cannot read {}", traffic.file.string()));
  }
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string first;
    if (!(words >> first)) {
      continue;
    }
    words.seekg(0);
    std::int64_t from = -1;
    std::int64_t to = -1;
    std::int64_t weight = -1;
    std::string rest;
    words >> from >> to >> weight;
    if (!words || words >> rest || from < 0 || to < 0 || from >= nodes_ || to >= nodes_ || weight < 0 ||
        static_cast<std::uint64_t>(weight) > largest_weight) {
      throw InputError(fmt::format("file: {}:{}: found \"{}\", expected SOURCE DESTINATION WEIGHT with nodes from 0 to "
                                   "{} and a whole number of at most 2^32",
                                   traffic.file.string(), number, line, nodes_ - 1));
    }
    if (weight > 0 && (from != to || include_self_)) {
      std::vector<Weighted>& entries = weights_[static_cast<std::size_t>(from)];
      const std::uint64_t before = entries.empty() ? 0 : entries.back().weight_before + entries.back().weight;
      entries.push_back({NodeId{static_cast<std::uint32_t>(to)}, before, static_cast<std::uint64_t>(weight)});
    }
  }
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    sends_[node] = !weights_[node].empty();
  }
}

NodeId Pattern::any_other(NodeId from, RandomStream& random) const
{
  if (include_self_) {
    return NodeId{static_cast<std::uint32_t>(random.below(nodes_))};
  }
  const auto drawn = static_cast<std::uint32_t>(random.below(nodes_ - 1));
  return NodeId{drawn + (drawn >= index(from) ? 1U : 0U)};
}

/// Hot spots to which a node sends.
std::uint32_t Pattern::spots_of(NodeId from) const
{
  const bool is_spot = !include_self_ && std::ranges::find(spots_, from) != spots_.end();
  return static_cast<std::uint32_t>(spots_.size()) - (is_spot ? 1U : 0U);
}

NodeId Pattern::destination(NodeId from, RandomStream& random) const
{
  switch (kind_) {
  case Kind::one_each:
    return destinations_[index(from)];
  case Kind::uniform:
    return any_other(from, random);
  case Kind::hot_spot: {
    const std::uint32_t spots = spots_of(from);
    if (!random.chance(hot_share_) || spots == 0) {
      return any_other(from, random);
    }
    auto drawn = static_cast<std::size_t>(random.below(spots));
    for (std::size_t i = 0; spots < spots_.size() && i <= drawn; ++i) {
      if (spots_[i] == from) {
        ++drawn;
        break;
      }
    }
    return spots_[drawn];
  }
  case Kind::weighted:
    break;
  }
  const std::vector<Weighted>& entries = weights_[index(from)];
  const std::uint64_t place = random.below(entries.back().weight_before + entries.back().weight);
  return std::prev(std::ranges::upper_bound(entries, place, {}, &Weighted::weight_before))->to;
}

void Pattern::for_each_share(NodeId from, const std::function<void(NodeId, double)>& visit) const
{
  const auto visit_others = [&](double share) {
    const std::uint32_t others = nodes_ - (include_self_ ? 0 : 1);
    for (std::uint32_t to = 0; to < nodes_; ++to) {
      if (include_self_ || NodeId{to} != from) {
        visit(NodeId{to}, share / others);
      }
    }
  };
  switch (kind_) {
  case Kind::one_each:
    visit(destinations_[index(from)], 1);
    return;
  case Kind::uniform:
    visit_others(1);
    return;
  case Kind::hot_spot: {
    const std::uint32_t spots = spots_of(from);
    visit_others(spots == 0 ? 1 : 1 - hot_share_);
    for (const NodeId spot : spots_) {
      if (include_self_ || spot != from) {
        visit(spot, hot_share_ / spots);
      }
    }
    return;
  }
  case Kind::weighted:
    break;
  }
  const std::vector<Weighted>& entries = weights_[index(from)];
  const auto all = static_cast<double>(entries.back().weight_before + entries.back().weight);
  for (const Weighted& entry : entries) {
    visit(entry.to, static_cast<double>(entry.weight) / all);
  }
}

ExpectedLoad expected_load(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                           const Pattern& pattern)
{
  const std::uint32_t nodes = topology.node_count();
  const double flits = traffic.lengths.mean_flits(network);
  // Time that a node's messages keep a channel busy that all of them cross, at load 1.
  const double busy = flits * static_cast<double>(network.flit_bytes) / traffic.lengths.mean_bytes();
  std::vector<double> channels(topology.channel_count());
  std::vector<double> arriving(nodes);
  ExpectedLoad expected;
  std::vector<ChannelId> route;
  for (std::uint32_t from = 0; from < nodes; ++from) {
    if (!pattern.sends(NodeId{from})) {
      continue;
    }
    pattern.for_each_share(NodeId{from}, [&](NodeId to, double share) {
      route.clear();
      topology.append_route(NodeId{from}, to, route);
      for (const ChannelId channel : route) {
        channels[index(channel)] += share * busy;
      }
      arriving[index(to)] += share * busy;
      const auto hops = static_cast<double>(route.size());
      expected.mean_hops += share * hops;
      expected.zero_load_picoseconds += share * empty_network_picoseconds(network, hops, flits);
    });
  }
  expected.mean_hops /= pattern.sender_count();
  expected.zero_load_picoseconds /= pattern.sender_count();
  const double ports = network.ports.count == PortModel::all ? 1 : network.ports.count;
  // With router "wormhole" a message holds its port during T_s, too.
  const double startup = network.router == Router::wormhole
                             ? static_cast<double>(network.startup.picoseconds) /
                                   (traffic.lengths.mean_bytes() * static_cast<double>(network.per_byte.picoseconds))
                             : 0;
  double most = (busy + startup) / ports;
  for (const double arrived : arriving) {
    most = std::max(most, arrived / ports);
  }
  for (const double channel : channels) {
    most = std::max(most, channel);
  }
  expected.capacity = 1 / most;
  return expected;
}

} // namespace wormcast
