#include "algorithms/schedule.hpp"

#include "topologies/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace wormcast {

namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t hash_of(std::span<const BlockRange> ranges)
{
  std::uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a over the ends, a word at a time
  for (const BlockRange range : ranges) {
    hash = (hash ^ ((std::uint64_t{range.begin} << 32) | range.end)) * 0x100000001b3ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

// Sorted, neighbours joined.
std::vector<BlockRange> normalised(std::span<const BlockRange> ranges)
{
  std::vector<BlockRange> sorted(ranges.begin(), ranges.end());
  std::ranges::sort(sorted, {}, &BlockRange::begin);
  std::size_t kept = 0;
  for (const BlockRange range : sorted) {
    if (range.begin >= range.end) {
      throw InputError(fmt::format("the block range [{}, {}) is empty", range.begin, range.end));
    }
    if (kept > 0 && range.begin < sorted[kept - 1].end) {
      throw InputError(fmt::format("block {} is in two ranges of one message", range.begin));
    }
    if (kept > 0 && range.begin == sorted[kept - 1].end) {
      sorted[kept - 1].end = range.end;
    } else {
      sorted[kept++] = range;
    }
  }
  sorted.resize(kept);
  return sorted;
}

} // namespace

std::string_view operation_name(Operation operation)
{
  switch (operation) {
  case Operation::broadcast:
    return "broadcast";
  case Operation::scatter:
    return "scatter";
  case Operation::multinode_broadcast:
    return "multinode_broadcast";
  case Operation::total_exchange:
    return "total_exchange";
  case Operation::none:
    return "none";
  }
  return "";
}

BlockSetId BlockSets::intern(std::span<const BlockRange> given)
{
  const auto in_order = [](BlockRange a, BlockRange b) { return a.begin >= a.end || a.end >= b.begin; };
  const bool normal = std::ranges::adjacent_find(given, in_order) == given.end() && !given.empty() &&
                      given.back().begin < given.back().end;
  std::vector<BlockRange> sorted;
  std::span<const BlockRange> set = given;
  if (!normal) {
    sorted = normalised(given);
    set = sorted;
  }
  const std::uint64_t hash = hash_of(set);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto candidate = begin; candidate != end; ++candidate) {
    if (std::ranges::equal(ranges(candidate->second), set)) {
      return candidate->second;
    }
  }
  const BlockSetId id{count()};
  std::uint64_t size = 0;
  for (const BlockRange range : set) {
    ranges_.push_back(range);
    size += range.end - range.begin;
  }
  first_.push_back(ranges_.size());
  sizes_.push_back(size);
  by_hash_.emplace(hash, id);
  return id;
}

std::span<const BlockRange> BlockSets::ranges(BlockSetId id) const
{
  const auto i = static_cast<std::uint32_t>(id);
  return std::span(ranges_).subspan(first_[i], first_[i + 1] - first_[i]);
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
    if (schedule.operation == Operation::broadcast) {
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
