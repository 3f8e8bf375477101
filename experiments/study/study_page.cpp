#include "wormcast/experiments/study/study_report.hpp"
#include "wormcast/experiments/sweep/cell_number.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace wormcast {

namespace {

/// A cell of a table in Markdown.
std::string page_cell(const std::string& text)
{
  std::string escaped;
  for (const char c : text) {
    escaped += std::string_view("|*_`<").find(c) != std::string_view::npos ? std::string("\\") + c : std::string(1, c);
  }
  return escaped;
}

std::string page_table(const std::vector<std::vector<std::string>>& lines, std::size_t names)
{
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += "|";
    for (const std::string& cell : lines[i]) {
      text += " " + page_cell(cell) + " |";
    }
    text += "\n";
    if (i == 0) {
      text += "|";
      for (std::size_t column = 0; column < lines[i].size(); ++column) {
        text += column < names ? "---|" : "---:|";
      }
      text += "\n";
    }
  }
  return text;
}

std::string factors_table(const StudyResult& result)
{
  std::vector<std::vector<std::string>> lines = {{"factor", "levels"}};
  for (std::size_t i = 0; i < result.observations.factors; ++i) {
    const std::string& factor = result.observations.columns[i];
    std::vector<std::string> levels = factor_levels(result.observations, factor);
    std::ranges::replace(levels, std::string(), std::string("none"));
    constexpr std::size_t most_named = 12;
    lines.push_back({factor, levels.size() <= most_named ? fmt::format("{}", fmt::join(levels, ", "))
                                                         : fmt::format("{} levels, from {} to {}", levels.size(),
                                                                       levels.front(), levels.back())});
  }
  return page_table(lines, 2);
}

std::string question_section(const StudyResult& result, const StudyAnswer& answer)
{
  const StudyQuestion& question = *answer.question;
  std::string text = fmt::format("## {}\n\n", question.text);
  std::string value = fmt::format("`{}`", question.value.text());
  if (!question.between.empty()) {
    value = fmt::format("the {} difference of {} between runs with {} `{}` and `{}` that are the same in {}",
                        question.relative ? "relative" : "absolute", value, question.between, question.second,
                        question.first, fmt::join(question.paired_on, ", "));
  }
  if (question.statistic == StudyStatistic::slope) {
    value += fmt::format(" against `{}`", question.on.text());
  }
  text += fmt::format("Value: {}{}.", value, question.unit.empty() ? "" : ", in " + question.unit);
  for (const auto& [factor, levels] : question.where) {
    text += fmt::format(" Only {} {}.", page_cell(factor), page_cell(fmt::format("{}", fmt::join(levels, " or "))));
  }
  text += fmt::format("\nRule: it holds if {}.\n\n", rule_text(question));
  std::string conclusion = conclusion_text(answer);
  const std::size_t colon = conclusion.find(':');
  text += fmt::format("**{}**{}.\n\n", conclusion.substr(0, colon), page_cell(conclusion.substr(colon)));
  text += page_table(answer_table(result.design, answer), question.each.size());
  text += fmt::format("\n![{}]({}.svg)\n", question.text, answer_picture_name(result.design, question));
  return text;
}

} // namespace

