#include "wormcast/experiments/study/study_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace wormcast {

std::vector<NamedFactor> named_factors(const StudyDesign& design)
{
  std::vector<NamedFactor> factors = {
      {.name = design.cluster, .key = "study.cluster", .origin = design.cluster_origin, .must_vary = true}};
  for (const StudyQuestion& question : design.questions) {
    std::ranges::copy(question.factors, std::back_inserter(factors));
  }
  return factors;
}

std::vector<std::string> value_columns(const StudyDesign& design)
{
  std::vector<std::string> columns;
  for (const StudyQuestion& question : design.questions) {
    for (const RunExpression* expression : {&question.value, &question.on}) {
      for (const std::string& column : expression->columns()) {
        if (std::ranges::find(columns, column) == columns.end()) {
          columns.push_back(column);
        }
      }
    }
  }
  return columns;
}

std::string statistic_text(const StudyQuestion& question)
{
  switch (question.statistic) {
  case StudyStatistic::quantile:
    return fmt::format("{:g} % quantile", 100 * question.quantile);
  case StudyStatistic::share_above:
    return fmt::format("share above {}", question.bound.written);
  case StudyStatistic::slope:
    return fmt::format("slope on {}", question.on.text());
  case StudyStatistic::mean:
  case StudyStatistic::median:
    break;
  }
  return std::string(study_statistic_names.text(question.statistic));
}

std::string rule_text(const StudyQuestion& question)
{
  return fmt::format("the interval of the {} lies {} {} in {} cell", statistic_text(question),
                     threshold_side_names.text(question.side), question.threshold.written,
                     cells_needed_names.text(question.needed));
}

} // namespace wormcast
