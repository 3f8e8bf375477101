#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/statistics.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/experiments/validation/validation.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view range_rule = "range of more than 30 %";

std::string percent(const std::optional<double>& share)
{
  // Adding 0 turns -0 into 0.
  return share ? fmt::format("{:.1f} %", std::round(1000 * *share) / 10 + 0.0) : "-";
}

std::vector<std::string> measures_line(const std::string& name, const ErrorMeasures& measures)
{
  return {name,
          fmt::to_string(measures.rows),
          percent(measures.median),
          percent(measures.ninety_percent),
          percent(measures.signed_median),
          measures.order.tau ? fmt::format("{:.2f}", *measures.order.tau) : "-",
          percent(measures.choice.mean_loss),
          percent(measures.choice.greatest_loss)};
}

std::string measures_table(const Validation& validation, const ValidatedModel& model)
{
  std::vector<std::vector<std::string>> lines = {
      {"rows", "number", "median", "90 %", "signed median", "tau", "mean loss", "greatest loss"}};
  for (std::size_t i = 0; i < validation.selections.size(); ++i) {
    if (model.measures[i].rows > 0) {
      lines.push_back(measures_line(validation.selections[i].name, model.measures[i]));
    }
  }
  if (!model.apart.empty()) {
    lines.push_back(measures_line(std::string(range_rule), model.apart_measures));
  }
  return aligned(lines);
}

/// The rows with the largest errors first.
std::vector<PredictedRow> worst_first(std::vector<PredictedRow> rows)
{
  std::ranges::stable_sort(rows, std::ranges::greater(), [](const PredictedRow& row) { return std::abs(row.error()); });
  return rows;
}

std::string worst_table(const ValidatedModel& model, std::size_t worst)
{
  std::vector<PredictedRow> rows = worst_first(model.rows);
  rows.resize(std::min(rows.size(), worst));
  if (rows.empty()) {
    return {};
  }
  std::vector<std::vector<std::string>> lines = {{"largest errors", "measured, us", "predicted, us", "error"}};
  for (const PredictedRow& row : rows) {
    lines.push_back({case_text(row.measured->of), format_microseconds(row.measured->median),
                     format_microseconds(row.predicted), fmt::format("{:+.1f} %", 100 * row.error())});
  }
  return "\n" + aligned(lines);
}

std::string heading(const Validation& validation)
{
  std::set<std::string> collectives;
  std::set<std::string> shapes;
  std::set<std::string> algorithms;
  for (const MeasuredRow& row : validation.measured) {
    collectives.insert(row.of.collective);
    shapes.insert(row.of.shape);
    algorithms.insert(row.of.algorithm);
  }
  const auto counted = [](std::size_t number, std::string_view what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  std::string text = fmt::format("{}{}: {}, {}, {}\n", counted(validation.measured.size(), "measured row"),
                                 validation.held_back ? " held back" : "", counted(collectives.size(), "collective"),
                                 counted(shapes.size(), "shape"), counted(algorithms.size(), "algorithm"));
  if (validation.unmeasured > 0) {
    text += fmt::format("{} {} about no measured row\n", counted(validation.unmeasured, "prediction"),
                        validation.unmeasured == 1 ? "is" : "are");
  }
  if (models_differ_in_rows(validation)) {
    text += "The models predict different rows; --common compares them on the rows that all of them predict.\n";
  }
  return text;
}

Json number_json(const std::optional<double>& number)
{
  return number ? Json(*number) : Json(nullptr);
}

Json measures_json(const std::string& name, const ErrorMeasures& measures)
{
  return {{"rows", name},
          {"count", measures.rows},
          {"median", number_json(measures.median)},
          {"ninety_percent", number_json(measures.ninety_percent)},
          {"signed_median", number_json(measures.signed_median)},
          {"tau", number_json(measures.order.tau)},
          {"tau_groups", measures.order.groups},
          {"tau_pairs", measures.order.pairs},
          {"mean_loss", number_json(measures.choice.mean_loss)},
          {"greatest_loss", number_json(measures.choice.greatest_loss)},
          {"loss_groups", measures.choice.groups}};
}

Json row_json(const PredictedRow& row, bool apart)
{
  const MeasuredRow& measured = *row.measured;
  return {{"collective", measured.of.collective},
          {"shape", measured.of.shape},
          {"algorithm", measured.of.algorithm},
          {"ports", measured.ports ? Json(*measured.ports) : Json(nullptr)},
          {"bytes", measured.of.bytes},
          {"measured_us", exact_microseconds(measured.median)},
          {"measured_p10_us", exact_microseconds(measured.low)},
          {"measured_p90_us", exact_microseconds(measured.high)},
          {"predicted_us", exact_microseconds(row.predicted)},
          {"error", row.error()},
          {"apart", apart}};
}

std::string csv_of(const ValidatedModel& model, const PredictedRow& row, bool apart)
{
  const MeasuredRow& measured = *row.measured;
  return csv_line(std::vector<std::string>{
      model.name, measured.of.collective, measured.of.shape, measured.of.algorithm,
      measured.ports ? fmt::to_string(*measured.ports) : std::string(), fmt::to_string(measured.of.bytes),
      format_microseconds(measured.median), format_microseconds(measured.low), format_microseconds(measured.high),
      format_microseconds(row.predicted), number_text(row.error()), apart ? "true" : "false"});
}

/// The points of one model, a series for each collective; `styles` grows by those that are new.
PlotPanel panel_of(const ValidatedModel& model, std::map<std::string, unsigned>& styles)
{
  PlotPanel panel{.title = printable(model.name), .series = {}};
  std::map<unsigned, PlotSeries> by_style;
  for (const std::vector<PredictedRow>* rows : {&model.rows, &model.apart}) {
    for (const PredictedRow& row : *rows) {
      const std::string& collective = row.measured->of.collective;
      const unsigned style = styles.emplace(collective, static_cast<unsigned>(styles.size())).first->second;
      PlotSeries& series = by_style[style];
      series.title = printable(collective);
      series.style = style;
      series.points.push_back(
          {.x = format_microseconds(row.measured->median), .y = fmt::format("{:.6f}", 1 + row.error())});
    }
  }
  for (auto& [style, series] : by_style) {
    panel.series.push_back(std::move(series));
  }
  return panel;
}

} // namespace

