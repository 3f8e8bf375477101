#include "wormcast/simulator/engines/message_table.hpp"

#include <algorithm>

namespace wormcast {

FlitCounts::FlitCounts(const Schedule& schedule, const NetworkParameters& network)
    : schedule_(schedule), plain_(schedule.operation == Operation::none)
{
  if (plain_) {
    counts_.reserve(schedule.plain.size());
    for (const PlainMessage& message : schedule.plain) {
      counts_.push_back(flit_count(network, message.bytes));
    }
  } else {
    counts_ = block_set_bytes(schedule);
    for (std::uint64_t& count : counts_) {
      count = flit_count(network, count);
    }
  }
  if (!counts_.empty()) {
    largest_ = std::ranges::max(counts_);
  }
}

} // namespace wormcast
