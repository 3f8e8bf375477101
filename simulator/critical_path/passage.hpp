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

/// What is known of a message of a finished run, for RouterModel::passage. The references outlive the call.
struct DeliveredMessage {
  const Topology& topology;
  const NetworkParameters& network; ///< with the start-up that this message had
  const PathRecords& records;
  Message message;
  MessageId id{};
  std::uint64_t draw = 0; ///< route_draw() of the message
  std::uint64_t flits = 0;
  Time delivered;
  std::optional<FlitTimes> flit_times; ///< where RouterModel::reports_flits
  bool until_port_free = false;        ///< asked for is its time up to when its sender's port was free
};

/// What a message spent its time on.
struct Passage {
  Time ready;                        ///< it asks for its port
  Time until;                        ///< delivered; or the sender's port is free
  std::uint32_t hops = 0;            ///< external channels of its route
  std::vector<PathSegment> segments; ///< from the one to the other, without gaps and empty ones
};

/// That of a worm (router "wormhole"), from its waits and, with several virtual channels, its grants.
Passage worm_passage(const DeliveredMessage& delivered);

/// That of a message through pipelines (router "input_queued"), from its waits and the times of its flits.
Passage pipeline_passage(const DeliveredMessage& delivered);

} // namespace wormcast
