#pragma once

#include "tests/equality/scenario.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"

#include <string>
#include <vector>

namespace wormcast::testing {

/// A run with all its records.
struct Observation {
  SimulationResult result;
  std::vector<ContentionRecord> contention; ///< in the order in which they came
  std::vector<OccupancyRecord> occupancy;   ///< sorted
};

/// The engine alone.
Observation observe(const Scenario& scenario, EngineChoice engine);

/// The engine on SimGrid's clock.
Observation observe_on_simgrid(const Scenario& scenario, EngineChoice engine);

void sort_records(std::vector<ContentionRecord>& records);
void sort_records(std::vector<OccupancyRecord>& records);

/// What of two runs is not the same; empty if all is. How many events it took, and the engine's name, may differ, and
/// in a deadlock the occupancy of channels that were never released.
std::string difference(const Observation& one, const Observation& other);

/// "message 3: 17 and 19 ps", or empty.
std::string delivery_difference(const std::vector<std::optional<Time>>& one,
                                const std::vector<std::optional<Time>>& other);

/// Where two lists of records part, or empty.
std::string record_difference(const std::vector<ContentionRecord>& one, const std::vector<ContentionRecord>& other);
std::string record_difference(const std::vector<OccupancyRecord>& one, const std::vector<OccupancyRecord>& other);

} // namespace wormcast::testing
