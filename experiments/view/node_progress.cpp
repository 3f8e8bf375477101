#include "wormcast/experiments/view/node_progress.hpp"

#include <algorithm>
#include <bit>

namespace wormcast {

namespace {

std::uint64_t wanted_blocks(const Schedule& schedule, std::uint64_t node_count)
{
  switch (schedule.operation) {
  case Operation::broadcast:
    return schedule.blocks;
  case Operation::scatter:
    return 1;
  case Operation::multinode_broadcast:
  case Operation::total_exchange:
    return node_count;
  case Operation::none:
    return 0;
  }
  return 0;
}

} // namespace

NodeProgress::NodeProgress(const Schedule& schedule, std::uint32_t node_count)
    : schedule_(schedule), node_count_(node_count), wanted_blocks_(wanted_blocks(schedule, node_count)),
      words_((wanted_blocks_ + 63) / 64), bits_(words_ * node_count), held_(node_count)
{
  switch (schedule.operation) {
  case Operation::broadcast:
  case Operation::scatter:
    receive_range(index(schedule.source), 0, wanted_blocks_);
    break;
  case Operation::multinode_broadcast:
  case Operation::total_exchange:
    for (std::uint32_t node = 0; node < node_count; ++node) {
      receive_range(node, node, node + 1);
    }
    break;
  case Operation::none:
    expected_messages_.resize(node_count);
    for (const Message& message : schedule.messages) {
      ++expected_messages_[index(message.destination)];
    }
    break;
  }
}

std::uint64_t NodeProgress::wanted(NodeId node) const
{
  return expected_messages_.empty() ? wanted_blocks_ : expected_messages_[index(node)];
}

void NodeProgress::deliver(MessageId id)
{
  const Message& message = schedule_.messages[index(id)];
  const std::uint32_t node = index(message.destination);
  if (schedule_.operation == Operation::none) {
    ++held_[node];
    return;
  }
  for (const BlockRange range : schedule_.block_sets.ranges(message.blocks)) {
    if (schedule_.operation == Operation::scatter || schedule_.operation == Operation::total_exchange) {
      receive_own_blocks(node, range);
    } else {
      receive_range(node, range.begin, range.end);
    }
  }
}

// Of a range of a scatter's or total exchange's blocks those for `node`: every node_count-th, counted by their sources.
void NodeProgress::receive_own_blocks(std::uint32_t node, BlockRange range)
{
  const std::uint64_t first = (range.begin + node_count_ - 1 - node) / node_count_;
  const std::uint64_t end = (range.end + node_count_ - 1 - node) / node_count_;
  receive_range(node, first, end);
}

void NodeProgress::receive_range(std::uint32_t node, std::uint64_t begin, std::uint64_t end)
{
  while (begin < end) {
    const std::uint64_t offset = begin % 64;
    const std::uint64_t count = std::min(end - begin, 64 - offset);
    const std::uint64_t mask = (~std::uint64_t{0} >> (64 - count)) << offset;
    std::uint64_t& word = bits_[node * words_ + begin / 64];
    held_[node] += static_cast<std::uint64_t>(std::popcount(mask & ~word));
    word |= mask;
    begin += count;
  }
}

} // namespace wormcast
