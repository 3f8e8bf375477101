#pragma once

#include "wormcast/topologies/metrics/bisection.hpp"
#include "wormcast/topologies/topology.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <cstdint>
#include <optional>

namespace wormcast {

/// Sizes and distances of a topology. Distances are lengths of routes between hosts, in external channels; where drawn
/// routes differ in length, of the shortest.
struct TopologyMetrics {
  std::uint32_t nodes = 0;
  std::uint32_t channels = 0;
  std::uint32_t links = 0;           ///< pairs of opposite channels; a channel without opposite counts too
  std::uint32_t smallest_degree = 0; ///< channels that leave a node
  std::uint32_t largest_degree = 0;
  /// Longest route. None if there is no closed form and too many nodes for an enumeration of all pairs.
  std::optional<std::uint32_t> diameter;
  /// Mean over the ordered pairs of different hosts, exact; 0 for a single host. None as for the diameter.
  std::optional<boost::multiprecision::cpp_rational> mean_distance;
  std::optional<Bisection> bisection; ///< none for a single host

  friend bool operator==(const TopologyMetrics&, const TopologyMetrics&) = default;
};

/// Up to this number of nodes, measure_by_enumeration enumerates all pairs.
inline constexpr std::uint32_t most_nodes_for_all_pairs = 1U << 15;

/// The metrics of `topology`: by the closed forms of its kind where it has them, else by enumeration.
TopologyMetrics measure_topology(const Topology& topology);

/// Returns the metrics of any topology, by enumeration of every channel and every pair of nodes, and by
/// search_bisection. Cost O(nodes^2) calls of distance().
TopologyMetrics measure_by_enumeration(const Topology& topology);

} // namespace wormcast
