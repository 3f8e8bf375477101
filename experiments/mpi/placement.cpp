#include "wormcast/experiments/mpi/placement.hpp"

#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/hypercube.hpp"
#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

/// Turns the index on a Hilbert curve of `coordinates.size()` dimensions and 2^bits points a side, whose bits are dealt
/// out to `coordinates` (the highest first to the first), into the point (Skilling 2004, TransposetoAxes).
void transposed_to_point(std::vector<std::uint32_t>& coordinates, unsigned bits)
{
  const std::size_t last = coordinates.size() - 1;
  const std::uint32_t carried = coordinates[last] >> 1U;
  for (std::size_t i = last; i > 0; --i) {
    coordinates[i] ^= coordinates[i - 1];
  }
  coordinates[0] ^= carried;
  for (unsigned level = 1; level < bits; ++level) {
    const std::uint32_t bit = std::uint32_t{1} << level;
    const std::uint32_t lower = bit - 1;
    for (std::size_t i = coordinates.size(); i-- > 0;) {
      if ((coordinates[i] & bit) != 0) {
        coordinates[0] ^= lower;
      } else {
        const std::uint32_t exchanged = (coordinates[0] ^ coordinates[i]) & lower;
        coordinates[0] ^= exchanged;
        coordinates[i] ^= exchanged;
      }
    }
  }
}

std::vector<NodeId> hilbert_order(const Grid& grid)
{
  const auto longest = static_cast<std::uint64_t>(std::ranges::max(grid.sizes()));
  const auto bits = static_cast<unsigned>(std::bit_width(longest - 1));
  const std::size_t dimensions = grid.sizes().size();
  const unsigned all_bits = bits * static_cast<unsigned>(dimensions);
  constexpr unsigned most_bits = 28;
  if (all_bits > most_bits) {
    throw InputError(fmt::format("order: found {}, expected a mesh or torus within a cube of at most 2^{} nodes",
                                 grid.title(), most_bits));
  }
  std::vector<NodeId> order;
  order.reserve(grid.host_count());
  std::vector<std::uint32_t> point(dimensions);
  std::vector<std::int64_t> coordinates(dimensions);
  for (std::uint64_t at = 0; at < std::uint64_t{1} << all_bits; ++at) {
    std::ranges::fill(point, 0);
    for (unsigned bit = 0; bit < all_bits; ++bit) {
      const std::size_t dimension = bit % dimensions;
      point[dimension] = point[dimension] << 1U | static_cast<std::uint32_t>(at >> (all_bits - 1 - bit) & 1U);
    }
    transposed_to_point(point, bits);
    bool inside = true;
    for (std::size_t i = 0; i < dimensions; ++i) {
      coordinates[i] = point[i];
      inside = inside && coordinates[i] < grid.sizes()[i];
    }
    if (inside) {
      order.push_back(grid.node_at(coordinates));
    }
  }
  return order;
}

/// All distances, for topologies of so few nodes that they are looked up; else they are computed each time.
class Distances {
public:
  explicit Distances(const Topology& topology) : topology_(topology)
  {
    const std::size_t nodes = topology.host_count();
    if (nodes > most_nodes) {
      return;
    }
    table_.reserve(nodes * nodes);
    for (std::uint32_t from = 0; from < nodes; ++from) {
      for (std::uint32_t to = 0; to < nodes; ++to) {
        table_.push_back(topology.distance(NodeId{from}, NodeId{to}));
      }
    }
  }

  std::uint64_t operator()(NodeId from, NodeId to) const
  {
    return table_.empty() ? topology_.distance(from, to)
                          : table_[std::size_t{topology_.host_count()} * index(from) + index(to)];
  }

private:
  static constexpr std::size_t most_nodes = 4096;
  const Topology& topology_;
  std::vector<std::uint32_t> table_;
};

/// The nodes with the least and with the greatest sum of distances to all others; of equal ones the first.
std::pair<NodeId, NodeId> central_and_outer_node(const Topology& topology, const Distances& distances)
{
  std::vector<std::uint64_t> sums(topology.host_count());
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    for (std::uint32_t other = 0; other < topology.host_count(); ++other) {
      sums[node] += distances(NodeId{node}, NodeId{other});
    }
  }
  const auto central = std::ranges::min_element(sums) - sums.begin();
  const auto outer = std::ranges::max_element(sums) - sums.begin();
  return {NodeId{static_cast<std::uint32_t>(central)}, NodeId{static_cast<std::uint32_t>(outer)}};
}

