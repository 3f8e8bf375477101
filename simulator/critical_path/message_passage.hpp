#pragma once

#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// The passage of a header over one channel of its path: 0 the injection channel, then the external ones, then the
/// ejection channel.
struct HeaderStage {
  Time asked;
  Time granted;
  Time started; ///< h_i of docs/network-model.md
  Time flit;    ///< tau of the channel
  Time hop;     ///< T_f of the channel; 0 for a port
  Time latency; ///< from the start of a flit to its arrival at the next channel, which can be longer than `hop`
  const ContentionRecord* wait = nullptr; ///< none: granted at once
  const ContentionRecord* shared =
      nullptr; ///< the time that its flits lost to others on the physical channel; none: nothing
};

/// The passage of one delivered message through the network.
struct MessagePassage {
  std::vector<ChannelId> route;    ///< external channels
  std::vector<HeaderStage> stages; ///< one for each of route, and two
  std::uint64_t flits = 0;
  Time shortfall; ///< by which the last flit is shorter than tau
  Time delivered;
  Time port_released;
};

/// Computes the times of a message's header from the records of its waits; with several virtual channels, where a
/// header that has its channel can still wait for the physical channel, also from the times of the grants. `route` is
/// the list of its external channels, `shortfall` the time by which its last flit is shorter than tau. Throws
/// std::logic_error if the records are not those of a finished run.
MessagePassage message_passage(const Topology& topology, const Message& message, MessageId id,
                               std::vector<ChannelId> route, std::uint64_t flits, Time shortfall, Time delivered,
                               const NetworkParameters& network, const PathRecords& records);

/// Returns the segments from the request for the port to the delivery, or with `until_port_free` to the release of the
/// injection channel. They leave no gap, and none is empty. Cost O(hops), and O(flits * hops) if
/// closed_form_holds(network) is false.
std::vector<PathSegment> passage_segments(const MessagePassage& passage, bool until_port_free,
                                          const NetworkParameters& network);

} // namespace wormcast
