#pragma once

#include "wormcast/experiments/reproduction/frame/evidence.hpp"
#include "wormcast/experiments/validation/fit.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast::fugaku {

/// The environment variable with the file of measured rows (docs/validation.md), which is not part of the project.
inline constexpr const char* rows_variable = "WORMCAST_FUGAKU_ROWS";

/// Whether the variable names a file that is there.
bool has_rows();

/// The study configs/validation/fugaku with the measured rows and the constants of 2x2x2 nodes.
struct MeasuredStudy {
  ValidationStudy study;
  std::vector<MeasuredRow> rows;
  FittedConstants constants;
};

/// The evidence of a check without the rows that it needs: `rows` says which.
Evidence without_rows(const std::string& rows);

/// Reads the rows and finds the constants, once for each file in a process. Throws FileError, InputError.
const MeasuredStudy& measured_study();

/// Calls measured_study() where there are rows, so that the processes of the claims need not. What is wrong with the
/// file is left to them to say.
void prepare_measured_study();

/// The rows of an algorithm on a shape, of at least so many bytes, in the order of their bytes; there may be none.
/// Under Mutation::data_changed times of other shapes than 2x2x2 are longer by a fifth.
std::vector<MeasuredRow> rows_if_any(const MeasuredStudy& measured, const std::string& collective,
                                     const std::string& shape, const std::string& algorithm,
                                     std::uint64_t least_bytes = 0);

/// The same of an algorithm that must have rows. Throws InputError where it has none.
std::vector<MeasuredRow> rows_of(const MeasuredStudy& measured, const std::string& collective, const std::string& shape,
                                 const std::string& algorithm, std::uint64_t least_bytes = 0);

/// Whether the row is of the algorithms that were known when the claims about all rows were made: not in segments, and
/// not of the second stage of the study (docs/validation.md).
bool is_of_first_stage(const MeasuredRow& row);

/// Whether the study says how the row is predicted.
bool is_predicted(const MeasuredStudy& measured, const std::string& model, const MeasuredRow& row);

/// What a model predicts for the row; `further` changes come last.
Time predicted(const MeasuredStudy& measured, const std::string& model, const MeasuredRow& row,
               const std::vector<std::string>& further = {});

/// The same where messages share the network of the model like fluids. To be called once in a process.
Time predicted_by_fluid(const MeasuredStudy& measured, const std::string& model, const MeasuredRow& row);

/// predicted / measured - 1 of each row.
std::vector<double> errors(const MeasuredStudy& measured, const std::string& model,
                           const std::vector<MeasuredRow>& rows);

} // namespace wormcast::fugaku
