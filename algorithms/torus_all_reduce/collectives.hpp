#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/topologies/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The halves of an all_reduce of which an operation consists: all_reduce has both, reduce_scatter the first,
/// multinode_broadcast (all_gather) the second.
struct AllReduceHalves {
  bool scatters = true; ///< Partial results are combined on the way to their owners.
  bool gathers = true;  ///< Results are copied from their owners to all nodes.

  std::uint32_t count() const { return (scatters ? 1U : 0U) + (gathers ? 1U : 0U); }
};

/// The halves of one of the three operations.
AllReduceHalves halves_of(Operation operation);

/// The operation that a request asks for, of an algorithm that has these three and others; all_reduce where it names
/// none.
Operation requested_all_reduce(const ScheduleRequest& request);

/// One of the collectives that run at the same time, each on an equal share of every vector (De Sensi et al., "Swing",
/// NSDI 2024, section 4.1).
struct ShareCollective {
  std::vector<std::size_t> dimensions; ///< dimensions of more than one node, in the order in which it serves them
  bool mirrored = false;               ///< It exchanges the two directions of every dimension.
};

/// Whether a collective that starts with a dimension has a mirrored twin.
enum class MirroredToo : bool { no, yes };

/// Which collective comes after another, where their number is given.
enum class ShareOrder {
  dimensions_first, ///< collective c starts with dimension c mod D, and c / D mod 2 says whether it is mirrored
  directions_first  ///< collective c starts with dimension c / 2 mod D, and c mod 2 says whether it is mirrored
};

/// The declaration of the parameter `shares`: how many collectives run at the same time.
Parameter shares_parameter();

/// Throws InputError that names the algorithm where a request has `shares` of more than 1 for a total exchange, whose
/// blocks are not cut.
void require_one_share(std::string_view algorithm, const ScheduleRequest& request);

/// The collectives of a request, at least one. As many as its parameter `shares` says, in that order; none is mirrored
/// where there are no twins. Without it: with all ports one starts with each dimension, followed by its mirrored twin
/// if there is one; with any other number of ports a single one starts with the first dimension.
std::vector<ShareCollective> share_collectives(const Grid& grid, const ScheduleRequest& request, MirroredToo mirrored,
                                               ShareOrder order);

/// A schedule without messages of one of the three operations, in which each of `collectives` collectives has a block
/// for every node: block b belongs to collective b / N and to node b % N.
Schedule schedule_of_shares(Operation operation, std::uint32_t nodes, std::size_t collectives);

/// The node at coordinate `to` of one dimension that agrees with `node` in all others.
NodeId at_coordinate(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t to);

/// The messages of a schedule in the order in which this family numbers them: by step, sender, collective, receiver.
class OrderedMessages {
public:
  void add(std::uint32_t collective, const Message& message) { entries_.push_back({message, collective}); }

  /// Moves all messages to `schedule`.
  void take_into(Schedule& schedule);

private:
  struct Entry {
    Message message;
    std::uint32_t collective = 0;
  };
  std::vector<Entry> entries_;
};

/// An algorithm with what all of this family have in common: its name, the three operations and the broadcast.
Algorithm torus_all_reduce_algorithm(std::string_view name);

} // namespace wormcast
