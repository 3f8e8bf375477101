#pragma once

#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/view/recorder.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// The content of a page or a picture: a finished run, or one round of a series. Referenced objects must outlive it.
struct ViewedRun {
  /// Of a series.
  struct Round {
    std::uint32_t number = 0;
    Time start;           ///< in the series: the moment 0 of what is shown
    bool traffic = false; ///< there is a background load
  };

  const Experiment& experiment; ///< of a series: the single operation
  const ViewedMessages& messages;
  const ViewRecorder& recorder;                          ///< finished
  std::span<const std::optional<Time>> delivered;        ///< by message
  std::string title;                                     ///< title of the run, one line
  std::vector<std::pair<std::string, std::string>> rows; ///< rows of name and value: the run and its results
  std::optional<Round> round;
  std::string remark;                  ///< the shown part, in a sentence; empty: all
  std::optional<std::string> deadlock; ///< the deadlock in which it ends: the waits of its cycle
  Time begin;                          ///< first moment; 0 or, of a round, before it
  Time end;                            ///< last moment; records of others may begin before and end after these
};

/// A run of an experiment. `recorder` has its records and is finished.
ViewedRun viewed_run(const Experiment& experiment, const ViewedMessages& messages, const RunOutcome& outcome,
                     const ViewRecorder& recorder);

/// Returns the title of the run, one line: topology and algorithm, or the file of messages.
std::string view_title(const Experiment& experiment);

} // namespace wormcast
