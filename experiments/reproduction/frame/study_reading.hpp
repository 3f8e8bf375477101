#pragma once

#include "wormcast/experiments/reproduction/frame/evidence.hpp"
#include "wormcast/experiments/study/study_observations.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace wormcast {

/// A question of one of the program's studies.
struct StudyReading {
  std::string study;     ///< "contention_by_distance"
  std::string_view runs; ///< its stored runs of scale full, docs/studies/NAME.csv
  std::string question;  ///< the question's name
  /// What a test changes of the runs; empty: nothing.
  std::function<void(StudyObservations&)> changed = {};
};

/// Answers it from the stored runs: a reading for by_reading(), of which the text is the question in words and the
/// evidence the study's conclusion with the question's cells: confirmed where the question holds, refuted where it does
/// not, ambiguous where it is not decided. Cost: the bootstrap of the whole study, a second or a few.
std::pair<std::string, Evidence> answered_reading(const StudyReading& reading);

/// Mirrors the numbers of a column of the runs, those of all runs with the same values of `within` by themselves: the
/// largest becomes the smallest. For StudyReading::changed. Throws std::logic_error where there is no such column.
void mirror_column(StudyObservations& observations, std::string_view column, std::string_view within);

} // namespace wormcast
