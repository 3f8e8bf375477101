#include "wormcast/experiments/reproduction/frame/study_reading.hpp"

#include "wormcast/experiments/study/question_answer.hpp"
#include "wormcast/experiments/study/study_list.hpp"
#include "wormcast/experiments/study/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <stdexcept>
#include <vector>

namespace wormcast {

namespace {

Verdict verdict_of(Conclusion conclusion)
{
  switch (conclusion) {
  case Conclusion::holds:
    return Verdict::confirmed;
  case Conclusion::does_not_hold:
    return Verdict::refuted;
  case Conclusion::not_decided:
    break;
  }
  return Verdict::ambiguous;
}

std::int64_t whole_number(const std::string& cell)
{
  return std::stoll(cell);
}

} // namespace

std::pair<std::string, Evidence> answered_reading(const StudyReading& reading)
{
  const StudyFile study = find_study(reading.study, StudyScale::full);
  StudyObservations observations = read_observations(study.design, reading.runs, reading.study + ".csv");
  if (reading.changed) {
    reading.changed(observations);
  }
  const std::vector<StudyAnswer> answers = answer_study(study.design, observations);
  const auto answer =
      std::ranges::find_if(answers, [&](const StudyAnswer& one) { return one.question->name == reading.question; });
  if (answer == answers.end()) {
    throw std::logic_error(fmt::format("the study {} has no question {}", reading.study, reading.question));
  }
  std::vector<std::vector<std::string>> rows = answer_table(study.design, *answer);
  Evidence evidence;
  evidence.verdict = verdict_of(answer->conclusion);
  evidence.measured =
      fmt::format("the study {}, {} runs: {}", reading.study, observations.rows.size(), conclusion_text(*answer));
  evidence.tables.push_back({.title = fmt::format("the study {}", reading.study),
                             .header = std::move(rows.front()),
                             .rows = {std::make_move_iterator(rows.begin() + 1), std::make_move_iterator(rows.end())}});
  return {answer->question->text, std::move(evidence)};
}

void mirror_column(StudyObservations& observations, std::string_view column, std::string_view within)
{
  const std::size_t value = observations.position(column);
  const std::size_t group = observations.position(within);
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> extremes; // least and largest
  for (const StudyObservations::Row& row : observations.rows) {
    const std::int64_t number = whole_number(row.cells[value]);
    const auto [at, is_new] = extremes.try_emplace(row.cells[group], number, number);
    at->second = {std::min(at->second.first, number), std::max(at->second.second, number)};
  }
  for (StudyObservations::Row& row : observations.rows) {
    const auto& [least, largest] = extremes.at(row.cells[group]);
    row.cells[value] = fmt::to_string(least + largest - whole_number(row.cells[value]));
  }
}

} // namespace wormcast
