#include "wormcast/algorithms/verifier/possession.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

constexpr std::uint64_t memory_limit = std::uint64_t{1} << 36; // bytes

} // namespace

std::vector<BlockRange> blocks_at_start(const Schedule& schedule, NodeId node, std::uint32_t node_count)
{
  const BlockRange all = {0, static_cast<std::uint32_t>(schedule.blocks)};
  switch (schedule.operation) {
  case Operation::broadcast:
  case Operation::multicast:
  case Operation::scatter:
    return node == schedule.source ? std::vector{all} : std::vector<BlockRange>();
  case Operation::multinode_broadcast:
  case Operation::gather:
    return blocks_of_node(schedule, node);
  case Operation::total_exchange:
    return {{index(node) * node_count, (index(node) + 1) * node_count}};
  case Operation::reduce:
  case Operation::reduce_scatter:
  case Operation::all_reduce:
  case Operation::barrier:
    return {all};
  case Operation::none:
    break;
  }
  return {};
}

std::vector<BlockRange> wanted_blocks(const Schedule& schedule, NodeId node, std::uint32_t node_count)
{
  const BlockRange all = {0, static_cast<std::uint32_t>(schedule.blocks)};
  switch (schedule.operation) {
  case Operation::broadcast:
  case Operation::multicast:
  case Operation::multinode_broadcast:
    return {all};
  case Operation::gather:
    return node == schedule.source ? std::vector{all} : std::vector<BlockRange>();
  case Operation::scatter:
    return blocks_of_node(schedule, node);
  case Operation::total_exchange: {
    std::vector<BlockRange> wanted(node_count);
    for (std::uint32_t sender = 0; sender < node_count; ++sender) {
      wanted[sender] = {sender * node_count + index(node), sender * node_count + index(node) + 1};
    }
    return wanted;
  }
  default:
    return {};
  }
}

Possession::Possession(const Schedule& schedule, std::uint32_t node_count) : sets_(schedule.block_sets)
{
  if (schedule.operation == Operation::none || combines(schedule.operation)) {
    return;
  }
  words_ = (schedule.blocks + 63) / 64;
  if (words_ > memory_limit / 8 / node_count) {
    throw InputError(fmt::format("{} nodes times {} blocks are too many to keep account of (limit: {})", node_count,
                                 schedule.blocks, format_bytes(memory_limit)));
  }
  reserve_memory(words_ * node_count * 8,
                 fmt::format("the account of {} blocks at {} nodes, a bit for each,", schedule.blocks, node_count));
  bits_.resize(words_ * node_count);
  for (std::uint32_t node = 0; node < node_count; ++node) {
    add(NodeId{node}, blocks_at_start(schedule, NodeId{node}, node_count));
  }
}

bool Possession::holds(NodeId node, std::span<const BlockRange> ranges) const
{
  const std::span<const std::uint64_t> held = bits(node);
  for (const BlockRange range : ranges) {
    steps_.add(1 + (range.end - range.begin) / 64);
    if (!for_each_word(range, [&](std::size_t word, std::uint64_t mask) { return (held[word] & mask) == mask; })) {
      return false;
    }
  }
  return true;
}

void Possession::add(NodeId node, std::span<const BlockRange> ranges)
{
  const std::span<std::uint64_t> held = bits(node);
  for (const BlockRange range : ranges) {
    steps_.add(1 + (range.end - range.begin) / 64);
    for_each_word(range, [&](std::size_t word, std::uint64_t mask) {
      held[word] |= mask;
      return true;
    });
  }
}

bool Possession::holds(NodeId node, BlockSetId set) const
{
  const BlockBits wanted = sets_.bits(set);
  if (wanted.words.empty()) {
    return holds(node, sets_.ranges(set));
  }
  steps_.add(wanted.words.size());
  const std::span<const std::uint64_t> held = bits(node).subspan(wanted.first_word);
  for (std::size_t word = 0; word < wanted.words.size(); ++word) {
    if ((wanted.words[word] & ~held[word]) != 0) {
      return false;
    }
  }
  return true;
}

void Possession::add(NodeId node, BlockSetId set)
{
  const BlockBits brought = sets_.bits(set);
  if (brought.words.empty()) {
    add(node, sets_.ranges(set));
    return;
  }
  steps_.add(brought.words.size());
  const std::span<std::uint64_t> held = bits(node).subspan(brought.first_word);
  for (std::size_t word = 0; word < brought.words.size(); ++word) {
    held[word] |= brought.words[word];
  }
}

} // namespace wormcast
