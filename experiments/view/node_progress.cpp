#include "wormcast/experiments/view/node_progress.hpp"

#include "wormcast/algorithms/verifier/possession.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace wormcast {

namespace {

// How many different blocks a node may have to end with.
std::uint64_t most_wanted(const Schedule& schedule, std::uint64_t node_count)
{
  if (NodeProgress::counts_messages(schedule.operation)) {
    return 0;
  }
  return schedule.operation == Operation::scatter          ? schedule.blocks_per_node
         : schedule.operation == Operation::total_exchange ? node_count
                                                           : schedule.blocks;
}

std::vector<std::uint64_t> wanted_by_nodes(const Schedule& schedule, std::uint32_t node_count)
{
  std::vector<std::uint64_t> wanted(node_count, most_wanted(schedule, node_count));
  if (NodeProgress::counts_messages(schedule.operation)) {
    for (const Message& message : schedule.messages) {
      ++wanted[index(message.destination)];
    }
  } else if (schedule.operation == Operation::multicast) {
    wanted.assign(node_count, 0);
    for (const NodeId node : schedule.destinations) {
      wanted[index(node)] = schedule.blocks;
    }
    wanted[index(schedule.source)] = schedule.blocks;
  } else if (schedule.operation == Operation::gather) {
    wanted.assign(node_count, schedule.blocks_per_node);
    wanted[index(schedule.source)] = schedule.blocks;
  }
  return wanted;
}

} // namespace

std::vector<MessageId> deliveries_in_order(std::span<const std::optional<Time>> delivered)
{
  std::vector<MessageId> order;
  for (std::uint32_t id = 0; id < delivered.size(); ++id) {
    if (delivered[id]) {
      order.push_back(MessageId{id});
    }
  }
  std::ranges::stable_sort(order, {}, [&](MessageId id) { return *delivered[index(id)]; });
  return order;
}

NodeProgress::NodeProgress(const Schedule& schedule, std::uint32_t node_count)
    : schedule_(schedule), node_count_(node_count), words_((most_wanted(schedule, node_count) + 63) / 64),
      bits_(words_ * node_count), held_(node_count), wanted_(wanted_by_nodes(schedule, node_count))
{
  if (counts_messages(schedule.operation)) {
    return;
  }
  for (std::uint32_t node = 0; node < node_count; ++node) {
    for (const BlockRange range : blocks_at_start(schedule, NodeId{node}, node_count)) {
      receive(node, range);
    }
  }
}

void NodeProgress::deliver(MessageId id)
{
  const Message& message = schedule_.messages[index(id)];
  const std::uint32_t node = index(message.destination);
  if (counts_messages(schedule_.operation)) {
    ++held_[node];
    return;
  }
  for (const BlockRange range : schedule_.block_sets.ranges(message.blocks)) {
    receive(node, range);
  }
}

void NodeProgress::receive(std::uint32_t node, BlockRange range)
{
  if (schedule_.operation == Operation::scatter || schedule_.operation == Operation::total_exchange) {
    receive_own_blocks(node, range);
  } else {
    receive_range(node, range.begin, range.end);
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
    held_[node] = std::min(held_[node] + static_cast<std::uint64_t>(std::popcount(mask & ~word)), wanted_[node]);
    word |= mask;
    begin += count;
  }
}

ViewedProgress::ViewedProgress(const ViewedMessages& messages, std::uint32_t node_count) : messages_(messages)
{
  for (const auto& schedule : messages.operations()) {
    operations_.emplace_back(*schedule, node_count);
  }
}

std::uint64_t ViewedProgress::wanted(NodeId node) const
{
  return std::accumulate(operations_.begin(), operations_.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, const NodeProgress& one) { return sum + one.wanted(node); });
}

std::uint64_t ViewedProgress::held(NodeId node) const
{
  return std::accumulate(operations_.begin(), operations_.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, const NodeProgress& one) { return sum + one.held(node); });
}

void ViewedProgress::deliver(MessageId own)
{
  const auto [operation, message] = messages_.place(own);
  operations_[operation].deliver(message);
}

} // namespace wormcast
