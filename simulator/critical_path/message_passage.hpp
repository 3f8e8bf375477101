#pragma once

#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/model/network.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// One channel of a message's path as its header met it: 0 the injection channel, then the external ones, then the
/// ejection channel.
struct HeaderStage {
  Time asked;
  Time granted;
  Time started;                             ///< h_i of docs/network-model.md
  const ContentionRecord* wait = nullptr;   ///< none: granted when asked
  const ContentionRecord* shared = nullptr; ///< what its flits lost to others on the physical channel; none: nothing
};

/// The passage of one delivered message through the network.
struct MessagePassage {
  std::vector<ChannelId> route;    ///< external channels
  std::vector<HeaderStage> stages; ///< one for each of route, and two
  std::uint64_t flits = 0;
  Time delivered;
  Time port_released;
};

/// Times of a message's header, from the records of its waits; with several virtual channels, where a header that has
/// its channel can still wait for its turn, also from the times of the grants. `route` holds its external channels.
/// Throws std::logic_error where the records are not those of a finished run.
MessagePassage message_passage(const Message& message, MessageId id, std::vector<ChannelId> route, std::uint64_t flits,
                               Time delivered, const NetworkParameters& network, const PathRecords& records);

/// The segments from the moment at which the message asks for its port to its delivery, or with `until_port_free` to
/// the release of its injection channel. They leave no gap, and none is empty. Cost O(hops), and O(flits * hops) where
/// closed_form_holds(network) is false.
std::vector<PathSegment> passage_segments(const MessagePassage& passage, bool until_port_free,
                                          const NetworkParameters& network);

} // namespace wormcast
