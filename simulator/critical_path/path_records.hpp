#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// The position of a schedule in a run that can have other messages.
struct ScheduleInRun {
  std::uint32_t first = 0; ///< number of its message 0
  Time start = {};         ///< its start

  MessageId in_run(MessageId message) const { return MessageId{first + index(message)}; }
};

/// The records that the critical path of a schedule needs. Times count from the schedule's start, and messages have
/// their ids in the schedule, except those that hold channels.
struct PathRecords {
  struct PortUse {
    Time granted;
    Time released;
    ChannelId channel{}; ///< with all ports the external channel to which the injection channel belongs
  };
  struct Grant {
    MessageId message{};
    Resource resource;
    Time at;
  };

  std::vector<ContentionRecord> waits; ///< by waiting message
  std::vector<PortUse> sender_ports;   ///< by message id: its injection channel
  std::vector<Grant> grants;           ///< by message: all other channels; only with several virtual channels, and
                                       ///< where headers choose their routes
  ScheduleInRun position;

  std::span<const ContentionRecord> waits_of(MessageId message) const;
  std::span<const Grant> grants_of(MessageId message) const;
};

/// Collects the records of one schedule's messages. Memory: 24 bytes a message, 72 bytes a wait, and with several
/// virtual channels or headers that choose 24 bytes for each channel of each message.
class PathRecorder {
public:
  PathRecorder(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
               ScheduleInRun position = {});

  /// Adds a record of the run; records of other messages are ignored.
  void contention(const ContentionRecord& record);
  void occupancy(const OccupancyRecord& record);

  /// Returns the collected records, sorted.
  PathRecords finish();

private:
  // Returns the id in the schedule; none: the message belongs to another schedule.
  std::optional<MessageId> own(MessageId in_run) const;

  const Schedule& schedule_;
  bool keeps_grants_;
  PathRecords records_;
};

} // namespace wormcast
