#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// What ranks send to each other, both directions together.
class Communication {
public:
  /// A rank with which another one exchanges messages.
  struct Partner {
    std::uint32_t rank = 0;
    std::uint64_t bytes = 0; ///< in both directions, above 0
    std::uint64_t sent = 0;  ///< to it
  };

  /// The bytes of a plain message list between the ranks on these nodes. Throws InputError where two ranks share a
  /// node, so that messages do not say whose they are.
  Communication(const Schedule& messages, std::span<const NodeId> nodes);

  std::uint32_t rank_count() const { return static_cast<std::uint32_t>(partners_.size()); }
  /// Ascending by rank.
  std::span<const Partner> partners(std::uint32_t rank) const { return partners_[rank]; }
  std::uint64_t bytes_of(std::uint32_t rank) const { return bytes_[rank]; }

private:
  std::vector<std::vector<Partner>> partners_;
  std::vector<std::uint64_t> bytes_; ///< by rank: the sum over its partners
};

/// The sum over all messages of their bytes times the external channels of their routes.
std::uint64_t byte_hops(const Topology& topology, const Communication& communication, std::span<const NodeId> nodes);

/// Returns all nodes along a curve on which neighbours are near each other in every dimension: on meshes and tori a
/// Hilbert curve through the smallest cube of side 2^k that holds them, without what is outside (J. Skilling,
/// "Programming the Hilbert curve", AIP Conf. Proc. 707, 2004), on hypercubes the reflected Gray code. Throws
/// InputError for other kinds.
std::vector<NodeId> curve_order(const Topology& topology);

/// Returns a node for each rank: the rank that exchanges the most bytes comes first; then always the one that exchanges
/// the most with those placed already, on the free node with the fewest byte_hops to them, of equal ones that with the
/// fewest free neighbours, so that no holes are left. The first node is the one with the least sum of distances to all
/// others, or the one with the greatest: of both the placement with fewer byte_hops. Of equal ranks and nodes the
/// first. Cost O(nodes * pairs of partners + ranks^2 + nodes^2).
std::vector<NodeId> greedy_placement(const Topology& topology, const Communication& communication);

/// Exchanges the nodes of two ranks, or moves a rank to a free node, as long as that lowers byte_hops: first for rank 0
/// with all others, then for rank 1, ..., again and again, until nothing is gained or `most_distances` distances have
/// been summed up.
std::vector<NodeId> refined_placement(const Topology& topology, const Communication& communication,
                                      std::vector<NodeId> nodes, std::uint64_t most_distances = 2'000'000'000);

} // namespace wormcast
