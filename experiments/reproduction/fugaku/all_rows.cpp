#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/fugaku/checks.hpp"
#include "wormcast/experiments/reproduction/fugaku/error_rules.hpp"
#include "wormcast/experiments/reproduction/fugaku/measured_study.hpp"
#include "wormcast/experiments/validation/validation.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>

namespace wormcast::fugaku {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 2> shapes = {"4x4x4", "8x8x8"};

/// Whether a row is below 1 MiB, or from there on.
bool is_of(const MeasuredRow& row, bool is_short)
{
  return is_of_first_stage(row) && (row.of.bytes < mebibyte) == is_short &&
         std::ranges::find(shapes, row.of.shape) != shapes.end();
}

/// Picoseconds of the rows of a shape that the study predicts, by their numbers.
Json predicted_part(const std::string& shape, const std::string& model, bool is_short)
{
  const MeasuredStudy& measured = measured_study();
  Json times = Json::array();
  for (std::size_t i = 0; i < measured.rows.size(); ++i) {
    const MeasuredRow& row = measured.rows[i];
    if (row.of.shape == shape && is_of(row, is_short) && row.ports && is_predicted(measured, model, row)) {
      times.push_back({i, predicted(measured, model, row).picoseconds});
    }
  }
  return {{"model", model}, {"times", std::move(times)}};
}

/// What the parts predicted, each time as `change` makes it.
std::vector<PredictedTime> predictions_of(std::span<const MeasuredRow> rows, std::span<const Json> parts,
                                          const std::function<Time(const std::string& model, Time)>& change)
{
  std::vector<PredictedTime> predictions;
  for (const Json& part : parts) {
    const auto model = part.at("model").get<std::string>();
    for (const Json& time : part.at("times")) {
      predictions.push_back({.of = rows[time.at(0).get<std::size_t>()].of,
                             .model = model,
                             .time = change(model, Time{time.at(1).get<std::int64_t>()})});
    }
  }
  return predictions;
}

std::vector<std::function<Json()>> parts_of(const std::vector<std::string>& models, bool is_short)
{
  std::vector<std::function<Json()>> parts;
  for (const std::string& model : models) {
    for (const std::string shape : shapes) {
      parts.emplace_back([=] { return predicted_part(shape, model, is_short); });
    }
  }
  return parts;
}

Evidence network_below_boundary(std::span<const Json> parts)
{
  const std::vector<MeasuredRow>& rows = measured_study().rows;
  const Validation validation =
      validate(rows, predictions_of(rows, parts, [](const std::string& model, Time time) {
                 return model == "plain" ? as_measured(time, Time{time.picoseconds / 2}) : time;
               }));
  std::vector<double> medians;
  std::string found;
  for (const ValidatedModel& model : validation.models) {
    medians.push_back(model.measures.front().median.value());
    found += fmt::format("{}{} {:.1f} %", found.empty() ? "" : ", ", model.name, 100 * medians.back());
  }
  const double range = std::ranges::max(medians) - std::ranges::min(medians);
  return all_hold(fmt::format("medians of {} rows below 1 MiB", validation.models.front().rows.size()),
                  {{.what = "difference of the medians",
                    .expected = "below 2 points",
                    .found = fmt::format("{:.2f} points: {}", 100 * range, found),
                    .holds = range < 0.02}});
}

Evidence order_from_boundary(std::span<const Json> parts)
{
  const std::vector<MeasuredRow>& rows = measured_study().rows;
  constexpr double square = 1e20; // a time and its mirror image, multiplied
  const Validation validation =
      validate(rows, predictions_of(rows, parts, [](const std::string&, Time time) {
                 return as_measured(time, Time{std::llround(square / static_cast<double>(time.picoseconds))});
               }));
  const ErrorMeasures& measures = validation.models.front().measures.front();
  const double tau = measures.order.tau.value();
  const auto read_as = [&](const std::string& what, double loss) {
    return all_hold(
        fmt::format("folded boxes, {} groups with pairs", measures.order.groups),
        {{.what = "tau", .expected = "at least 0.8", .found = fmt::format("{:.2f}", tau), .holds = tau >= 0.8},
         {.what = what,
          .expected = "at most 10 %",
          .found = fmt::format("{:.1f} %", 100 * loss),
          .holds = loss <= 0.1}});
  };
  return by_reading({{"the mean loss", read_as("mean loss", measures.choice.mean_loss.value())},
                     {"the greatest loss", read_as("greatest loss", measures.choice.greatest_loss.value())}});
}

Check of_all_rows(const std::string& name, const std::string& rows, const std::vector<std::string>& models,
                  bool is_short, std::function<Evidence(std::span<const Json>)> conclude)
{
  Check check{.name = name, .demonstration = {}, .measurement = {}};
  if (has_rows()) {
    check.measurement = {
        .parts = parts_of(models, is_short), .conclude = std::move(conclude), .prepare = prepare_measured_study};
  } else {
    check.measurement.conclude = [rows](auto) { return without_rows(rows); };
  }
  return check;
}

} // namespace

std::vector<Check> all_row_checks()
{
  return {of_all_rows("network_below_1_mib", "the rows below 1 MiB", {"free", "plain", "folded"}, true,
                      network_below_boundary),
          of_all_rows("order_of_algorithms", "the rows from 1 MiB on", {"folded"}, false, order_from_boundary)};
}

} // namespace wormcast::fugaku
