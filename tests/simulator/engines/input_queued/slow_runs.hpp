#pragma once

#include "tests/simulator/engines/slow_router.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast::testing {

/// The cycle of all networks here, in picoseconds.
inline constexpr std::int64_t slow_cycle = 7;

/// What the slow program's networks and messages are for the engines.
NetworkParameters network_of(const SlowNetwork& slow);
TopologyDescription topology_of(const SlowNetwork& slow);
Schedule schedule_of(const SlowNetwork& slow, const std::vector<SlowMessage>& messages);

/// The times of a run in cycles.
std::vector<SlowTimes> times_of(const SimulationResult& result);

SimulationResult run_engine(const SlowNetwork& slow, const std::vector<SlowMessage>& messages,
                            EngineChoice choice = EngineChoice::cycle);

/// The messages whose times differ, a line each.
std::string difference(const std::vector<SlowTimes>& found, const std::vector<SlowTimes>& expected);

/// A routing that router "input_queued" has on this network.
std::string random_routing(const SlowNetwork& network);

SlowNetwork random_slow_network();
std::vector<SlowMessage> random_slow_messages(const SlowNetwork& network);

/// 3,000 short and long messages among so many nodes, of which so many start in each cycle.
std::vector<SlowMessage> crowd_of_messages(int nodes, int in_each_cycle);

} // namespace wormcast::testing
