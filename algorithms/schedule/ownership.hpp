#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/values/work_watch.hpp"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace wormcast {

/// The message exchange operations of Zhuang & Liberatore, section 3.1, on the nodes of a network, with the blocks that
/// each node *logically* owns: a node that transferred blocks away does not own them any more, although it still has
/// them (docs/papers/zhuang_liberatore.md explains why this matters). Each operation appends one step, or several, to a
/// schedule; its messages are ordered by sender.
class Ownership {
public:
  /// Returns a node's partner; a node that is its own partner takes no part.
  using Partner = std::function<NodeId(NodeId)>;

  /// The source owns all `blocks` blocks.
  Ownership(std::uint32_t node_count, NodeId source, std::uint64_t blocks);

  /// Transfer: every owner sends the upper half of its blocks, one range of even length, to its partner, and retains
  /// the lower half. One step.
  void transfer(const Partner& partner);

  /// Transfer of unequal parts: an owner retains the lowest kept(node) of its blocks. One step.
  void transfer(const Partner& partner, const std::function<std::uint64_t(NodeId)>& kept);

  /// Sharing: every owner sends all that it owned at the start of the step to its partner; if both own something this
  /// is an exchange, else a copy. One step.
  void share(const Partner& partner);

  /// Sharing in several steps: the blocks owned at the start of all of them go to the partner, in step i from the nodes
  /// with turn(node) == i.
  void share_in_turns(const Partner& partner, std::uint32_t turns, const std::function<std::uint32_t(NodeId)>& turn);

  /// Ring all-gather on rings of `length` nodes, each followed by `next`: in each of `length - 1` steps every node's
  /// neighbour receives the unit that it does not have yet; at first each node's unit is its owned blocks.
  void all_gather(const Partner& next, std::uint32_t length);

  /// A send of `relay`: the blocks that `owner` owned at the start of the round go from one node to another.
  struct Relay {
    NodeId from{};
    NodeId to{};
    NodeId owner{};
  };

  /// A round of sends that relay units, where a unit is the blocks that a node owned at the start: one step for each of
  /// `steps`. A node that receives a unit owns it as well.
  void relay(std::vector<std::vector<Relay>> steps);

  /// Returns the messages, blocks and block sets of all steps so far as a schedule.
  Schedule take_schedule() { return std::move(schedule_); }

private:
  static constexpr BlockSetId nothing{~std::uint32_t{0}};

  BlockSetId united(BlockSetId a, BlockSetId b);
  void unite_rings(const Partner& next, std::uint32_t length);
  void send(NodeId from, NodeId to, BlockSetId blocks);

  Schedule schedule_;
  std::uint32_t step_ = 0;
  std::vector<BlockSetId> owned_; ///< by node
  WorkSteps steps_;
  std::unordered_map<std::uint64_t, BlockSetId> unions_;
};

} // namespace wormcast
