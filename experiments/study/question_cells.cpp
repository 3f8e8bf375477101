#include "wormcast/experiments/study/question_cells.hpp"

#include "wormcast/experiments/sweep/cell_number.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>

namespace wormcast {

namespace {

/// The two runs of a pair: null where one is not there.
using RunPair = std::array<const StudyObservations::Row*, 2>;

/// The runs of a cluster in a cell.
struct ClusterRuns {
  std::vector<double> values;
  std::vector<double> places; ///< of each value, what it is set against by a slope
};

class CellMaker {
public:
  CellMaker(const StudyDesign& design, const StudyQuestion& question, const StudyObservations& observations)
      : design_(design), question_(question), observations_(observations),
        cluster_(observations.position(design.cluster)), each_(positions(question.each)),
        paired_on_(positions(question.paired_on))
  {
    for (const auto& [factor, levels] : question.where) {
      where_.push_back(observations.position(factor));
    }
  }

  std::vector<CellValues> cells()
  {
    if (question_.between.empty()) {
      for (const StudyObservations::Row& row : observations_.rows) {
        if (is_asked(row)) {
          add(row, value_of(question_.value, row), value_of(question_.on, row));
        }
      }
    } else {
      add_pairs();
    }
    if (cells_.empty()) {
      throw_at(question_.origin, "question.where",
               question_.between.empty() ? "no run has all of these values"
                                         : fmt::format("no two runs with all of these values are the same in {}",
                                                       fmt::join(question_.paired_on, ", ")));
    }
    for (CellValues& cell : cells_) {
      for (auto& [name, runs] : by_cluster_[cell.setting]) {
        if (!is_slope()) {
          cell.clusters.push_back(std::move(runs.values));
        } else if (const std::optional<double> found = slope(runs)) {
          cell.clusters.push_back({*found});
        } else if (cell.missing == 0) { // else runs that did not end may have been those elsewhere
          fail_without_slope(runs, cell, name);
        }
      }
    }
    return std::move(cells_);
  }

private:
  std::vector<std::size_t> positions(const std::vector<std::string>& factors) const
  {
    std::vector<std::size_t> found;
    for (const std::string& factor : factors) {
      found.push_back(observations_.position(factor));
    }
    return found;
  }

  static std::vector<std::string> cells_at(const StudyObservations::Row& row, const std::vector<std::size_t>& columns)
  {
    std::vector<std::string> cells;
    for (const std::size_t column : columns) {
      cells.push_back(row.cells[column]);
    }
    return cells;
  }

  bool is_asked(const StudyObservations::Row& row) const
  {
    for (std::size_t i = 0; i < where_.size(); ++i) {
      const std::vector<std::string>& levels = question_.where[i].second;
      if (std::ranges::find(levels, row.cells[where_[i]]) == levels.end()) {
        return false;
      }
    }
    return true;
  }

  bool is_slope() const { return question_.statistic == StudyStatistic::slope; }

  std::optional<double> value_of(const RunExpression& expression, const StudyObservations::Row& row) const
  {
    if (!StudyObservations::is_done(row)) {
      return std::nullopt;
    }
    return expression.value([&](const std::string& column) -> std::optional<double> {
      return cell_value(row.cells[observations_.position(column)]);
    });
  }

  /// `place` is used by slopes alone.
  void add(const StudyObservations::Row& row, std::optional<double> value, std::optional<double> place = {})
  {
    const std::vector<std::string> setting = cells_at(row, each_);
    auto cell = std::ranges::find(cells_, setting, &CellValues::setting);
    if (cell == cells_.end()) {
      cell = cells_.insert(cell, {.setting = setting, .clusters = {}, .missing = 0});
    }
    if (value && (place || !is_slope())) {
      ClusterRuns& runs = by_cluster_[setting][row.cells[cluster_]];
      runs.values.push_back(question_.unit == "%" ? 100 * *value : *value);
      runs.places.push_back(place.value_or(0));
    } else {
      ++cell->missing;
    }
  }

