#pragma once

#include "wormcast/simulator/engines/wormhole/arbiter.hpp"
#include "wormcast/simulator/engines/wormhole/route_table.hpp"
#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// Finds the messages of a batch that share no external channel and no port with another message of it. Where these are
/// all messages in the network until the last of them is delivered (MessageSource::waits_for_deliveries), such a
/// message never waits, and its delivery is known at once. Cost: O(1) for each channel of each route. Memory: 4 bytes
/// for each channel and port, 16 for each message of a batch.
class LoneMessages {
public:
  /// A message of the batch.
  struct Way {
    std::int64_t crossing = 0; ///< T_f of all its links (picoseconds), at most largest_time
    std::uint32_t hops = 0;
    bool alone = true;
  };

  explicit LoneMessages(std::uint32_t channels) : channels_(channels) {}

  /// Returns the ways of the messages, valid until the next call.
  std::span<const Way> find(std::span<const NewMessage> batch, RouteTable& routes, const Arbiter& arbiter,
                            const ChannelTimes& times);

  /// Returns whether a search pays, which costs as much as it saves where few messages are found. Call it once for each
  /// batch: after a batch with few, the next ones are not searched.
  bool is_worthwhile()
  {
    if (skipped_ == 0) {
      return true;
    }
    --skipped_;
    return false;
  }

private:
  static constexpr std::uint32_t batches_to_skip = 7;

  // The message uses a channel, or a port, whose numbers begin behind those of the channels.
  void use(std::uint32_t resource, std::uint32_t message)
  {
    std::uint32_t& user = last_user_[resource];
    if (user > before_) {
      ways_[user - before_ - 1].alone = false;
      ways_[message].alone = false;
    }
    user = before_ + 1 + message;
  }

  std::uint32_t channels_;
  std::vector<std::uint32_t> last_user_; // by channel and port: the number of its last user in all batches, from 1 on
  std::uint32_t before_ = 0;             // users of all earlier batches
  std::vector<Way> ways_;
  std::uint32_t skipped_ = 0; // batches that will not be searched
};

} // namespace wormcast
