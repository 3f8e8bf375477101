#pragma once

#include "wormcast/experiments/study/study_design.hpp"
#include "wormcast/experiments/study/study_observations.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace wormcast {

/// The values of one cell of a question: of runs, or of pairs of runs.
struct CellValues {
  std::vector<std::string> setting; ///< values of the question's factors `each`
  /// In the question's unit; none of them is empty. Of a slope each cluster has one value, its slope.
  std::vector<std::vector<double>> clusters;
  std::size_t missing = 0; ///< runs, or pairs, without a value: one did not end, or has no quantity
};

/// The cells of a question, in the order of the runs. Throws InputError where runs that differ in a factor that is not
/// named would be paired, where there is no run or no pair, and where a slope is asked of runs of a cluster that are
/// all at one place. Runs without a partner are left out.
std::vector<CellValues> question_cells(const StudyDesign& design, const StudyQuestion& question,
                                       const StudyObservations& observations);

} // namespace wormcast
