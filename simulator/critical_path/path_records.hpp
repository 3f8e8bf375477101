#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/contention.hpp"
#include "wormcast/simulator/network.hpp"

#include <span>
#include <vector>

namespace wormcast {

/// What a run must record so that its critical path can be found afterwards.
struct PathRecords {
  struct PortUse {
    Time granted;
    Time released;
  };
  struct Grant {
    MessageId message{};
    Resource resource;
    Time at;
  };

  std::vector<ContentionRecord> waits; ///< by waiting message
  std::vector<PortUse> sender_ports;   ///< by message id: its injection channel
  std::vector<Grant> grants;           ///< by message: all other channels; only with several virtual channels

  std::span<const ContentionRecord> waits_of(MessageId message) const;
  std::span<const Grant> grants_of(MessageId message) const;
};

/// Collects the records of one run. Memory: 16 bytes a message, 72 bytes a wait, and with several virtual channels
/// 24 bytes for each channel of each message.
class PathRecorder {
public:
  PathRecorder(const Schedule& schedule, const NetworkParameters& network);

  void contention(const ContentionRecord& record) { records_.waits.push_back(record); }
  void occupancy(const OccupancyRecord& record);

  /// What was collected, put in order.
  PathRecords take();

private:
  const Schedule& schedule_;
  bool keeps_grants_;
  PathRecords records_;
};

} // namespace wormcast
