#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Whether the curves of a figure differ in a key that begins like this ("network.ports"): its title leaves it out.
using VariesInFigure = std::function<bool(std::string_view prefix)>;

/// For titles: "150 us", "0.5 us".
std::string spaced_time(Time time);

/// What a figure's title says of the network: "mesh 32 x 32", "one port", "T_s = 150 us", "T_f = 0 us", "T_c = 0.5 us
/// per byte"; of other routers than "wormhole" their name, and what is not at its default.
std::vector<std::string> network_title(const Topology& topology, const NetworkParameters& network,
                                       const VariesInFigure& varies);

/// The same of traffic: "uniform traffic", "messages of 40 B".
std::vector<std::string> traffic_title(const TrafficParameters& traffic, const VariesInFigure& varies);

} // namespace wormcast
