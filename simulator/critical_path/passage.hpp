#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace wormcast {

/// The data of a message of a finished run, for RouterModel::passage. The references outlive the call.
struct DeliveredMessage {
  const Topology& topology;
  const NetworkParameters& network; ///< with the start-up of this message
  const PathRecords& records;
  Message message;
  MessageId id{};
  std::uint64_t draw = 0; ///< route_draw() of the message
  std::uint64_t flits = 0;
  Time shortfall; ///< by which the last flit is shorter than tau
  Time delivered;
  std::optional<FlitTimes> flit_times; ///< set if RouterModel::reports_flits
  bool until_port_free = false;        ///< explain the time up to the release of the sender's port
};

/// The time of a message, divided into segments.
struct Passage {
  Time ready;                        ///< time at which it requests its port
  Time until;                        ///< its delivery, or the release of the sender's port
  std::uint32_t hops = 0;            ///< external channels of its route
  std::vector<PathSegment> segments; ///< from `ready` to `until`, without gaps and empty segments
};

/// Returns the passage of a worm (router "wormhole"), from its waits and, with several virtual channels, its grants.
Passage worm_passage(const DeliveredMessage& delivered);

/// Returns the passage of a message through pipelines (router "input_queued"), from its waits and the times of its
/// flits.
Passage pipeline_passage(const DeliveredMessage& delivered);

} // namespace wormcast
