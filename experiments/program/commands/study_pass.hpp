#pragma once

#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/process/workers.hpp"
#include "wormcast/experiments/program/commands/command.hpp"
#include "wormcast/experiments/program/commands/sharing.hpp"
#include "wormcast/experiments/sweep/sweep.hpp"

#include <cstddef>

namespace wormcast {

/// One pass of a command over the tasks of its study: their workers, the line that shows their progress, and their
/// outcome.
class StudyPass {
public:
  /// `pass` must outlive this, which must outlive the options that it gives.
  StudyPass(const WorkPass& pass, std::size_t jobs, Verbosity verbosity);

  /// Of a study whose outcomes are stored task by task (KeptWorkers), where anything is stored.
  TaskOptions tasks();

  /// Of a study that stores its points itself. The output of their processes is shown with --verbose.
  SweepOptions points();

  /// To be cleared before other text.
  ProgressLine& line() { return line_; }

  /// Clears the line. Returns what is known of the pass, but for the report, and of points but for their counts.
  PassOutcome end(int interrupted_by);

private:
  const WorkPass& pass_;
  std::size_t jobs_;
  Verbosity verbosity_;
  ProgressLine line_;
  KeptCounts counts_;
};

} // namespace wormcast