std::string study_page(const StudyResult& result, const std::string& command)
{
  std::size_t cells = 0;
  for (const StudyAnswer& answer : result.answers) {
    cells += answer.cells.size();
  }
  std::string text = fmt::format("# {}\n\n{}\n", result.design.name, result.design.question);
  if (!result.design.background.empty()) {
    text += "\n" + result.design.background + (result.design.background.ends_with('\n') ? "" : "\n");
  }
  text += fmt::format(
      "\n## Conclusions\n\nScale {}. Each is right with 95 % for all {} cells of all questions together.\n\n",
      study_scale_names.text(result.design.scale), cells);
  for (const StudyAnswer& answer : result.answers) {
    text += fmt::format("- {} **{}**{}.\n", answer.question->text, conclusion_names.text(answer.conclusion),
                        page_cell(conclusion_text(answer).substr(conclusion_names.text(answer.conclusion).size())));
  }
  text += fmt::format("\n## Design\n\n{}. Questions, rules and levels are those of the study's file.\n\n{}",
                      runs_text(result), factors_table(result));
  const std::string cluster = page_cell(result.design.cluster);
  text += fmt::format(
      "\nRuns with the same {0} hang together, and each {0} has seeds of its own: intervals resample whole {0} values, "
      "{1} times. Those of means and shares are symmetric bootstrap-t intervals, those of quantiles percentiles. The first "
      "interval of a table is that of one cell alone. The decisive one is as wide as Holm's procedure asks over all cells "
      "of all questions, and it alone decides; \"open\": the threshold lies in it. The effect is the mean over the standard "
      "deviation of the means by {0}.\n",
      cluster, study_draws(cells));
  for (const StudyAnswer& answer : result.answers) {
    text += "\n" + question_section(result, answer);
  }
  text += "\n## Limits\n\n";
  for (const std::string& limit : result.design.limits) {
    text += fmt::format("- {}\n", limit);
  }
  text += fmt::format("\n## Again\n\n```sh\n{}\n```\n", command);
  return text;
}

Figure answer_figure(const StudyAnswer& answer)
{
  const StudyQuestion& question = *answer.question;
  const std::string unit = question.statistic == StudyStatistic::share_above ? "%" : question.unit;
  Figure figure;
  figure.title = question.text;
  figure.y.label = statistic_text(question) + (unit.empty() ? "" : " (" + unit + ")");
  figure.x.names = true;
  figure.x.label = question.each.empty() ? "" : question.each.back();
  PlotPanel& panel = figure.panels.emplace_back();
  std::vector<std::string> marks;
  for (const AnsweredCell& cell : answer.cells) {
    const std::string mark = cell.setting.empty() ? "all runs" : cell.setting.back();
    auto place = std::ranges::find(marks, mark);
    if (place == marks.end()) {
      place = marks.insert(place, mark);
      figure.x.tics.push_back({.at = fmt::to_string(marks.size()), .label = mark});
    }
    const auto at = static_cast<std::size_t>(place - marks.begin()) + 1;
    std::vector<std::string> others(cell.setting.begin(), cell.setting.end() - (cell.setting.empty() ? 0 : 1));
    const std::string title = fmt::format("{}", fmt::join(others, ", "));
    auto series = std::ranges::find(panel.series, title, &PlotSeries::title);
    if (series == panel.series.end()) {
      series = panel.series.insert(
          series,
          {.title = title, .look = PlotSeries::Look::points, .style = static_cast<unsigned>(panel.series.size())});
    }
    const bool is_drawn = cell.decisive && std::isfinite(cell.decisive->high);
    series->points.push_back({.x = fmt::to_string(at),
                              .y = study_number(cell.estimate),
                              .low = is_drawn ? study_number(cell.decisive->low) : "",
                              .high = is_drawn ? study_number(cell.decisive->high) : ""});
  }
  // Beside each other, so that each interval is seen.
  constexpr double spread = 0.6;
  const auto count = static_cast<double>(panel.series.size());
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const double shift = spread * (static_cast<double>(i) - (count - 1) / 2) / count;
    for (PlotPoint& point : panel.series[i].points) {
      point.x = study_number(decimal_value(point.x) + shift);
    }
  }
  PlotSeries threshold{.title = question.threshold.written, .look = PlotSeries::Look::bound};
  const std::string level = study_number(question.threshold.value);
  threshold.points = {{.x = "0.5", .y = level}, {.x = fmt::format("{}.5", marks.size()), .y = level}};
  panel.series.push_back(std::move(threshold));
  figure.notes = {"bars: the intervals that decide, 95 % for all cells of the study together"};
  return figure;
}

} // namespace wormcast
