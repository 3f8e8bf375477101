#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/values/work_watch.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// What `node` holds before the first message: where all starts at the source, the source everything; multinode
/// broadcast, node v the blocks b with b mod N = v; gather, node v block v; total exchange, node u blocks
/// u*N .. u*N+N-1; reductions and barrier, all its own contribution, every block. No range for all others and for a
/// plain message list.
std::vector<BlockRange> blocks_at_start(const Schedule& schedule, NodeId node, std::uint32_t node_count);

/// Returns the blocks that `node` must hold at the end: broadcast and multinode broadcast all; gather all, at the
/// source; scatter block v at node v; total exchange block u*N + v of every u at node v; multicast all, if it is one of
/// the destinations. Empty for all others.
std::vector<BlockRange> wanted_blocks(const Schedule& schedule, NodeId node, std::uint32_t node_count);

/// The blocks of `ranges` that are among those of wanted(word), which returns bits as the words of Possession::bits();
/// neighbours joined. Ranges are in ascending order.
template <typename Wanted> std::vector<BlockRange> blocks_where(std::span<const BlockRange> ranges, Wanted&& wanted)
{
  std::vector<BlockRange> found;
  for (const BlockRange range : ranges) {
    for_each_word(range, [&](std::uint32_t word, std::uint64_t mask) {
      append_blocks(word, wanted(word) & mask, found);
      return true;
    });
  }
  return found;
}

/// The same of a set.
template <typename Wanted> std::vector<BlockRange> blocks_where(const BlockSets& sets, BlockSetId set, Wanted&& wanted)
{
  const BlockBits bits = sets.bits(set);
  if (bits.words.empty()) {
    return blocks_where(sets.ranges(set), wanted);
  }
  std::vector<BlockRange> found;
  for (std::size_t i = 0; i < bits.words.size(); ++i) {
    const std::uint32_t word = bits.first_word + static_cast<std::uint32_t>(i);
    append_blocks(word, wanted(word) & bits.words[i], found);
  }
  return found;
}

/// The blocks of each node: one bit per node and block. Empty for operations that combine, in which every node has a
/// contribution to every block (see Contributions).
class Possession {
public:
  /// The blocks at the start. Throws InputError if the bits exceed the memory limit of 2^36 bytes.
  Possession(const Schedule& schedule, std::uint32_t node_count);

  bool holds(NodeId node, std::span<const BlockRange> ranges) const;
  void add(NodeId node, std::span<const BlockRange> ranges);

  /// The same for a set of the schedule. Cost O(min(ranges, blocks / 64)).
  bool holds(NodeId node, BlockSetId set) const;
  void add(NodeId node, BlockSetId set);

  /// The bits of a node: block b is bit b % 64 of word b / 64.
  std::span<const std::uint64_t> bits(NodeId node) const
  {
    return std::span(bits_).subspan(index(node) * words_, words_);
  }
  std::span<std::uint64_t> bits(NodeId node) { return std::span(bits_).subspan(index(node) * words_, words_); }

private:
  const BlockSets& sets_;
  std::size_t words_ = 0; ///< per node
  std::vector<std::uint64_t> bits_;
  mutable WorkSteps steps_; ///< counted by questions, too
};

} // namespace wormcast
