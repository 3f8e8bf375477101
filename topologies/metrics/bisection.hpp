#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>

namespace wormcast {

/// The cut of the hosts into two halves (of equal size, or with one host more in one); switches belong to whichever
/// half makes it smaller.
struct Bisection {
  std::uint64_t channels = 0; ///< directed channels from either half to the other
  std::uint64_t links = 0;    ///< pairs of opposite channels, each counted once; a channel without opposite counts too
  bool exact = false;         ///< no cut has fewer channels: the bisection width; false: an upper bound of it

  friend bool operator==(const Bisection&, const Bisection&) = default;
};

/// Up to this number of nodes, search_bisection is exact.
inline constexpr std::uint32_t most_nodes_for_exact_bisection = 24;

/// Returns the number of links of a topology, counted as in Bisection.
std::uint32_t count_links(const Topology& topology);

/// The bisection of any topology; none for a single host. With switches a bound: the least cut between the first and
/// the second half of the hosts (a maximum flow by Boykov and Kolmogorov). Without them exact (branch and bound, cost
/// exponential in the nodes) up to most_nodes_for_exact_bisection. Above it a bound: the best cut that greedy exchange
/// of nodes reaches from a few halves of contiguous ids and of breadth-first order, cost O(nodes) per exchange.
std::optional<Bisection> search_bisection(const Topology& topology);

} // namespace wormcast
