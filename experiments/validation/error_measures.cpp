#include "wormcast/experiments/validation/error_measures.hpp"

#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace wormcast {

namespace {

using Group = std::vector<const PredictedRow*>;

/// The rows of at least two algorithms by what else they are of.
std::vector<Group> groups_of(std::span<const PredictedRow> rows)
{
  std::map<std::tuple<std::string, std::string, std::uint64_t>, Group> groups;
  for (const PredictedRow& row : rows) {
    const MeasuredCase& of = row.measured->of;
    groups[{of.collective, of.shape, of.bytes}].push_back(&row);
  }
  std::vector<Group> with_pairs;
  for (auto& [key, group] : groups) {
    if (group.size() > 1) {
      with_pairs.push_back(std::move(group));
    }
  }
  return with_pairs;
}

double mean(const std::vector<double>& values)
{
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The pairs of a group that were measured to differ, and by how many more of them are in the right order than not.
struct CountedPairs {
  std::int64_t pairs = 0;
  std::int64_t surplus = 0;
};

CountedPairs count_pairs(const Group& group)
{
  CountedPairs counted;
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (std::size_t j = i + 1; j < group.size(); ++j) {
      const bool i_is_faster = group[i]->measured->high < group[j]->measured->low;
      const bool j_is_faster = group[j]->measured->high < group[i]->measured->low;
      if (!i_is_faster && !j_is_faster) {
        continue;
      }
      ++counted.pairs;
      if (group[i]->predicted != group[j]->predicted) {
        counted.surplus += (group[i]->predicted < group[j]->predicted) == i_is_faster ? 1 : -1;
      }
    }
  }
  return counted;
}

OrderMeasures order_measures(std::span<const Group> groups)
{
  OrderMeasures order;
  std::vector<double> taus;
  for (const Group& group : groups) {
    const CountedPairs counted = count_pairs(group);
    if (counted.pairs > 0) {
      order.pairs += static_cast<std::size_t>(counted.pairs);
      taus.push_back(static_cast<double>(counted.surplus) / static_cast<double>(counted.pairs));
    }
  }
  order.groups = taus.size();
  if (!taus.empty()) {
    order.tau = mean(taus);
  }
  return order;
}

double loss_of(const Group& group)
{
  const auto measured = [](const PredictedRow* row) { return row->measured->median; };
  const Time fastest = measured(*std::ranges::min_element(group, {}, measured));
  const Time predicted = (*std::ranges::min_element(group, {}, &PredictedRow::predicted))->predicted;
  std::vector<double> losses;
  for (const PredictedRow* row : group) {
    if (row->predicted == predicted) {
      losses.push_back(static_cast<double>(measured(row).picoseconds) / static_cast<double>(fastest.picoseconds) - 1);
    }
  }
  return mean(losses);
}

ChoiceMeasures choice_measures(std::span<const Group> groups)
{
  ChoiceMeasures choice{.groups = groups.size(), .mean_loss = {}, .greatest_loss = {}};
  std::vector<double> losses(groups.size());
  std::ranges::transform(groups, losses.begin(), loss_of);
  if (!losses.empty()) {
    choice.mean_loss = mean(losses);
    choice.greatest_loss = std::ranges::max(losses);
  }
  return choice;
}

} // namespace

double quantile(std::vector<double> values, double share)
{
  std::ranges::sort(values);
  const double position = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], position - static_cast<double>(below));
}

ErrorMeasures error_measures(std::span<const PredictedRow> rows)
{
  ErrorMeasures measures{
      .rows = rows.size(), .median = {}, .ninety_percent = {}, .signed_median = {}, .order = {}, .choice = {}};
  if (rows.empty()) {
    return measures;
  }
  std::vector<double> errors(rows.size());
  std::ranges::transform(rows, errors.begin(), &PredictedRow::error);
  measures.signed_median = quantile(errors, 0.5);
  std::ranges::transform(errors, errors.begin(), [](double error) { return std::abs(error); });
  measures.median = quantile(errors, 0.5);
  measures.ninety_percent = quantile(errors, 0.9);
  const std::vector<Group> groups = groups_of(rows);
  measures.order = order_measures(groups);
  measures.choice = choice_measures(groups);
  return measures;
}

std::vector<RowSelection> usual_selections(std::span<const MeasuredRow> rows)
{
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  std::vector<RowSelection> possible = {
      {"from 1 MiB on", [](const MeasuredRow& row) { return row.of.bytes >= mebibyte; }},
      {"below 1 MiB", [](const MeasuredRow& row) { return row.of.bytes < mebibyte; }},
      {"one port", [](const MeasuredRow& row) { return row.ports == 1U; }},
      {"several ports", [](const MeasuredRow& row) { return row.ports > 1U; }}};
  std::set<std::string> collectives;
  for (const MeasuredRow& row : rows) {
    if (collectives.insert(row.of.collective).second) {
      possible.push_back({printable(row.of.collective),
                          [name = row.of.collective](const MeasuredRow& one) { return one.of.collective == name; }});
    }
  }
  std::set<std::string> shapes;
  for (const MeasuredRow& row : rows) {
    if (shapes.insert(row.of.shape).second) {
      possible.push_back({fmt::format("on {}", printable(row.of.shape)),
                          [name = row.of.shape](const MeasuredRow& one) { return one.of.shape == name; }});
    }
  }
  std::vector<RowSelection> selections = {{"all", [](const MeasuredRow&) { return true; }}};
  for (RowSelection& selection : possible) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(rows, selection.holds));
    if (count > 0 && count < rows.size()) {
      selections.push_back(std::move(selection));
    }
  }
  return selections;
}

} // namespace wormcast
