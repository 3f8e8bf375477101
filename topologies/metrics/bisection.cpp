#include "wormcast/topologies/metrics/bisection.hpp"

#include "wormcast/topologies/metrics/host_cut.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// An unordered pair of connected nodes with the number of channels in each direction.
struct Adjacency {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t forth = 0;
  std::uint32_t back = 0;

  std::uint32_t channels() const { return forth + back; }
  std::uint32_t links() const { return std::max(forth, back); }
};

std::vector<Adjacency> adjacent_pairs(const Topology& topology)
{
  std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, bool>> channels;
  channels.reserve(topology.channel_count());
  for (std::uint32_t id = 0; id < topology.channel_count(); ++id) {
    const std::uint32_t from = index(topology.channel_source(ChannelId{id}));
    const std::uint32_t to = index(topology.channel_target(ChannelId{id}));
    channels.push_back({{std::min(from, to), std::max(from, to)}, from < to});
  }
  std::sort(channels.begin(), channels.end());
  std::vector<Adjacency> pairs;
  for (const auto& [ends, upwards] : channels) {
    if (pairs.empty() || pairs.back().a != ends.first || pairs.back().b != ends.second) {
      pairs.push_back({ends.first, ends.second, 0, 0});
    }
    ++(upwards ? pairs.back().forth : pairs.back().back);
  }
  return pairs;
}

struct Neighbour {
  std::uint32_t node = 0;
  std::uint32_t channels = 0; ///< in both directions
};
using Neighbours = std::vector<std::vector<Neighbour>>;

Neighbours neighbours_by_node(std::uint32_t nodes, const std::vector<Adjacency>& pairs)
{
  Neighbours neighbours(nodes);
  for (const Adjacency& pair : pairs) {
    if (pair.a != pair.b) {
      neighbours[pair.a].push_back({pair.b, pair.channels()});
      neighbours[pair.b].push_back({pair.a, pair.channels()});
    }
  }
  return neighbours;
}

using Halves = std::vector<std::uint8_t>; ///< 0 or 1 by node

std::uint64_t channels_cut(const std::vector<Adjacency>& pairs, const Halves& half)
{
  std::uint64_t channels = 0;
  for (const Adjacency& pair : pairs) {
    channels += half[pair.a] != half[pair.b] ? pair.channels() : 0;
  }
  return channels;
}

/// Every node, those reached from `start` first in breadth-first order, the others after them likewise.
std::vector<std::uint32_t> breadth_first_order(const Neighbours& neighbours, std::uint32_t start)
{
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(neighbours.size(), false);
  const auto visit_from = [&](std::uint32_t root) {
    if (seen[root]) {
      return;
    }
    seen[root] = true;
    order.push_back(root);
    for (std::size_t next = order.size() - 1; next < order.size(); ++next) {
      for (const Neighbour& neighbour : neighbours[order[next]]) {
        if (!seen[neighbour.node]) {
          seen[neighbour.node] = true;
          order.push_back(neighbour.node);
        }
      }
    }
  };
  visit_from(start);
  for (std::uint32_t root = 0; root < neighbours.size(); ++root) {
    visit_from(root);
  }
  return order;
}

/// Assigns the nodes one after the other to either half and stops where the cut is no better than the best.
class ExactSearch {
public:
  ExactSearch(const Neighbours& neighbours, Halves best, std::uint64_t best_cut)
      : neighbours_(neighbours), order_(breadth_first_order(neighbours, 0)), best_(std::move(best)),
        best_cut_(best_cut), half_(neighbours.size(), unplaced)
  {
    place(0, 0);
  }

  const Halves& best() const { return best_; }

private:
  static constexpr std::uint8_t unplaced = 2;

  void place(std::size_t position, std::uint64_t cut)
  {
    if (cut >= best_cut_) {
      return;
    }
    if (position == order_.size()) {
      best_ = half_;
      best_cut_ = cut;
      return;
    }
    const std::uint32_t node = order_[position];
    for (const std::uint8_t half : {std::uint8_t{0}, std::uint8_t{1}}) {
      // Half 0 has the odd node; which half is called 0 matters only then.
      const bool mirrored = position == 0 && half == 1 && order_.size() % 2 == 0;
      if (sizes_[half] < (order_.size() + 1 - half) / 2 && !mirrored) {
        std::uint64_t added = 0;
        for (const Neighbour& neighbour : neighbours_[node]) {
          added += half_[neighbour.node] == 1 - half ? neighbour.channels : 0;
        }
        half_[node] = half;
        ++sizes_[half];
        place(position + 1, cut + added);
        --sizes_[half];
        half_[node] = unplaced;
      }
    }
  }

