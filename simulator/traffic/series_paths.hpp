#pragma once

#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include <array>
#include <map>
#include <memory>

namespace wormcast {

/// Where the latencies of the broadcasts of a series went. Each has a path of its own, from the start of its round to
/// its last delivery; waits for channels that messages of other broadcasts or of the load held are of the cause
/// `other_wait`.
struct SeriesPaths {
  std::array<double, path_cause_count> means{}; ///< over all broadcasts, in picoseconds; by PathCause
  SeriesBroadcast slowest;                      ///< the first of those with the longest latency
  std::shared_ptr<const Schedule> schedule;     ///< of the slowest
  ScheduleInRun position;                       ///< of its messages in the one numbering
  CriticalPath path;                            ///< of the slowest; times count from its start
  std::map<MessageId, SeriesMessage> others;    ///< those of other messages that held channels on the path
};

/// Replays a series (replay_series) and follows each of its broadcasts back from its last delivery. `result` has
/// broadcasts and no deadlock. Throws InputError as critical_path does. Memory: the records of two rounds.
SeriesPaths series_paths(const SeriesSetting& setting, const SeriesResult& result);

} // namespace wormcast
