#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/values/work_progress.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace wormcast {

/// Callbacks for the records of a run, as they are made. Contention records are ordered by their grants, occupancy
/// records by their releases, deliveries by time, then message; the same input gives the same order. Without a
/// contention callback no contention records are made.
struct RecordSinks {
  std::function<void(const ContentionRecord&)> contention;  ///< may be empty
  std::function<void(const OccupancyRecord&)> occupancy;    ///< may be empty; setting it costs time
  std::function<void(const DeliveryRecord&)> delivery = {}; ///< may be empty
  WorkProgress progress = {};                               ///< in messages delivered; only simulate() calls it
  /// Receives the external channels of a message's path right before its delivery record; may be empty. Called only
  /// where the path is not Topology::append_drawn_route's (paths_are_chosen()).
  std::function<void(MessageId, std::span<const ChannelId>)> path = {};
};

} // namespace wormcast