constexpr std::uint32_t no_rank = std::numeric_limits<std::uint32_t>::max();

/// Ranks on nodes, and which rank a node has.
class Placement {
public:
  Placement(const Topology& topology, std::vector<NodeId> nodes)
      : distances_(topology), nodes_(std::move(nodes)), rank_on_(topology.host_count(), no_rank)
  {
    for (std::uint32_t rank = 0; rank < nodes_.size(); ++rank) {
      rank_on_[index(nodes_[rank])] = rank;
    }
  }

  const std::vector<NodeId>& nodes() const { return nodes_; }
  std::uint32_t host_count() const { return static_cast<std::uint32_t>(rank_on_.size()); }
  std::uint32_t rank_on(NodeId node) const { return rank_on_[index(node)]; }

  /// By how much byte-hops grow where `rank` goes to `node`, whose rank, if there is one, comes to its node.
  std::int64_t change(const Communication& communication, std::uint32_t rank, NodeId node) const
  {
    const std::uint32_t other = rank_on(node);
    return moved(communication, rank, node, other) +
           (other == no_rank ? 0 : moved(communication, other, nodes_[rank], rank));
  }

  void exchange(std::uint32_t rank, NodeId node)
  {
    const std::uint32_t other = rank_on(node);
    const NodeId from = nodes_[rank];
    rank_on_[index(from)] = other;
    if (other != no_rank) {
      nodes_[other] = from;
    }
    nodes_[rank] = node;
    rank_on_[index(node)] = rank;
  }

private:
  /// The change of byte-hops between `rank`, which goes to `node`, and all but `other`, between which and `rank` the
  /// distance stays the same.
  std::int64_t moved(const Communication& communication, std::uint32_t rank, NodeId node, std::uint32_t other) const
  {
    std::int64_t sum = 0;
    for (const Communication::Partner& partner : communication.partners(rank)) {
      if (partner.rank != other) {
        const NodeId to = nodes_[partner.rank];
        sum += static_cast<std::int64_t>(partner.bytes) * (static_cast<std::int64_t>(distances_(node, to)) -
                                                           static_cast<std::int64_t>(distances_(nodes_[rank], to)));
      }
    }
    return sum;
  }

  Distances distances_;
  std::vector<NodeId> nodes_;
  std::vector<std::uint32_t> rank_on_; ///< by node
};

/// One rank after the other is placed.
class GreedyPlacement {
public:
  GreedyPlacement(const Topology& topology, const Communication& communication, const Distances& distances)
      : topology_(topology), communication_(communication), distances_(distances),
        with_placed_(communication.rank_count()), is_placed_(communication.rank_count()),
        is_taken_(topology.host_count()), nodes_(communication.rank_count())
  {}

  std::vector<NodeId> place_all(NodeId first)
  {
    for (std::uint32_t placed = 0; placed < nodes_.size(); ++placed) {
      const std::uint32_t rank = next_rank();
      place(rank, placed == 0 ? first : best_node(rank));
    }
    return nodes_;
  }

private:
  std::uint32_t next_rank() const
  {
    const auto wanted = [&](std::uint32_t rank) {
      return std::pair(with_placed_[rank], communication_.bytes_of(rank));
    };
    std::uint32_t next = no_rank;
    for (std::uint32_t rank = 0; rank < nodes_.size(); ++rank) {
      if (!is_placed_[rank] && (next == no_rank || wanted(rank) > wanted(next))) {
        next = rank;
      }
    }
    return next;
  }

  std::uint32_t free_neighbours(NodeId node) const
  {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < topology_.out_degree(node); ++i) {
      const ChannelId channel{index(topology_.first_channel(node)) + i};
      count += is_taken_[index(topology_.channel_target(channel))] ? 0 : 1;
    }
    return count;
  }

  NodeId best_node(std::uint32_t rank) const
  {
    std::vector<std::uint64_t> cost(topology_.host_count());
    for (const Communication::Partner& partner : communication_.partners(rank)) {
      if (is_placed_[partner.rank]) {
        for (std::uint32_t node = 0; node < topology_.host_count(); ++node) {
          cost[node] += partner.bytes * distances_(nodes_[partner.rank], NodeId{node});
        }
      }
    }
    const auto price = [&](NodeId node) { return std::pair(cost[index(node)], free_neighbours(node)); };
    std::optional<NodeId> best;
    for (std::uint32_t node = 0; node < topology_.host_count(); ++node) {
      if (!is_taken_[node] && (!best || price(NodeId{node}) < price(*best))) {
        best = NodeId{node};
      }
    }
    return *best;
  }

  void place(std::uint32_t rank, NodeId node)
  {
    nodes_[rank] = node;
    is_placed_[rank] = true;
    is_taken_[index(node)] = true;
    for (const Communication::Partner& partner : communication_.partners(rank)) {
      with_placed_[partner.rank] += partner.bytes;
    }
  }

  const Topology& topology_;
  const Communication& communication_;
  const Distances& distances_;
  std::vector<std::uint64_t> with_placed_; ///< by rank: the bytes that it exchanges with those placed
  std::vector<bool> is_placed_;
  std::vector<bool> is_taken_; ///< by node
  std::vector<NodeId> nodes_;
};

} // namespace