std::string validation_table(const Validation& validation, std::size_t worst)
{
  std::string text = heading(validation);
  for (const ValidatedModel& model : validation.models) {
    text += fmt::format("\nmodel {}\n", printable(model.name));
    if (model.without_prediction > 0) {
      text += fmt::format("{} of the measured rows without a prediction\n", model.without_prediction);
    }
    if (!model.rows.empty() || !model.apart.empty()) {
      text += "\n" + measures_table(validation, model) + worst_table(model, worst);
    }
  }
  return text;
}

std::string validation_json_text(const Validation& validation, const nlohmann::ordered_json& constants)
{
  Json json;
  json["format"] = "wormcast-validation/1";
  json["measured_rows"] = validation.measured.size();
  if (validation.held_back) {
    json["held_back"] = true;
  }
  json["unmeasured_predictions"] = validation.unmeasured;
  json["widest_range"] = widest_range;
  if (!constants.is_null()) {
    json["constants"] = constants;
  }
  json["models"] = Json::array();
  for (const ValidatedModel& model : validation.models) {
    Json measures = Json::array();
    for (std::size_t i = 0; i < validation.selections.size(); ++i) {
      measures.push_back(measures_json(validation.selections[i].name, model.measures[i]));
    }
    measures.push_back(measures_json(std::string(range_rule), model.apart_measures));
    Json rows = Json::array();
    for (const PredictedRow& row : model.rows) {
      rows.push_back(row_json(row, false));
    }
    for (const PredictedRow& row : model.apart) {
      rows.push_back(row_json(row, true));
    }
    json["models"].push_back({{"model", model.name},
                              {"without_prediction", model.without_prediction},
                              {"measures", std::move(measures)},
                              {"rows", std::move(rows)}});
  }
  json["version"] = program_version();
  return json_text(json, JsonLayout::indented) + "\n";
}

std::string validation_csv(const Validation& validation)
{
  std::string csv =
      csv_line(std::vector<std::string>{"model", "collective", "shape", "algorithm", "ports", "bytes", "measured_us",
                                        "measured_p10_us", "measured_p90_us", "predicted_us", "error", "apart"});
  for (const ValidatedModel& model : validation.models) {
    for (const PredictedRow& row : model.rows) {
      csv += csv_of(model, row, false);
    }
    for (const PredictedRow& row : model.apart) {
      csv += csv_of(model, row, true);
    }
  }
  return csv;
}

Figure validation_figure(const Validation& validation)
{
  Figure figure;
  figure.title = "predicted and measured times";
  figure.x = {.label = "measured time (us)", .log = true};
  figure.y = {.label = "predicted / measured", .log = true};
  std::map<std::string, unsigned> styles;
  for (const ValidatedModel& model : validation.models) {
    if (!model.rows.empty() || !model.apart.empty()) {
      figure.panels.push_back(panel_of(model, styles));
    }
  }
  return figure;
}

} // namespace wormcast
