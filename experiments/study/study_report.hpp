#pragma once

#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/study/question_answer.hpp"
#include "wormcast/experiments/study/study_design.hpp"
#include "wormcast/experiments/study/study_observations.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// A study with its runs and what they answer.
struct StudyResult {
  const StudyDesign& design;
  const StudyObservations& observations;
  std::span<const StudyAnswer> answers;
};

/// For people: each question with its rule, its cells and its conclusion.
std::string study_listing(const StudyResult& result);

/// The same as JSON, format wormcast-study/1.
nlohmann::ordered_json study_json(const StudyResult& result);

/// The same as a page in Markdown, whose pictures are NAME.svg of answer_picture_name(), in the folder `pictures` where
/// that is not empty.
std::string study_page(const StudyResult& result, const std::string& command);

/// The estimates of a question's cells with their intervals, and its threshold.
Figure answer_figure(const StudyAnswer& answer);

/// The picture of a question, without the ending.
std::string answer_picture_name(const StudyDesign& design, const StudyQuestion& question);

/// What the rule says, with the intervals on which it rests: "holds: the mean lies above 5 % in 1 of 3 cells: 7.9 %
/// (5.3 to 10.8 %), network.per_hop 15us".
std::string conclusion_text(const StudyAnswer& answer);

/// The headings and lines of a question's table.
std::vector<std::vector<std::string>> answer_table(const StudyDesign& design, const StudyAnswer& answer);

/// "1,248 runs, all done; topology.dims 16x16, 32x32".
std::string runs_text(const StudyResult& result);

/// A number of a report with four significant digits.
std::string study_number(double number);

} // namespace wormcast
