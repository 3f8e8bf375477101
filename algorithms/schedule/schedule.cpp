#include "wormcast/algorithms/schedule/schedule.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::vector<std::uint64_t> block_set_bytes(const Schedule& schedule)
{
  constexpr std::uint64_t limit = std::uint64_t{1} << 62;
  std::vector<std::uint64_t> bytes(schedule.block_sets.count(), 0);
  for (std::uint32_t i = 0; i < bytes.size(); ++i) {
    if (cuts_message(schedule.operation)) {
      for (const BlockRange range : schedule.block_sets.ranges(BlockSetId{i})) {
        bytes[i] += block_bytes(schedule, range);
      }
    } else if (__builtin_mul_overflow(schedule.block_sets.size(BlockSetId{i}), schedule.message_bytes, &bytes[i]) ||
               bytes[i] > limit) {
      throw InputError(fmt::format("a message of {} blocks of {} bytes is larger than 2^62 bytes",
                                   schedule.block_sets.size(BlockSetId{i}), schedule.message_bytes));
    }
  }
  return bytes;
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
