#include "wormcast/algorithms/collective/news_only.hpp"

#include <utility>
#include <vector>

namespace wormcast {

Schedule same_operation(const Schedule& schedule)
{
  Schedule copy;
  copy.topology = schedule.topology;
  copy.routing = schedule.routing;
  copy.ports = schedule.ports;
  copy.duplex = schedule.duplex;
  copy.operation = schedule.operation;
  copy.source = schedule.source;
  copy.destinations = schedule.destinations;
  copy.blocks = schedule.blocks;
  copy.blocks_per_node = schedule.blocks_per_node;
  copy.message_bytes = schedule.message_bytes;
  return copy;
}

std::vector<BlockRange> news_in(const BlockSets& sets, BlockSetId set, std::span<const std::uint64_t> held)
{
  const BlockRanges ranges = sets.ranges(set);
  return blocks_where(ranges, [&](std::uint32_t block) { return !has_block(held, block); });
}

NewsOnly::NewsOnly(const Schedule& schedule, Possession held) : schedule_(schedule), held_(std::move(held)) {}

void NewsOnly::append(MessageId id, Schedule& result)
{
  const Message& message = schedule_.messages[index(id)];
  const std::vector<BlockRange> news =
      news_in(schedule_.block_sets, message.blocks, std::as_const(held_).bits(message.destination));
  if (!news.empty()) {
    held_.add(message.destination, news);
    result.messages.push_back(message);
    result.messages.back().blocks = result.block_sets.intern(news);
  }
}

} // namespace wormcast
