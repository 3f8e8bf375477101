#pragma once

#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <optional>
#include <vector>

namespace wormcast::testing {

/// A run with its critical path.
struct ExplainedRun {
  SimulationResult result;
  PathRecords records;
  std::optional<CriticalPath> path;
};

inline ExplainedRun explained_run(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                                  const RunParameters& run, FixedStarts starts = FixedStarts::given)
{
  PathRecorder recorder(topology, schedule, network);
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) { recorder.contention(record); };
  sinks.occupancy = [&](const OccupancyRecord& record) { recorder.occupancy(record); };
  ExplainedRun explained;
  explained.result = simulate_core(topology, schedule, network, run, sinks);
  explained.records = recorder.finish();
  explained.path = critical_path(topology, schedule, network, run, explained.result, explained.records, starts);
  return explained;
}

} // namespace wormcast::testing
