#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <filesystem>
#include <memory>
#include <ostream>
#include <vector>

namespace wormcast {

/// Writes the records of a run to a stream as they come; memory does not grow with their number.
class TraceWriter {
public:
  virtual ~TraceWriter() = default;

  virtual void contention(const ContentionRecord& record) = 0;
  virtual void occupancy(const OccupancyRecord& record) = 0;
  /// To be called once, after the last record.
  virtual void end(const SimulationResult& simulation) = 0;
};

/// Trace in format wormcast-trace/1 (docs/formats.md): the header and the messages are written at once.
std::unique_ptr<TraceWriter> make_json_lines_writer(const Experiment& experiment, const Schedule& schedule,
                                                    std::ostream& out);

/// Trace-event format of Perfetto and chrome://tracing (docs/formats.md).
/// Memory: a few words for each channel and port that was used.
std::unique_ptr<TraceWriter> make_trace_event_writer(const Experiment& experiment, std::ostream& out);

/// One that tells all of `writers`; null where there are none.
std::unique_ptr<TraceWriter> make_joint_writer(std::vector<std::unique_ptr<TraceWriter>> writers);

/// The format that the file's name asks for: trace events where it ends in ".perfetto.json".
std::unique_ptr<TraceWriter> make_trace_writer(const std::filesystem::path& file, const Experiment& experiment,
                                               const Schedule& schedule, std::ostream& out);

} // namespace wormcast
