#include "wormcast/experiments/study/question_answer.hpp"

#include "wormcast/simulator/random/ignoring_overflow.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

namespace wormcast {

namespace {

constexpr std::size_t least_clusters = 5;
constexpr std::size_t least_differing = 3;

double mean_of(const std::vector<double>& values)
{
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The smallest that this share of the values do not exceed.
double quantile_of(std::vector<double>& values, double share)
{
  const auto count = static_cast<double>(values.size());
  const auto rank = static_cast<std::ptrdiff_t>(std::clamp(std::ceil(share * count - 1e-9), 1.0, count)) - 1;
  std::ranges::nth_element(values, values.begin() + rank);
  return values[static_cast<std::size_t>(rank)];
}

double share_above(const std::vector<double>& values, double bound)
{
  const auto above = std::ranges::count_if(values, [=](double value) { return value > bound; });
  return 100 * static_cast<double>(above) / static_cast<double>(values.size());
}

ClusterStatistic statistic_of(const StudyQuestion& question)
{
  switch (question.statistic) {
  case StudyStatistic::mean:
  case StudyStatistic::slope: // a cluster's value is its slope
    return mean_of;
  case StudyStatistic::median:
    return [](std::vector<double>& values) { return quantile_of(values, 0.5); };
  case StudyStatistic::quantile:
    return [share = question.quantile](std::vector<double>& values) { return quantile_of(values, share); };
  case StudyStatistic::share_above:
    break;
  }
  return [bound = question.bound.value](std::vector<double>& values) { return share_above(values, bound); };
}

/// Where an interval with a given error lies, and the p-value of a number.
struct CellIntervals {
  std::function<ClusterInterval(double error)> interval;
  std::function<double(double value)> p_value;
};

/// Of the share of values above a bound where only few clusters have any, or any below: resamples of these say nothing
/// of those that were not met. The share cannot be larger than that of the clusters that have any, of which the exact
/// interval of Clopper and Pearson is known.
ClusterInterval share_by_clusters(std::size_t clusters, std::size_t with_some, bool of_above, double error)
{
  const double upper = with_some == clusters
                           ? 100
                           : 100 * boost::math::binomial_distribution<double, IgnoringOverflow>::find_upper_bound_on_p(
                                       static_cast<double>(clusters), static_cast<double>(with_some), error / 2);
  return of_above ? ClusterInterval{.low = 0, .high = upper} : ClusterInterval{.low = 100 - upper, .high = 100};
}

double p_by_bisection(const std::function<ClusterInterval(double error)>& interval, double value)
{
  double held = 1e-9;
  double missed = 1;
  constexpr int bisections = 50;
  for (int i = 0; i < bisections; ++i) {
    const double middle = (held + missed) / 2;
    const ClusterInterval found = interval(middle);
    (found.low <= value && value <= found.high ? held : missed) = middle;
  }
  return missed;
}

/// How many clusters have a value for which `is_one` is true.
std::size_t clusters_with(const std::vector<std::vector<double>>& clusters, const std::function<bool(double)>& is_one)
{
  return static_cast<std::size_t>(std::ranges::count_if(
      clusters, [&](const std::vector<double>& cluster) { return std::ranges::any_of(cluster, is_one); }));
}

/// How many clusters have another statistic than the most frequent one.
std::size_t differing_clusters(const std::vector<std::vector<double>>& clusters, const ClusterStatistic& statistic)
{
  std::map<double, std::size_t> counts;
  std::size_t most = 0;
  for (std::vector<double> cluster : clusters) {
    most = std::max(most, ++counts[statistic(cluster)]);
  }
  return clusters.size() - most;
}

ResampledStatistic resampled_statistic(const StudyQuestion& question, std::vector<std::vector<double>> clusters,
                                       std::size_t draws)
{
  if (question.statistic == StudyStatistic::share_above) { // the mean of 0 and 100 %
    for (std::vector<double>& cluster : clusters) {
      std::ranges::transform(cluster, cluster.begin(),
                             [&](double value) { return value > question.bound.value ? 100.0 : 0.0; });
    }
  } else if (question.statistic != StudyStatistic::mean && question.statistic != StudyStatistic::slope) {
    return {clusters, statistic_of(question), draws};
  }
  return ResampledStatistic::of_mean(clusters, draws);
}

/// The intervals of a cell; without functions where there are none, and why.
CellIntervals intervals_of(const StudyQuestion& question, const CellValues& values, std::size_t draws,
                           std::string& open)
{
  if (values.missing > 0) {
    open = fmt::format("{} {} without a value", values.missing, question.between.empty() ? "runs" : "pairs");
    return {};
  }
  if (values.clusters.size() < least_clusters) {
    open = fmt::format("fewer than {} clusters", least_clusters);
    return {};
  }
  if (question.statistic == StudyStatistic::share_above) {
    const double bound = question.bound.value;
    const std::size_t above = clusters_with(values.clusters, [=](double value) { return value > bound; });
    const std::size_t below = clusters_with(values.clusters, [=](double value) { return value <= bound; });
    if (std::min(above, below) < least_differing) {
      const auto interval = [clusters = values.clusters.size(), with_some = std::min(above, below),
                             of_above = above <= below](double error) {
        return share_by_clusters(clusters, with_some, of_above, error);
      };
      return {interval, [interval](double value) { return p_by_bisection(interval, value); }};
    }
  } else if (differing_clusters(values.clusters, statistic_of(question)) < least_differing) {
    open = fmt::format("fewer than {} clusters differ from the others", least_differing);
    return {};
  }
  const auto resampled =
      std::make_shared<const ResampledStatistic>(resampled_statistic(question, values.clusters, draws));
  if (!std::isfinite(resampled->interval(study_error).high)) {
    open = "too few clusters differ";
    return {};
  }
  return {[resampled](double error) { return resampled->interval(error); },
          [resampled](double value) { return resampled->p_value(value); }};
}

std::optional<double> effect_size(const std::vector<std::vector<double>>& clusters)
{
  std::vector<double> means;
  std::ranges::transform(clusters, std::back_inserter(means), mean_of);
  const double mean = mean_of(means);
  // Quotients of equal latencies differ in their last digits.
  constexpr double rounding = 1e-9;
  const auto [least, most] = std::ranges::minmax(means);
  if (most - least <= rounding * std::max(std::abs(least), std::abs(most))) {
    return std::nullopt;
  }
  double squares = 0;
  for (const double value : means) {
    squares += (value - mean) * (value - mean);
  }
  return mean / std::sqrt(squares / static_cast<double>(means.size() - 1));
}

AnsweredCell described(const StudyQuestion& question, const CellValues& values)
{
  AnsweredCell cell;
  cell.setting = values.setting;
  cell.clusters = values.clusters.size();
  cell.missing = values.missing;
  std::vector<double> all;
  for (const std::vector<double>& cluster : values.clusters) {
    all.insert(all.end(), cluster.begin(), cluster.end());
  }
  cell.values = all.size();
  if (all.empty()) {
    return cell;
  }
  cell.estimate = statistic_of(question)(all);
  cell.median = quantile_of(all, 0.5);
  cell.high = quantile_of(all, 0.95);
  cell.largest = *std::ranges::max_element(all);
  cell.effect = effect_size(values.clusters);
  return cell;
}

std::optional<ThresholdSide> side_of(const ClusterInterval& interval, double threshold)
{
  if (interval.low > threshold) {
    return ThresholdSide::above;
  }
  return interval.high < threshold ? std::optional(ThresholdSide::below) : std::nullopt;
}

} // namespace

std::size_t study_draws(std::size_t cells)
{
  // So that 5 resamples lie outside of each end of the widest interval of Holm's procedure.
  constexpr std::size_t of_each = 200;
  return std::clamp<std::size_t>(of_each * cells, 2000, 40000);
}

std::vector<StudyAnswer> answer_study(const StudyDesign& design, const StudyObservations& observations)
{
  std::vector<StudyAnswer> answers;
  std::vector<std::vector<CellValues>> values;
  std::size_t count = 0;
  for (const StudyQuestion& question : design.questions) {
    values.push_back(question_cells(design, question, observations));
    count += values.back().size();
  }
  struct Tested {
    AnsweredCell* cell;
    CellIntervals intervals;
    double threshold;
    std::size_t position; ///< so that equal p-values have an order
  };
  std::vector<Tested> tested;
  answers.reserve(design.questions.size());
  for (std::size_t i = 0; i < design.questions.size(); ++i) {
    const StudyQuestion& question = design.questions[i];
    StudyAnswer& answer = answers.emplace_back(StudyAnswer{.question = &question, .cells = {}});
    answer.cells.reserve(values[i].size());
    for (const CellValues& one : values[i]) {
      AnsweredCell& cell = answer.cells.emplace_back(described(question, one));
      CellIntervals intervals = intervals_of(question, one, study_draws(count), cell.open);
      if (intervals.interval) {
        cell.interval = intervals.interval(study_error);
        cell.p = intervals.p_value(question.threshold.value);
        tested.push_back({&cell, std::move(intervals), question.threshold.value, tested.size()});
      }
    }
  }
  // Cells without an interval count among the tests: nothing was known of them before the run.
  std::ranges::sort(tested, {}, [](const Tested& test) { return std::pair(test.cell->p, test.position); });
  std::size_t decided = 0;
  const auto error_of_step = [&] {
    return study_error / static_cast<double>(std::max<std::size_t>(count - decided, 1));
  };
  bool goes_on = true;
  for (Tested& test : tested) {
    AnsweredCell& cell = *test.cell;
    cell.error = error_of_step();
    cell.decisive = test.intervals.interval(cell.error);
    cell.side = side_of(*cell.decisive, test.threshold);
    goes_on = goes_on && cell.side.has_value();
    if (goes_on) {
      ++decided;
    } else {
      cell.side.reset();
    }
  }
  for (StudyAnswer& answer : answers) {
    answer.conclusion = conclude(*answer.question, answer.cells);
  }
  return answers;
}

Conclusion conclude(const StudyQuestion& question, std::span<const AnsweredCell> cells)
{
  const auto on_side =
      std::ranges::count_if(cells, [&](const AnsweredCell& cell) { return cell.side == question.side; });
  const auto decided = std::ranges::count_if(cells, [](const AnsweredCell& cell) { return cell.side.has_value(); });
  const auto count = std::ssize(cells);
  if (question.needed == CellsNeeded::every) {
    return on_side == count    ? Conclusion::holds
           : decided > on_side ? Conclusion::does_not_hold
                               : Conclusion::not_decided;
  }
  return on_side > 0 ? Conclusion::holds : decided == count ? Conclusion::does_not_hold : Conclusion::not_decided;
}

} // namespace wormcast
