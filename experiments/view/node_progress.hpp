#pragma once

#include "wormcast/experiments/view/viewed_messages.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// The messages of `delivered` that were, in the order of time.
std::vector<MessageId> deliveries_in_order(std::span<const std::optional<Time>> delivered);

/// The progress of each node: the blocks that it has of those that it must hold at the end: blocks of a broadcast, a
/// node's own block in a scatter, blocks for it in a total exchange; in a plain message list, and where messages
/// combine, the messages that it must receive. Memory: one bit per node and block that it must end with.
class NodeProgress {
public:
  NodeProgress(const Schedule& schedule, std::uint32_t node_count);

  /// Whether progress is counted in messages instead of blocks.
  static bool counts_messages(Operation operation) { return operation == Operation::none || combines(operation); }

  /// Returns the number of blocks that `node` must hold at the end.
  std::uint64_t wanted(NodeId node) const { return wanted_[index(node)]; }
  /// Returns the number that it has so far.
  std::uint64_t held(NodeId node) const { return held_[index(node)]; }

  /// Adds the blocks of the message to its receiver. Cost O(ranges of its block set + words of bits under them).
  void deliver(MessageId message);

private:
  void receive_range(std::uint32_t node, std::uint64_t begin, std::uint64_t end);
  void receive(std::uint32_t node, BlockRange range);
  void receive_own_blocks(std::uint32_t node, BlockRange range);

  const Schedule& schedule_;
  std::uint64_t node_count_;
  std::uint64_t words_ = 0; ///< of bits_ per node
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> held_;
  std::vector<std::uint64_t> wanted_;
};

/// The same of all operations that are shown, added up.
class ViewedProgress {
public:
  /// `messages` must outlive it.
  ViewedProgress(const ViewedMessages& messages, std::uint32_t node_count);

  std::uint64_t wanted(NodeId node) const;
  std::uint64_t held(NodeId node) const;
  /// A message of one of the operations arrives.
  void deliver(MessageId own);

private:
  const ViewedMessages& messages_;
  std::vector<NodeProgress> operations_;
};

} // namespace wormcast
