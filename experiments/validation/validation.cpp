#include "wormcast/experiments/validation/validation.hpp"

#include "wormcast/values/input_error.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace wormcast {

namespace {

/// The predictions of one model that are about measured rows, by the number of the row.
struct ModelPredictions {
  std::string name;
  std::map<std::size_t, Time> times;
};

struct MatchedPredictions {
  std::vector<ModelPredictions> models;
  std::size_t unmeasured = 0;
};

MatchedPredictions match(std::span<const MeasuredRow> measured, std::span<const PredictedTime> predictions)
{
  std::map<MeasuredCase, std::size_t> row_of;
  for (std::size_t row = 0; row < measured.size(); ++row) {
    row_of.emplace(measured[row].of, row);
  }
  MatchedPredictions matched;
  for (const PredictedTime& prediction : predictions) {
    auto model = std::ranges::find(matched.models, prediction.model, &ModelPredictions::name);
    if (model == matched.models.end()) {
      model = matched.models.insert(model, {.name = prediction.model, .times = {}});
    }
    const auto row = row_of.find(prediction.of);
    if (row == row_of.end()) {
      ++matched.unmeasured;
    } else if (prediction.time) {
      model->times.emplace(row->second, *prediction.time);
    }
  }
  return matched;
}

/// Leaves to each model what all models predict.
void keep_common(std::vector<ModelPredictions>& models)
{
  std::map<std::size_t, std::size_t> predicted_by;
  for (const ModelPredictions& model : models) {
    for (const auto& [row, time] : model.times) {
      ++predicted_by[row];
    }
  }
  for (ModelPredictions& model : models) {
    std::erase_if(model.times, [&](const auto& prediction) { return predicted_by[prediction.first] < models.size(); });
  }
  if (models.front().times.empty()) {
    throw InputError("found no measured row that all models predict");
  }
}

std::vector<PredictedRow> selected(std::span<const PredictedRow> rows, const RowSelection& selection)
{
  std::vector<PredictedRow> some;
  std::ranges::copy_if(rows, std::back_inserter(some),
                       [&](const PredictedRow& row) { return selection.holds(*row.measured); });
  return some;
}

} // namespace

Validation validate(std::span<const MeasuredRow> measured, std::span<const PredictedTime> predictions,
                    ComparedRows compared, const std::set<MeasuredCase>& fitted)
{
  MatchedPredictions matched = match(measured, predictions);
  if (std::ranges::all_of(matched.models, [](const ModelPredictions& model) { return model.times.empty(); })) {
    throw InputError("found no prediction for any of the measured rows: a prediction is for the row with the same "
                     "collective, shape, algorithm and bytes");
  }
  if (compared == ComparedRows::common) {
    keep_common(matched.models);
  }
  Validation validation{
      .measured = measured, .selections = usual_selections(measured), .models = {}, .unmeasured = matched.unmeasured};
  if (std::ranges::any_of(measured, [&](const MeasuredRow& row) { return fitted.contains(row.of); })) {
    validation.selections.push_back(
        {.name = "not fitted to", .holds = [fitted](const MeasuredRow& row) { return !fitted.contains(row.of); }});
  }
  for (const ModelPredictions& predicted : matched.models) {
    ValidatedModel model{.name = predicted.name,
                         .rows = {},
                         .apart = {},
                         .without_prediction = measured.size() - predicted.times.size(),
                         .measures = {},
                         .apart_measures = {}};
    for (const auto& [row, time] : predicted.times) {
      const bool apart = relative_range(measured[row]) > widest_range;
      (apart ? model.apart : model.rows).push_back({&measured[row], time});
    }
    for (const RowSelection& selection : validation.selections) {
      model.measures.push_back(error_measures(selected(model.rows, selection)));
    }
    model.apart_measures = error_measures(model.apart);
    validation.models.push_back(std::move(model));
  }
  return validation;
}

bool models_differ_in_rows(const Validation& validation)
{
  const auto measured = [](const PredictedRow& row) { return row.measured; };
  return std::ranges::any_of(validation.models, [&](const ValidatedModel& model) {
    const ValidatedModel& first = validation.models.front();
    return !std::ranges::equal(model.rows, first.rows, {}, measured, measured) ||
           !std::ranges::equal(model.apart, first.apart, {}, measured, measured);
  });
}

} // namespace wormcast
