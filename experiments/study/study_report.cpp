#include "wormcast/experiments/study/study_report.hpp"

#include "wormcast/experiments/output/output_name.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

std::string with_unit(const std::string& number, const std::string& unit)
{
  return unit.empty() ? number : number + " " + unit;
}

/// The unit of what is estimated.
std::string estimate_unit(const StudyQuestion& question)
{
  return question.statistic == StudyStatistic::share_above ? "%" : question.unit;
}

bool has_ends(const std::optional<ClusterInterval>& interval)
{
  return interval && std::isfinite(interval->low) && std::isfinite(interval->high);
}

std::string interval_text(const StudyQuestion& question, const AnsweredCell& cell)
{
  const std::string unit = estimate_unit(question);
  if (!has_ends(cell.decisive)) {
    return fmt::format("{} (no interval: {})", with_unit(study_number(cell.estimate), unit),
                       cell.open.empty() ? "too few clusters differ" : cell.open);
  }
  return fmt::format("{} ({} to {})", with_unit(study_number(cell.estimate), unit), study_number(cell.decisive->low),
                     with_unit(study_number(cell.decisive->high), unit));
}

std::string setting_text(const StudyQuestion& question, const AnsweredCell& cell)
{
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < cell.setting.size(); ++i) {
    parts.push_back(fmt::format("{} {}", question.each[i], cell.setting[i]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string side_text(const AnsweredCell& cell)
{
  return cell.side ? std::string(threshold_side_names.text(*cell.side)) : "open";
}

Json interval_json(const std::optional<ClusterInterval>& interval)
{
  return has_ends(interval) ? Json{{"low", study_number(interval->low)}, {"high", study_number(interval->high)}}
                            : Json();
}

Json cell_json(const StudyQuestion& question, const AnsweredCell& cell)
{
  Json setting = Json::object();
  for (std::size_t i = 0; i < cell.setting.size(); ++i) {
    setting[question.each[i]] = cell.setting[i];
  }
  return {{"setting", std::move(setting)},
          {"values", cell.values},
          {"clusters", cell.clusters},
          {"missing", cell.missing},
          {"estimate", study_number(cell.estimate)},
          {"interval", interval_json(cell.interval)},
          {"decisive_interval", interval_json(cell.decisive)},
          {"decisive_error", study_number(cell.error)},
          {"p", study_number(cell.p)},
          {"side", cell.side ? Json(threshold_side_names.text(*cell.side)) : Json()},
          {"no_interval_because", cell.open.empty() ? Json() : Json(cell.open)},
          {"median", study_number(cell.median)},
          {"quantile_95", study_number(cell.high)},
          {"largest", study_number(cell.largest)},
          {"effect", cell.effect ? Json(study_number(*cell.effect)) : Json()}};
}

Json question_json(const StudyAnswer& answer)
{
  const StudyQuestion& question = *answer.question;
  Json json = {{"name", question.name},
               {"text", question.text},
               {"value", question.value.text()},
               {"unit", question.unit},
               {"statistic", statistic_text(question)},
               {"rule", rule_text(question)},
               {"conclusion", conclusion_names.text(answer.conclusion)},
               {"conclusion_text", conclusion_text(answer)},
               {"cells", Json::array()}};
  for (const AnsweredCell& cell : answer.cells) {
    json["cells"].push_back(cell_json(question, cell));
  }
  return json;
}

} // namespace

std::string study_number(double number)
{
  std::string text = fmt::format("{:.4g}", number);
  if (text.find('e') != std::string::npos) {
    text = fmt::format("{:.0f}", number);
    if (std::abs(number) < 1) {
      text = fmt::format("{:.7f}", number);
    }
  }
  return text == "-0" ? "0" : text;
}

std::string answer_picture_name(const StudyDesign& design, const StudyQuestion& question)
{
  return as_output_name(design.name + "." + question.name);
}

std::vector<std::vector<std::string>> answer_table(const StudyDesign& design, const StudyAnswer& answer)
{
  const StudyQuestion& question = *answer.question;
  std::vector<std::string> header = question.each;
  const std::string unit = estimate_unit(question);
  const std::string statistic = with_unit(statistic_text(question), unit.empty() ? "" : "(" + unit + ")");
  for (const std::string& title :
       {question.statistic == StudyStatistic::slope ? std::string("slopes")
        : question.between.empty()                  ? std::string("runs")
                                                    : std::string("pairs"),
        design.cluster, statistic, std::string("95 % from"), std::string("to"), std::string("decisive from"),
        std::string("to"), std::string("side"), std::string("median"), std::string("95 % at most"),
        std::string("largest"), std::string("effect")}) {
    header.push_back(title);
  }
  std::vector<std::vector<std::string>> lines = {std::move(header)};
  for (const AnsweredCell& cell : answer.cells) {
    std::vector<std::string> line = cell.setting;
    line.push_back(fmt::to_string(cell.values));
    line.push_back(fmt::to_string(cell.clusters));
    line.push_back(study_number(cell.estimate));
    for (const std::optional<ClusterInterval>* interval : {&cell.interval, &cell.decisive}) {
      line.push_back(has_ends(*interval) ? study_number((*interval)->low) : "-");
      line.push_back(has_ends(*interval) ? study_number((*interval)->high) : "-");
    }
    line.push_back(side_text(cell));
    line.push_back(study_number(cell.median));
    line.push_back(study_number(cell.high));
    line.push_back(study_number(cell.largest));
    line.push_back(cell.effect ? study_number(*cell.effect) : "-");
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string conclusion_text(const StudyAnswer& answer)
{
  const StudyQuestion& question = *answer.question;
  const auto with_side = [&](ThresholdSide side) {
    return std::ranges::count_if(answer.cells, [=](const AnsweredCell& cell) { return cell.side == side; });
  };
  const auto by_estimate = [](const AnsweredCell& one, const AnsweredCell& other) {
    return one.estimate < other.estimate;
  };
  std::string text = fmt::format("{}: of {} {}, {} {} above {} and {} below", conclusion_names.text(answer.conclusion),
                                 answer.cells.size(), answer.cells.size() == 1 ? "cell" : "cells",
                                 with_side(ThresholdSide::above), with_side(ThresholdSide::above) == 1 ? "lies" : "lie",
                                 question.threshold.written, with_side(ThresholdSide::below));
  const auto largest = std::ranges::max_element(answer.cells, by_estimate);
  const auto smallest = std::ranges::min_element(answer.cells, by_estimate);
  const auto named = [&](const AnsweredCell& cell) {
    const std::string setting = setting_text(question, cell);
    return interval_text(question, cell) + (setting.empty() ? "" : ", " + setting);
  };
  text += fmt::format("; the {} is {}{}", statistic_text(question), answer.cells.size() > 1 ? "at most " : "",
                      named(*largest));
  if (answer.cells.size() > 1) {
    text += fmt::format(", and at least {}", named(*smallest));
  }
  return text;
}

std::string runs_text(const StudyResult& result)
{
  const auto& rows = result.observations.rows;
  const auto done = std::ranges::count_if(rows, StudyObservations::is_done);
  return fmt::format("{} runs{}", rows.size(),
                     done == std::ssize(rows) ? std::string()
                                              : fmt::format(", of which {} did not end", std::ssize(rows) - done));
}

std::string study_listing(const StudyResult& result)
{
  std::size_t cells = 0;
  for (const StudyAnswer& answer : result.answers) {
    cells += answer.cells.size();
  }
  std::string text =
      fmt::format("{} ({}): {}\n{}; intervals by {}, {} resamples; all {} cells together: 95 %\n", result.design.name,
                  study_scale_names.text(result.design.scale), result.design.question, runs_text(result),
                  result.design.cluster, study_draws(cells), cells);
  for (const StudyAnswer& answer : result.answers) {
    const StudyQuestion& question = *answer.question;
    text += fmt::format("\n{}: {}\n  rule: it holds if {}\n\n", question.name, question.text, rule_text(question));
    text += aligned(answer_table(result.design, answer));
    text += fmt::format("\n  {}\n", conclusion_text(answer));
  }
  return text;
}

nlohmann::ordered_json study_json(const StudyResult& result)
{
  Json factors = Json::object();
  for (std::size_t i = 0; i < result.observations.factors; ++i) {
    factors[result.observations.columns[i]] = factor_levels(result.observations, result.observations.columns[i]);
  }
  const auto done = std::ranges::count_if(result.observations.rows, StudyObservations::is_done);
  Json json = {{"format", "wormcast-study/1"},
               {"version", program_version()},
               {"study", result.design.name},
               {"scale", study_scale_names.text(result.design.scale)},
               {"question", result.design.question},
               {"cluster", result.design.cluster},
               {"factors", std::move(factors)},
               {"runs", result.observations.rows.size()},
               {"not_done", std::ssize(result.observations.rows) - done},
               {"questions", Json::array()}};
  for (const StudyAnswer& answer : result.answers) {
    json["questions"].push_back(question_json(answer));
  }
  return json;
}

} // namespace wormcast
