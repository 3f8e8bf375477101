#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/network.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// The number of flits of each message of a schedule, and how short its last one is, by message id. The schedule must
/// outlive this object.
class FlitCounts {
public:
  /// Throws InputError if the flits of a message take longer than 2^61 ps on a channel.
  FlitCounts(const Schedule& schedule, const NetworkParameters& network);

  std::uint64_t operator[](MessageId message) const
  {
    return plain_ ? flit_count(network_, schedule_.plain[index(message)].bytes)
                  : counts_[static_cast<std::uint32_t>(schedule_.messages[index(message)].blocks)];
  }

  /// Returns last_flit_shortfall() of the message.
  std::int64_t shortfall(MessageId message) const
  {
    return plain_                ? last_flit_shortfall(network_, schedule_.plain[index(message)].bytes)
           : shortfalls_.empty() ? 0
                                 : shortfalls_[static_cast<std::uint32_t>(schedule_.messages[index(message)].blocks)];
  }

private:
  const Schedule& schedule_;
  NetworkParameters network_;
  bool plain_;
  std::vector<std::uint64_t> counts_;    ///< by block set; empty for a plain list
  std::vector<std::int64_t> shortfalls_; ///< the same; empty where the last flit is padded
};

} // namespace wormcast