Communication::Communication(const Schedule& messages, std::span<const NodeId> nodes)
    : partners_(nodes.size()), bytes_(nodes.size())
{
  std::map<NodeId, std::uint32_t> rank_on;
  for (std::uint32_t rank = 0; rank < nodes.size(); ++rank) {
    if (!rank_on.emplace(nodes[rank], rank).second) {
      throw InputError("found several ranks on a node, expected one: messages between nodes do not say whose they are");
    }
  }
  std::vector<std::map<std::uint32_t, Partner>> bytes(nodes.size());
  for (std::size_t i = 0; i < messages.messages.size(); ++i) {
    const std::uint32_t from = rank_on.at(messages.messages[i].source);
    const std::uint32_t to = rank_on.at(messages.messages[i].destination);
    if (from != to && messages.plain[i].bytes > 0) {
      bytes[from][to].bytes += messages.plain[i].bytes;
      bytes[from][to].sent += messages.plain[i].bytes;
      bytes[to][from].bytes += messages.plain[i].bytes;
    }
  }
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    for (const auto& [partner, exchanged] : bytes[rank]) {
      partners_[rank].push_back({.rank = partner, .bytes = exchanged.bytes, .sent = exchanged.sent});
      bytes_[rank] += exchanged.bytes;
    }
  }
}

std::uint64_t byte_hops(const Topology& topology, const Communication& communication, std::span<const NodeId> nodes)
{
  std::uint64_t sum = 0;
  for (std::uint32_t rank = 0; rank < communication.rank_count(); ++rank) {
    for (const Communication::Partner& partner : communication.partners(rank)) {
      if (partner.rank > rank) {
        sum += partner.bytes * topology.distance(nodes[rank], nodes[partner.rank]);
      }
    }
  }
  return sum;
}

std::vector<NodeId> curve_order(const Topology& topology)
{
  if (const auto* grid = as_kind<Grid>(topology)) {
    return hilbert_order(*grid);
  }
  if (as_kind<Hypercube>(topology) == nullptr) {
    throw InputError(fmt::format("order: found {}, expected a mesh, a torus or a hypercube", topology.title()));
  }
  std::vector<NodeId> order;
  for (std::uint32_t at = 0; at < topology.host_count(); ++at) {
    order.push_back(NodeId{at ^ (at >> 1U)});
  }
  return order;
}

std::vector<NodeId> greedy_placement(const Topology& topology, const Communication& communication)
{
  const Distances distances(topology);
  const auto [central, outer] = central_and_outer_node(topology, distances);
  std::vector<NodeId> from_centre = GreedyPlacement(topology, communication, distances).place_all(central);
  std::vector<NodeId> from_outside = GreedyPlacement(topology, communication, distances).place_all(outer);
  return byte_hops(topology, communication, from_centre) <= byte_hops(topology, communication, from_outside)
             ? from_centre
             : from_outside;
}

std::vector<NodeId> refined_placement(const Topology& topology, const Communication& communication,
                                      std::vector<NodeId> nodes, std::uint64_t most_distances)
{
  Placement placement(topology, std::move(nodes));
  std::uint64_t distances = 0;
  bool gained = true;
  while (gained && distances < most_distances) {
    gained = false;
    for (std::uint32_t rank = 0; rank < communication.rank_count(); ++rank) {
      for (std::uint32_t at = 0; at < placement.host_count() && distances < most_distances; ++at) {
        const NodeId node{at};
        const std::uint32_t other = placement.rank_on(node);
        if (other == rank || (other != no_rank && other < rank)) {
          continue;
        }
        distances +=
            2 * (communication.partners(rank).size() + (other == no_rank ? 0 : communication.partners(other).size()));
        if (placement.change(communication, rank, node) < 0) {
          placement.exchange(rank, node);
          gained = true;
        }
      }
    }
  }
  return placement.nodes();
}

} // namespace wormcast
