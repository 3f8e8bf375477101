#include "wormcast/experiments/reproduction/cang_wu/exhaustive_tcd.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <stdexcept>

namespace wormcast {

namespace {

constexpr std::uint32_t most_nodes = 16;

/// Nodes as bits.
using NodeSet = std::uint32_t;

class Search {
public:
  explicit Search(const Topology& topology) : nodes_(topology.node_count())
  {
    if (!std::has_single_bit(nodes_) || nodes_ > most_nodes) {
      throw std::logic_error("the exhaustive search is for 1, 2, 4, 8 or 16 nodes");
    }
    for (std::uint32_t from = 0; from < nodes_; ++from) {
      for (std::uint32_t to = 0; to < nodes_; ++to) {
        distance_[from][to] = topology.distance(NodeId{from}, NodeId{to});
      }
    }
  }

  std::vector<std::int64_t> minima()
  {
    std::vector<std::int64_t> least(std::size_t{1} << nodes_, std::numeric_limits<std::int64_t>::max() / 2);
    least[all()] = 0;
    for (int informed = static_cast<int>(nodes_ / 2); informed > 0; informed /= 2) {
      for (NodeSet set = 0; set <= all(); ++set) {
        if (std::popcount(set) == informed) {
          least[set] = least_from(set, informed, least);
        }
      }
    }
    std::vector<std::int64_t> by_node;
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      by_node.push_back(least[NodeSet{1} << node]);
    }
    return by_node;
  }

private:
  NodeSet all() const { return (NodeSet{1} << nodes_) - 1; }

  std::int64_t least_from(NodeSet set, int informed, const std::vector<std::int64_t>& least) const
  {
    const NodeSet others = all() & ~set;
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    for (NodeSet next = others; next > 0; next = (next - 1) & others) {
      if (std::popcount(next) == informed) {
        best = std::min(best, least_matching(set, next) + least[set | next]);
      }
    }
    return best;
  }

  /// The least sum of distances over all perfect matchings of two sets of equal size, node by node of the first.
  std::int64_t least_matching(NodeSet from, NodeSet to) const
  {
    std::array<std::uint32_t, most_nodes / 2> targets{};
    std::size_t count = 0;
    for (NodeSet rest = to; rest > 0; rest &= rest - 1) {
      targets[count++] = static_cast<std::uint32_t>(std::countr_zero(rest));
    }
    std::array<std::uint32_t, most_nodes / 2> senders{};
    std::size_t sender = 0;
    for (NodeSet rest = from; rest > 0; rest &= rest - 1) {
      senders[sender++] = static_cast<std::uint32_t>(std::countr_zero(rest));
    }
    std::array<std::uint32_t, std::size_t{1} << (most_nodes / 2)> sums{};
    for (std::uint32_t taken = 1; taken < std::uint32_t{1} << count; ++taken) {
      const auto& row = distance_[senders[static_cast<std::size_t>(std::popcount(taken)) - 1]];
      std::uint32_t best = std::numeric_limits<std::uint32_t>::max();
      for (std::uint32_t rest = taken; rest > 0; rest &= rest - 1) {
        const std::uint32_t last = rest & ~(rest - 1);
        best = std::min(best, sums[taken ^ last] + row[targets[static_cast<std::size_t>(std::countr_zero(rest))]]);
      }
      sums[taken] = best;
    }
    return sums[(std::size_t{1} << count) - 1];
  }

  std::uint32_t nodes_;
  std::array<std::array<std::uint32_t, most_nodes>, most_nodes> distance_{};
};

} // namespace

std::vector<std::int64_t> exhaustive_minimum_tcds(const Topology& topology)
{
  return Search(topology).minima();
}

} // namespace wormcast
