#include "wormcast/algorithms/schedule/schedule.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace wormcast {

namespace {

__extension__ using Wide = unsigned __int128;

} // namespace

void check_destinations(std::span<const std::int64_t> destinations, NodeId source, std::uint32_t node_count)
{
  if (destinations.empty()) {
    throw InputError("a multicast needs at least one destination");
  }
  std::vector<bool> seen(node_count, false);
  for (const std::int64_t node : destinations) {
    if (node < 0 || node >= node_count) {
      throw InputError(fmt::format("there is no node {}, expected destinations from 0 to {}", node, node_count - 1));
    }
    if (node == index(source)) {
      throw InputError(fmt::format("node {} is the source and cannot be a destination", node));
    }
    if (seen[static_cast<std::size_t>(node)]) {
      throw InputError(fmt::format("the destination {} occurs twice", node));
    }
    seen[static_cast<std::size_t>(node)] = true;
  }
}

std::uint64_t block_bytes(const Schedule& schedule, BlockRange range)
{
  const auto cut = [&](std::uint64_t block) {
    return static_cast<std::uint64_t>(static_cast<Wide>(block) * schedule.message_bytes / schedule.blocks);
  };
  return cut(range.end) - cut(range.begin);
}

std::vector<BlockRange> blocks_of_node(const Schedule& schedule, NodeId node)
{
  const auto nodes = static_cast<std::uint32_t>(schedule.blocks / schedule.blocks_per_node);
  std::vector<BlockRange> ranges;
  for (std::uint32_t block = index(node); block < schedule.blocks; block += nodes) {
    ranges.push_back({block, block + 1});
  }
  return ranges;
}

std::uint64_t parts_of_message(const Schedule& schedule)
{
  return cuts_message(schedule.operation) ? schedule.blocks : schedule.blocks_per_node;
}

namespace {

// Of operations that cut their message. Where all blocks are equally large their number decides; else the places of the
// cuts are worked out once where the sets have more ranges than there are cuts, as a division takes long.
std::vector<std::uint64_t> bytes_of_cut_message(const Schedule& schedule)
{
  const BlockSets& sets = schedule.block_sets;
  std::vector<std::uint64_t> bytes(sets.count(), 0);
  const bool equal_blocks = schedule.message_bytes % schedule.blocks == 0;
  std::uint64_t ranges = 0;
  for (std::uint32_t i = 0; !equal_blocks && i < bytes.size(); ++i) {
    ranges += sets.range_count(BlockSetId{i});
  }
  std::vector<std::uint64_t> cuts;
  if (ranges > schedule.blocks) {
    for (std::uint64_t block = 0; block <= schedule.blocks; ++block) {
      cuts.push_back(block_bytes(schedule, {0, static_cast<std::uint32_t>(block)}));
    }
  }
  for (std::uint32_t i = 0; i < bytes.size(); ++i) {
    if (equal_blocks) {
      bytes[i] = sets.size(BlockSetId{i}) * (schedule.message_bytes / schedule.blocks);
      continue;
    }
    for (const BlockRange range : sets.ranges(BlockSetId{i})) {
      bytes[i] += cuts.empty() ? block_bytes(schedule, range) : cuts[range.end] - cuts[range.begin];
    }
  }
  return bytes;
}

// Of operations in which each node's message is cut into blocks_per_node blocks.
std::uint64_t shared_bytes(const Schedule& schedule, const BlockRanges& ranges)
{
  const std::uint64_t nodes = schedule.blocks / schedule.blocks_per_node;
  const auto cut = [&](std::uint64_t part) {
    return static_cast<std::uint64_t>(static_cast<Wide>(part) * schedule.message_bytes / schedule.blocks_per_node);
  };
  std::uint64_t bytes = 0;
  for (const BlockRange range : ranges) {
    for (std::uint64_t part = range.begin / nodes; part * nodes < range.end; ++part) {
      const std::uint64_t blocks =
          std::min<std::uint64_t>(range.end, (part + 1) * nodes) - std::max<std::uint64_t>(range.begin, part * nodes);
      std::uint64_t product = 0;
      if (__builtin_mul_overflow(blocks, cut(part + 1) - cut(part), &product) ||
          __builtin_add_overflow(bytes, product, &bytes)) {
        return std::numeric_limits<std::uint64_t>::max();
      }
    }
  }
  return bytes;
}

} // namespace

std::vector<std::uint64_t> block_set_bytes(const Schedule& schedule)
{
  constexpr std::uint64_t limit = std::uint64_t{1} << 62;
  if (cuts_message(schedule.operation)) {
    return bytes_of_cut_message(schedule);
  }
  std::vector<std::uint64_t> bytes(schedule.block_sets.count(), 0);
  for (std::uint32_t i = 0; i < bytes.size(); ++i) {
    if (schedule.blocks_per_node > 1) {
      bytes[i] = shared_bytes(schedule, schedule.block_sets.ranges(BlockSetId{i}));
      if (bytes[i] > limit) {
        throw InputError(
            fmt::format("a message of {} blocks is larger than 2^62 bytes", schedule.block_sets.size(BlockSetId{i})));
      }
    } else if (__builtin_mul_overflow(schedule.block_sets.size(BlockSetId{i}), schedule.message_bytes, &bytes[i]) ||
               bytes[i] > limit) {
      throw InputError(fmt::format("a message of {} blocks of {} bytes is larger than 2^62 bytes",
                                   schedule.block_sets.size(BlockSetId{i}), schedule.message_bytes));
    }
  }
  return bytes;
}

std::uint64_t count_without_blocks(const Schedule& schedule)
{
  if (schedule.operation == Operation::none) {
    return 0;
  }
  return static_cast<std::uint64_t>(std::ranges::count_if(
      schedule.messages, [&](const Message& message) { return schedule.block_sets.size(message.blocks) == 0; }));
}

std::uint32_t step_count(const Schedule& schedule)
{
  std::uint32_t steps = 0;
  for (const Message& message : schedule.messages) {
    steps = std::max(steps, message.step + 1);
  }
  return steps;
}

StepOrder order_by_step(const Schedule& schedule)
{
  StepOrder result;
  result.offsets.assign(std::size_t{step_count(schedule)} + 1, 0);
  for (const Message& message : schedule.messages) {
    ++result.offsets[message.step + 1];
  }
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  std::vector<std::size_t> place = result.offsets;
  result.order.resize(schedule.messages.size());
  for (std::uint32_t i = 0; i < schedule.messages.size(); ++i) {
    result.order[place[schedule.messages[i].step]++] = MessageId{i};
  }
  return result;
}

} // namespace wormcast
