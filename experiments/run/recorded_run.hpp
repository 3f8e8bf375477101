#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/run/explanation.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/trace/writer.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/values/work_progress.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace wormcast {

/// The records of a run that are requested in addition to its result.
struct RunRecords {
  TraceWriter* trace = nullptr; ///< receives all records of the run, including its end; may be null
  ExplanationOptions explain = {.detail = PathDetail::none}; ///< the critical path
  bool path = false;                                         ///< RecordedRun::path
  FixedStarts starts = FixedStarts::given;                   ///< for the critical path
  WorkProgress progress = {};                                ///< in messages delivered; may be empty
  RecordSinks sinks = {}; ///< hear of all of the run, too; `progress` of them does not
  RunClock clock = RunClock::simgrid;
};

/// A run with its explanation.
struct RecordedRun {
  RunOutcome outcome;                    ///< critical_path included
  std::string explanation;               ///< explanation_text below an empty line; empty: not wanted, or a deadlock
  std::optional<CriticalPath> path = {}; ///< none: not wanted, or a deadlock
};

/// A list of messages that were sent on a machine, as an experiment of its own; `words` as of Experiment::words.
Experiment message_experiment(const Machine& machine, const Schedule& messages,
                              std::shared_ptr<const ProgramWords> words = {});

/// About the bytes of a trace of a run in JSON lines, without waits.
std::uint64_t size_of_trace(const Experiment& experiment, const Schedule& schedule);

/// run_experiment with records. Throws as it does.
RecordedRun run_recorded(const Experiment& experiment, const Schedule& schedule, const RunRecords& records);

} // namespace wormcast
