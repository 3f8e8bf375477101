#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace wormcast::testing {

struct PicosecondOutcome {
  std::vector<std::optional<Time>> delivered; ///< by message id
  std::vector<ContentionRecord> contention;   ///< of waits that ended, in any order
  std::vector<OccupancyRecord> occupancy;     ///< of channels that were released, in any order
};

/// The rules of docs/network-model.md taken literally: time goes on a picosecond at a time, and at each one all worms
/// are asked whether a rule lets them do something. Slow, and meant to be seen to be right by reading it beside that
/// page; nothing of it comes from the simulator's engines. One virtual channel only. Of the simulator it uses the start
/// delays and the seeded ranks, which are pseudo-random numbers.
///
/// None where it takes more than `most_picoseconds`.
std::optional<PicosecondOutcome> simulate_picoseconds(const Topology& topology, const Schedule& schedule,
                                                      const NetworkParameters& network, const RunParameters& run,
                                                      std::int64_t most_picoseconds);

} // namespace wormcast::testing
