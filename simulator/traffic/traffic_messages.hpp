#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

namespace wormcast {

/// Returns the messages of traffic at a load that are generated before `until`, as a plain list: message i of the list
/// is message i of the traffic. All that is delivered before `until` is so at the same times in a run of the list.
/// Throws InputError as Pattern and TrafficSource do, and "include_self: ..." where messages go to their own sender,
/// which lists do not have.
Schedule traffic_messages(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                          double load, const RunParameters& run, Time until);

} // namespace wormcast
