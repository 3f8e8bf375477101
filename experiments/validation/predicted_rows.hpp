#pragma once

#include "wormcast/experiments/process/workers.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/validation/measured_rows.hpp"
#include "wormcast/experiments/validation/study.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// What the program predicts for measured rows.
struct StudyPredictions {
  std::vector<PredictedTime> predictions; ///< for each model of the study, in its order, those of all rows that it and
                                          ///< an algorithm are about; without a time where there was an error
  std::map<std::string, std::size_t> errors; ///< how many predictions failed, by reason
  int interrupted_by = 0;                    ///< SIGINT, SIGTERM, SIGHUP, or 0; then the rest is not complete
  bool has_gaps = false; ///< predictions were left out (Workers::left_out); the rest is not complete
};

/// Simulates what is predicted for one row: `configuration` with the changes. With RunClock::simgrid, which fluid
/// models need, once in a process. Throws InputError where the configuration is wrong, or the run ends in a deadlock.
Time predict_row(const ConfigSource& configuration, const StudiedRow& studied, RunClock clock = RunClock::simgrid);

/// Simulates each row by each model, each in a process of its own, with the constants that were fitted. Further changes
/// of the configuration (`set`, as of
/// --set) come after those of the study. What is wrong with one configuration, or a deadlock, is an error of that
/// prediction alone. The outcome does not depend on the number of jobs. Throws FileError where the configuration cannot
/// be read.
StudyPredictions predict_rows(const ValidationStudy& study, std::span<const MeasuredRow> rows,
                              const FittedValues& fitted, std::span<const std::string> set, const TaskOptions& options);

} // namespace wormcast
