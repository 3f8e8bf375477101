#pragma once

#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/validation/error_measures.hpp"
#include "wormcast/experiments/validation/measured_rows.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// Rows whose relative_range is larger are counted apart: they were not measured well enough to tell models apart.
inline constexpr double widest_range = 0.3;

/// What became of one model.
struct ValidatedModel {
  std::string name;
  std::vector<PredictedRow> rows;      ///< in the order of the measured ones, without those apart
  std::vector<PredictedRow> apart;     ///< of widest_range
  std::size_t without_prediction = 0;  ///< measured rows; with ComparedRows::common also what another model lacks
  std::vector<ErrorMeasures> measures; ///< of `rows`, by Validation::selections
  ErrorMeasures apart_measures;
};

/// Measured times against what models predict.
struct Validation {
  std::span<const MeasuredRow> measured;
  std::vector<RowSelection> selections; ///< usual_selections, and where constants were fitted the rows without those
  std::vector<ValidatedModel> models;   ///< in the order of their first predictions
  std::size_t unmeasured = 0;           ///< predictions for what no row is about
  bool held_back = false; ///< the rows were kept apart from those from which constants of the models were found
};

/// The rows on which models are compared.
enum class ComparedRows {
  each,  ///< each model on all rows that it predicts
  common ///< all models on the rows that all of them predict
};

/// Compares predictions with measured rows, which must outlive what is returned. Throws InputError where no prediction
/// is about a measured row, or with ComparedRows::common where no row is predicted by all models.
/// `fitted` are the rows from which constants of the models were found.
Validation validate(std::span<const MeasuredRow> measured, std::span<const PredictedTime> predictions,
                    ComparedRows compared = ComparedRows::each, const std::set<MeasuredCase>& fitted = {});

/// Whether some row is predicted by one model and not by another.
bool models_differ_in_rows(const Validation& validation);

/// For people: the measures of each model, a line for each selection, and its `worst` rows with the largest errors.
std::string validation_table(const Validation& validation, std::size_t worst);

/// All measures, and all rows with their errors.
/// `constants` are those of fitted_json, or null.
std::string validation_json_text(const Validation& validation, const nlohmann::ordered_json& constants = nullptr);

/// A line for each model and measured row that it predicts, with its error.
std::string validation_csv(const Validation& validation);

/// Predicted over measured time, over the measured time: a panel for each model, the points of a collective alike.
Figure validation_figure(const Validation& validation);

} // namespace wormcast
