#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/trace/trace_end.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <vector>

namespace wormcast {

struct ProgramWords;

/// The additional data of a series' trace.
struct TracedSeries {
  std::uint64_t broadcasts = 0; ///< of the whole series
  std::uint64_t messages = 0;   ///< number of the broadcasts' messages; the load's messages are numbered from here on
  std::span<const SeriesBroadcast> ended;  ///< those that ended
  std::optional<std::uint32_t> round = {}; ///< the one of which records are written; none: all
};

/// The header of a trace.
struct TraceHead {
  const Experiment& experiment;
  std::uint64_t messages = 0;              ///< they are numbered below
  std::optional<TracedSeries> series = {}; ///< none: a single run
  const ProgramWords* words = nullptr;     ///< of the messages; null: nothing is known
};

/// Writes the records of a run to a stream as they are made; memory does not grow with their number.
class TraceWriter {
public:
  virtual ~TraceWriter() = default;

  /// Each message that a record names, before the first of them.
  virtual void message(const SeriesMessage& message) = 0;
  virtual void contention(const ContentionRecord& record) = 0;
  virtual void occupancy(const OccupancyRecord& record) = 0;
  /// To be called once, after the last record.
  virtual void end(const TraceEnd& end) = 0;
};

/// Trace in format wormcast-trace/1 (docs/formats.md): its head is written at once.
std::unique_ptr<TraceWriter> make_json_lines_writer(const TraceHead& head, std::ostream& out);

/// Trace-event format of Perfetto and chrome://tracing (docs/formats.md).
/// Memory: a few words for each channel and port that was used, and for each broadcast.
std::unique_ptr<TraceWriter> make_trace_event_writer(const TraceHead& head, std::ostream& out);

/// Returns a writer that passes records to all of `writers`; null if there are none.
std::unique_ptr<TraceWriter> make_joint_writer(std::vector<std::unique_ptr<TraceWriter>> writers);

/// Returns the format of a file's name: trace events if it ends in ".perfetto.json".
std::unique_ptr<TraceWriter> make_trace_writer(const std::filesystem::path& file, const TraceHead& head,
                                               std::ostream& out);

/// The same for a single run, with all messages of the schedule told.
std::unique_ptr<TraceWriter> make_trace_writer(const std::filesystem::path& file, const Experiment& experiment,
                                               const Schedule& schedule, std::ostream& out);

} // namespace wormcast
