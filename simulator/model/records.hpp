#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/values/work_progress.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace wormcast {

/// Where the records of a run go as they are made. Contention records come in the order of the grants, occupancy
/// records in the order of the releases, deliveries in that of time, then message; all orders are the same for the same
/// input. Where nobody wants the contention records, none is made.
struct RecordSinks {
  std::function<void(const ContentionRecord&)> contention;  ///< may be empty
  std::function<void(const OccupancyRecord&)> occupancy;    ///< may be empty; asking for it costs time
  std::function<void(const DeliveryRecord&)> delivery = {}; ///< may be empty
  WorkProgress progress = {};                               ///< in messages delivered; simulate() alone calls it
  /// The flits of a message and the external channels that they took, right before its delivery record; may be empty.
  /// Called only where the router has another routing than dimension order: elsewhere Topology::append_drawn_route
  /// tells it.
  std::function<void(MessageId, std::uint64_t flits, std::span<const ChannelId>)> path = {};
};

} // namespace wormcast