  void add_pairs()
  {
    const std::size_t between = observations_.position(question_.between);
    std::map<std::vector<std::string>, RunPair> pairs;
    std::vector<RunPair*> in_order;
    for (const StudyObservations::Row& row : observations_.rows) {
      const bool is_first = row.cells[between] == question_.first;
      if ((!is_first && row.cells[between] != question_.second) || !is_asked(row)) {
        continue;
      }
      std::vector<std::string> key = cells_at(row, each_);
      std::ranges::copy(cells_at(row, paired_on_), std::back_inserter(key));
      const auto [pair, is_new] = pairs.emplace(std::move(key), RunPair{});
      const StudyObservations::Row*& run = pair->second[is_first ? 0 : 1];
      if (run != nullptr) {
        fail_ambiguous(*run, row);
      }
      run = &row;
      if (is_new) {
        in_order.push_back(&pair->second);
      }
    }
    for (const RunPair* pair : in_order) {
      const auto& [first, second] = *pair;
      if (first == nullptr || second == nullptr) {
        continue; // the design has more runs of the one than of the other
      }
      add(*first, difference(value_of(question_.value, *first), value_of(question_.value, *second)));
    }
  }

  std::optional<double> difference(std::optional<double> first, std::optional<double> second) const
  {
    if (!first || !second || (question_.relative && *first == 0)) {
      return std::nullopt;
    }
    return question_.relative ? (*second - *first) / *first : *second - *first;
  }

  [[noreturn]] void fail_without_slope(const ClusterRuns& runs, const CellValues& cell, const std::string& name) const
  {
    throw_at(question_.on_origin, "question.on",
             fmt::format("\"{}\" is {:g} in all runs with {} {}{}{}, expected two values or more for a slope",
                         question_.on.text(), runs.places.front(), design_.cluster, name,
                         cell.setting.empty() ? "" : ", cell ", fmt::join(cell.setting, ", ")));
  }

  /// Of the least-squares line through the runs of a cluster; none where all are at one place.
  static std::optional<double> slope(const ClusterRuns& runs)
  {
    const auto [least, greatest] = std::ranges::minmax(runs.places);
    if (!(greatest > least)) {
      return std::nullopt;
    }
    const auto count = static_cast<double>(runs.places.size());
    const double middle = std::accumulate(runs.places.begin(), runs.places.end(), 0.0) / count;
    const double mean = std::accumulate(runs.values.begin(), runs.values.end(), 0.0) / count;
    double squares = 0;
    double products = 0;
    for (std::size_t i = 0; i < runs.places.size(); ++i) {
      squares += (runs.places[i] - middle) * (runs.places[i] - middle);
      products += (runs.places[i] - middle) * (runs.values[i] - mean);
    }
    return products / squares;
  }

  [[noreturn]] void fail_ambiguous(const StudyObservations::Row& one, const StudyObservations::Row& other) const
  {
    std::vector<std::string> differ;
    for (std::size_t i = 0; i < observations_.factors; ++i) {
      if (one.cells[i] != other.cells[i]) {
        differ.push_back(observations_.columns[i]);
      }
    }
    throw_at(question_.origin, "question.paired_on",
             fmt::format("several runs with {} \"{}\" are the same in {}, expected also {} there, in each or in where",
                         question_.between, one.cells[observations_.position(question_.between)],
                         fmt::join(question_.paired_on, ", "), fmt::join(differ, ", ")));
  }

  const StudyDesign& design_;
  const StudyQuestion& question_;
  const StudyObservations& observations_;
  std::size_t cluster_;
  std::vector<std::size_t> each_;
  std::vector<std::size_t> paired_on_;
  std::vector<std::size_t> where_;
  std::vector<CellValues> cells_;
  std::map<std::vector<std::string>, std::map<std::string, ClusterRuns>> by_cluster_; ///< by setting
};

} // namespace

std::vector<CellValues> question_cells(const StudyDesign& design, const StudyQuestion& question,
                                       const StudyObservations& observations)
{
  return CellMaker(design, question, observations).cells();
}

} // namespace wormcast
