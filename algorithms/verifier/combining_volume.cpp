#include "wormcast/algorithms/verifier/combining_volume.hpp"

#include "wormcast/algorithms/verifier/possession.hpp"

#include <algorithm>
#include <bit>

namespace wormcast {

namespace {

// Blocks of `ranges` that are not among `held`, a node's bits.
std::uint64_t new_blocks(std::span<const std::uint64_t> held, std::span<const BlockRange> ranges)
{
  std::uint64_t count = 0;
  for (const BlockRange range : ranges) {
    const std::size_t last = (range.end - 1) / 64;
    for (std::size_t word = range.begin / 64; word <= last; ++word) {
      std::uint64_t lacking = ~held[word];
      if (word == range.begin / 64) {
        lacking &= ~std::uint64_t{0} << (range.begin % 64);
      }
      if (word == last) {
        lacking &= ~std::uint64_t{0} >> (63 - (range.end - 1) % 64);
      }
      count += static_cast<std::uint64_t>(std::popcount(lacking));
    }
  }
  return count;
}

} // namespace

CombiningVolume combining_volume(const Schedule& schedule, std::uint32_t node_count)
{
  CombiningVolume volume;
  if (schedule.operation == Operation::none) {
    return volume;
  }
  Possession possession(schedule, node_count);
  const StepOrder steps = order_by_step(schedule);
  volume.largest_new.assign(steps.offsets.size() - 1, 0);
  for (std::size_t step = 0; step + 1 < steps.offsets.size(); ++step) {
    const std::span messages =
        std::span(steps.order).subspan(steps.offsets[step], steps.offsets[step + 1] - steps.offsets[step]);
    for (const MessageId id : messages) {
      const Message& message = schedule.messages[index(id)];
      const std::uint64_t count =
          new_blocks(possession.bits(message.destination), schedule.block_sets.ranges(message.blocks));
      volume.largest_new[step] = std::max(volume.largest_new[step], count);
      volume.total_new += count;
    }
    for (const MessageId id : messages) {
      const Message& message = schedule.messages[index(id)];
      possession.add(message.destination, message.blocks);
    }
    volume.unit_time += volume.largest_new[step];
  }
  return volume;
}

} // namespace wormcast
