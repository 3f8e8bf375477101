#pragma once

#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include <array>
#include <map>
#include <memory>

namespace wormcast {

/// The critical paths of the broadcasts of a series, each from the start of its round to its last delivery; waits for
/// channels held by messages of other broadcasts or of the load have the cause `other_wait`.
struct SeriesPaths {
  std::array<double, path_cause_count> means{}; ///< means over all broadcasts, in picoseconds; by PathCause
  SeriesBroadcast slowest;                      ///< the first broadcast with the longest latency
  std::shared_ptr<const Schedule> schedule;     ///< of the slowest
  ScheduleInRun position;                       ///< position of the slowest broadcast in the run
  CriticalPath path;                            ///< of the slowest; times count from its start
  std::map<MessageId, SeriesMessage> others;    ///< other messages that held channels on the path
};

/// Replays a series (replay_series) and follows each of its broadcasts back from its last delivery. `result` must have
/// broadcasts and no deadlock. Throws InputError as critical_path does. Memory: the records of two rounds.
SeriesPaths series_paths(const SeriesSetting& setting, const SeriesResult& result);

} // namespace wormcast
