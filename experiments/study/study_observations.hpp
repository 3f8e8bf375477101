#pragma once

#include "wormcast/experiments/study/study_design.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The runs of a study with what is needed of them: a column for each factor and each quantity of a question, all as
/// the texts of results.csv.
struct StudyObservations {
  struct Row {
    std::string state; ///< as in results.csv: "done"
    std::vector<std::string> cells;
  };

  std::vector<std::string> columns;
  std::size_t factors = 0; ///< how many of them are factors; these come first
  std::vector<Row> rows;   ///< in the order of the sweeps

  /// Throws std::logic_error where there is no such column.
  std::size_t position(std::string_view column) const;

  /// Whether a run has its result.
  static bool is_done(const Row& row) { return row.state == "done"; }
};

/// The observations of runs, a table for each sweep of the study. Throws InputError at a factor that is no key of any
/// configuration, or that has one value only where several are needed, at a value that no run has, and at a column of a
/// question that runs cannot have.
StudyObservations study_observations(const StudyDesign& design, std::span<const RunTable> tables,
                                     std::span<const SweepPlan> plans);

/// The text of runs.csv: the columns and `state`.
std::string observations_csv(const StudyObservations& observations);

/// Reads it back; `file` is the name in errors. Throws InputError where it is no such table, or not one of this study.
StudyObservations read_observations(const StudyDesign& design, std::string_view csv, const std::string& file);

/// The values of a factor, each once, in the order of the runs.
std::vector<std::string> factor_levels(const StudyObservations& observations, std::string_view factor);

} // namespace wormcast