  const Neighbours& neighbours_;
  std::vector<std::uint32_t> order_;
  Halves best_;
  std::uint64_t best_cut_;
  Halves half_;
  std::size_t sizes_[2] = {0, 0};
};

/// By how many channels the cut shrinks when the node changes its half alone.
std::int64_t gain_of(const std::vector<Neighbour>& neighbours, const Halves& half, std::uint32_t node)
{
  std::int64_t gain = 0;
  for (const Neighbour& neighbour : neighbours) {
    gain += half[neighbour.node] != half[node] ? neighbour.channels : -std::int64_t{neighbour.channels};
  }
  return gain;
}

/// Exchanges the two nodes, one of each half, that gain most on their own, as long as that makes the cut smaller.
void exchange_greedily(const Neighbours& neighbours, Halves& half)
{
  const auto nodes = static_cast<std::uint32_t>(neighbours.size());
  std::vector<std::int64_t> gains(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    gains[node] = gain_of(neighbours[node], half, node);
  }
  while (true) {
    std::uint32_t chosen[2] = {nodes, nodes};
    for (std::uint32_t node = 0; node < nodes; ++node) {
      std::uint32_t& best = chosen[half[node]];
      if (best == nodes || gains[node] > gains[best]) {
        best = node;
      }
    }
    const auto [a, b] = chosen;
    std::int64_t between = 0;
    for (const Neighbour& neighbour : neighbours[a]) {
      between += neighbour.node == b ? neighbour.channels : 0;
    }
    if (gains[a] + gains[b] - 2 * between <= 0) {
      return;
    }
    std::swap(half[a], half[b]);
    for (const std::uint32_t moved : chosen) {
      gains[moved] = gain_of(neighbours[moved], half, moved);
      for (const Neighbour& neighbour : neighbours[moved]) {
        gains[neighbour.node] = gain_of(neighbours[neighbour.node], half, neighbour.node);
      }
    }
  }
}

Halves first_half_of(const std::vector<std::uint32_t>& order)
{
  Halves half(order.size(), 1);
  for (std::size_t position = 0; position < (order.size() + 1) / 2; ++position) {
    half[order[position]] = 0;
  }
  return half;
}

/// The best cut that greedy exchange reaches from a few starts.
Halves best_greedy_cut(const Neighbours& neighbours, const std::vector<Adjacency>& pairs)
{
  constexpr std::uint32_t searches = 8;
  const auto nodes = static_cast<std::uint32_t>(neighbours.size());
  std::vector<Halves> starts;
  starts.emplace_back(nodes, 0);
  std::fill(starts.back().begin() + (nodes + 1) / 2, starts.back().end(), std::uint8_t{1});
  for (std::uint32_t search = 0; search < std::min(searches, nodes); ++search) {
    const std::uint64_t start = std::uint64_t{nodes} * search / searches;
    starts.push_back(first_half_of(breadth_first_order(neighbours, static_cast<std::uint32_t>(start))));
  }
  Halves best;
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (Halves& half : starts) {
    exchange_greedily(neighbours, half);
    const std::uint64_t cut = channels_cut(pairs, half);
    if (cut < fewest) {
      fewest = cut;
      best = std::move(half);
    }
  }
  return best;
}

Halves best_cut(const Topology& topology, const std::vector<Adjacency>& pairs, bool exact)
{
  const Neighbours neighbours = neighbours_by_node(topology.node_count(), pairs);
  const Halves half = best_greedy_cut(neighbours, pairs);
  return exact ? ExactSearch(neighbours, half, channels_cut(pairs, half)).best() : half;
}

} // namespace

std::uint32_t count_links(const Topology& topology)
{
  std::uint32_t links = 0;
  for (const Adjacency& pair : adjacent_pairs(topology)) {
    links += pair.links();
  }
  return links;
}

std::optional<Bisection> search_bisection(const Topology& topology)
{
  if (topology.host_count() < 2) {
    return std::nullopt;
  }
  const std::vector<Adjacency> pairs = adjacent_pairs(topology);
  Bisection bisection;
  bisection.exact = !topology.has_switches() && topology.node_count() <= most_nodes_for_exact_bisection;
  const Halves half =
      topology.has_switches() ? cut_between_hosts(topology) : best_cut(topology, pairs, bisection.exact);
  for (const Adjacency& pair : pairs) {
    if (half[pair.a] != half[pair.b]) {
      bisection.channels += pair.channels();
      bisection.links += pair.links();
    }
  }
  return bisection;
}

} // namespace wormcast
