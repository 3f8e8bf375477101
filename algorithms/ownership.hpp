#pragma once

#include "algorithms/schedule.hpp"
#include "topologies/grid.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace wormcast {

/// The message exchange operations of Zhuang & Liberatore, section 3.1, on the nodes of a network, with what each node
/// *logically* owns: a node that transferred blocks away does not own them any more, although it still has them
/// (docs/papers/zhuang_liberatore.md says why the bookkeeping matters). Each operation appends one step, or several, to
/// a schedule; its messages are ordered by sender.
class Ownership {
public:
  /// Where a node's partner is; a node that is its own partner takes no part.
  using Partner = std::function<NodeId(NodeId)>;

  /// The source owns all `blocks` blocks.
  Ownership(std::uint32_t node_count, NodeId source, std::uint64_t blocks);

  /// Transfer: every owner gives the upper half of its blocks, one range of even length, to its partner, and keeps the
  /// lower half. One step.
  void transfer(const Partner& partner);

  /// Transfer of unequal parts: an owner keeps the lowest kept(node) of its blocks. One step.
  void transfer(const Partner& partner, const std::function<std::uint64_t(NodeId)>& kept);

  /// Sharing: every owner sends all that it owned at the start of the step to its partner; if both own something this
  /// is an exchange, else a copy. One step.
  void share(const Partner& partner);

  /// Sharing in several steps: what was owned at the start of all of them goes to the partner, in step i from the nodes
  /// with turn(node) == i.
  void share_in_turns(const Partner& partner, std::uint32_t turns, const std::function<std::uint32_t(NodeId)>& turn);

  /// Ring all-gather on rings of `length` nodes, each followed by `next`: in each of `length - 1` steps every node's
  /// neighbour gets the unit that it does not have yet; at first each node's unit is what it owns.
  void all_gather(const Partner& next, std::uint32_t length);

  /// What the steps so far make of a schedule: messages, blocks and block sets.
  Schedule take_schedule() { return std::move(schedule_); }

private:
  static constexpr BlockSetId nothing{~std::uint32_t{0}};

  BlockSetId united(BlockSetId a, BlockSetId b);
  void unite_rings(const Partner& next, std::uint32_t length);
  void send(NodeId from, NodeId to, BlockSetId blocks);

  Schedule schedule_;
  std::uint32_t step_ = 0;
  std::vector<BlockSetId> owned_; ///< by node
  std::unordered_map<std::uint64_t, BlockSetId> unions_;
};

/// Flips bits of one coordinate: the node whose coordinate in `dimension` is that of `node` XOR `bits`.
NodeId flip(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t bits);

/// C_k, the k-th central symmetry mapping: complements bit k-1 of every coordinate (section 5; section 7 in 3-D).
NodeId central_mapping(const Grid& grid, NodeId node, unsigned k);

/// V_k, the k-th vertical symmetry mapping: complements the k lowest bits of y (section 5).
NodeId vertical_mapping(const Grid& grid, NodeId node, unsigned k);

/// H_k, the k-th horizontal symmetry mapping: complements bit k-1 of x (section 5).
NodeId horizontal_mapping(const Grid& grid, NodeId node, unsigned k);

/// The next node on a ring of every `stride`-th of `length` places from `begin` on in `dimension`; after the last comes
/// the first.
NodeId ring_neighbour(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t begin, std::int64_t length,
                      std::int64_t stride);

/// The topology as a mesh or torus. Throws InputError that names the algorithm if it is neither.
const Grid& require_grid(const Topology& topology, std::string_view algorithm);

/// n where `size` is 2^n. Throws InputError that names algorithm and dimension if it is not.
unsigned require_power_of_two(const Grid& grid, std::size_t dimension, std::string_view algorithm);

/// "x", "y", "z", "dimension 4", ...
std::string dimension_name(std::size_t dimension);

} // namespace wormcast
