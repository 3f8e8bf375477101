#pragma once

#include "wormcast/experiments/study/cluster_bootstrap.hpp"
#include "wormcast/experiments/study/question_cells.hpp"
#include "wormcast/experiments/study/study_design.hpp"
#include "wormcast/values/names.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// The probability, over the whole of a study, that some interval that decides lies on the wrong side.
inline constexpr double study_error = 0.05;

/// A cell of a question with what is found of it.
struct AnsweredCell {
  std::vector<std::string> setting;
  std::size_t values = 0;
  std::size_t clusters = 0;
  std::size_t missing = 0;
  double estimate = 0;                     ///< of the question's statistic
  std::optional<ClusterInterval> interval; ///< 95 %, of this cell alone; none: `open` says why
  std::optional<ClusterInterval> decisive; ///< of Holm's step for the cell, which decides
  double p = 1;                            ///< of the threshold, before Holm's correction
  double error = study_error;              ///< of `decisive`
  std::optional<ThresholdSide> side;       ///< where the decisive interval lies; none: the threshold is in it
  std::string open;                        ///< why there is no interval; empty: there is one
  double median = 0;                       ///< of the values
  double high = 0;                         ///< 95 % of the values do not exceed it
  double largest = 0;
  std::optional<double>
      effect; ///< mean over the standard deviation of the clusters' means; none: they are all equal, but for rounding
};

/// What the rule of a question concludes.
enum class Conclusion { holds, does_not_hold, not_decided };
inline constexpr auto conclusion_names = names<Conclusion>({{Conclusion::holds, "holds"},
                                                            {Conclusion::does_not_hold, "does not hold"},
                                                            {Conclusion::not_decided, "not decided"}});

/// A question with its answer.
struct StudyAnswer {
  const StudyQuestion* question = nullptr; ///< never null; of the design
  std::vector<AnsweredCell> cells;
  Conclusion conclusion = Conclusion::not_decided;
};

/// The answers to all questions of a study, which must outlive them. Intervals resample whole clusters; which of them
/// decide at what confidence is Holm's step-down procedure (S. Holm, A simple sequentially rejective multiple test
/// procedure, Scand. J. Statist. 6, 1979) over the cells of all questions, so that all conclusions are right at once
/// with 95 %. The same observations give the same answers everywhere. Throws what question_cells() throws.
std::vector<StudyAnswer> answer_study(const StudyDesign& design, const StudyObservations& observations);

/// By the sides on which the cells' decisive intervals lie.
Conclusion conclude(const StudyQuestion& question, std::span<const AnsweredCell> cells);

/// How often a study with so many cells resamples.
std::size_t study_draws(std::size_t cells);

} // namespace wormcast
