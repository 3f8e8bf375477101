#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/study/run_values.hpp"
#include "wormcast/values/names.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

/// How much of a study is run.
enum class StudyScale {
  quick, ///< minutes: less factors, levels and seeds
  full
};
inline constexpr auto study_scale_names = names<StudyScale>({{StudyScale::quick, "quick"}, {StudyScale::full, "full"}});

/// What of a cell's values is compared with the threshold.
enum class StudyStatistic {
  mean,
  median,
  quantile,    ///< the smallest that a share of the values do not exceed
  share_above, ///< the share of the values that are above a bound
  slope        ///< of the least-squares line of the values over another number of the runs, in each cluster; their mean
};
inline constexpr auto study_statistic_names = names<StudyStatistic>({{StudyStatistic::mean, "mean"},
                                                                     {StudyStatistic::median, "median"},
                                                                     {StudyStatistic::quantile, "quantile"},
                                                                     {StudyStatistic::share_above, "share_above"},
                                                                     {StudyStatistic::slope, "slope"}});

/// Where an interval lies, or is said to lie.
enum class ThresholdSide { above, below };
inline constexpr auto threshold_side_names =
    names<ThresholdSide>({{ThresholdSide::above, "above"}, {ThresholdSide::below, "below"}});

/// In how many of its cells a question's interval must lie on the side that it names.
enum class CellsNeeded { every, some };
inline constexpr auto cells_needed_names =
    names<CellsNeeded>({{CellsNeeded::every, "every"}, {CellsNeeded::some, "some"}});

/// A number of a study, and its unit.
struct StudyNumber {
  double value = 0;
  std::string unit;    ///< "%", "us"; empty: none
  std::string written; ///< as in the file: "5 %"
};

/// A factor that a design names.
struct NamedFactor {
  std::string name;
  std::string key; ///< "question.each"
  Origin origin;
  bool must_vary = false; ///< else it may have one value, as what a question is restricted to
};

/// A question of a study, with the rule by which it is answered.
struct StudyQuestion {
  std::string name;
  std::string text; ///< in words
  RunExpression value;
  std::string unit; ///< of the cells' values; "%": they are a hundred times the expression's
  /// Factors and the values of them that the question is about; without one all.
  std::vector<std::pair<std::string, std::vector<std::string>>> where;
  std::vector<std::string> each; ///< factors: each combination of their values is a cell of its own
  std::string between;           ///< the factor that tells the two runs of a pair; empty: values are of single runs
  std::string first;             ///< its value in the run that is subtracted
  std::string second;
  std::vector<std::string> paired_on; ///< factors that are the same in a pair
  bool relative = false;              ///< the difference is divided by the first value
  StudyStatistic statistic = StudyStatistic::mean;
  double quantile = 0; ///< of StudyStatistic::quantile, in (0, 1)
  StudyNumber bound;   ///< of StudyStatistic::share_above
  RunExpression on;    ///< of StudyStatistic::slope: what the values are set against
  Origin on_origin;
  StudyNumber threshold;
  ThresholdSide side = ThresholdSide::above;
  CellsNeeded needed = CellsNeeded::every;
  Origin origin;                    ///< of its table
  std::vector<NamedFactor> factors; ///< that it names, in the order of its keys
};

/// What a study asks, and how it answers.
struct StudyDesign {
  std::filesystem::path file;
  std::string name;
  StudyScale scale = StudyScale::quick;
  std::string question;
  std::string background;
  std::vector<std::string> limits;
  std::string cluster; ///< the factor of which runs with the same value hang together
  Origin cluster_origin;
  std::size_t seeds = 1; ///< runs of each of its levels, each with a seed of its own
  std::vector<StudyQuestion> questions;
};

/// All of them, in the order of the file.
std::vector<NamedFactor> named_factors(const StudyDesign& design);

/// The columns of all questions' values, each once.
std::vector<std::string> value_columns(const StudyDesign& design);

/// "the mean is above 5 % in every cell", for people.
std::string rule_text(const StudyQuestion& question);

/// "mean", "95 % quantile", "share above 5 %".
std::string statistic_text(const StudyQuestion& question);

} // namespace wormcast
