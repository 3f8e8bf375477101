#include "wormcast/simulator/model/flit_counts.hpp"

#include <algorithm>

namespace wormcast {

FlitCounts::FlitCounts(const Schedule& schedule, const NetworkParameters& network)
    : schedule_(schedule), network_(network), plain_(schedule.operation == Operation::none)
{
  check_flit_time(network);
  std::uint64_t largest = 1;
  if (plain_) {
    for (const PlainMessage& message : schedule.plain) {
      largest = std::max(largest, flit_count(network, message.bytes));
    }
  } else {
    counts_ = block_set_bytes(schedule);
    if (network.last_flit == LastFlit::exact) {
      for (const std::uint64_t bytes : counts_) {
        shortfalls_.push_back(last_flit_shortfall(network, bytes));
      }
    }
    for (std::uint64_t& count : counts_) {
      count = flit_count(network, count);
      largest = std::max(largest, count);
    }
  }
  transfer_time(network, largest);
}

} // namespace wormcast
