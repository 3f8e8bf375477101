#include "wormcast/experiments/compare/choose_report.hpp"

#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/compare/conditions.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// "depth=3 block=0", "segments=12..40".
std::string values_text(const ChosenAlgorithm& piece)
{
  if (piece.values.contains(label_parameter)) {
    return parameters_text(piece.values);
  }
  std::vector<std::string> texts;
  for (const auto& [name, value] : piece.values.items()) {
    texts.push_back(fmt::format("{}={}", name,
                                value.is_string() ? value.get<std::string>() : json_text(value, JsonLayout::one_line)));
  }
  if (!piece.segments.empty()) {
    texts.push_back(piece.fewest_segments == piece.most_segments
                        ? fmt::format("{}={}", piece.segments, piece.fewest_segments)
                        : fmt::format("{}={}..{}", piece.segments, piece.fewest_segments, piece.most_segments));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

std::string_view how(const ChosenAlgorithm& piece)
{
  return piece.simulated ? "simulation" : "formula";
}

ExactNumber end_of(const Choice& choice, std::size_t i)
{
  return i + 1 < choice.pieces.size() ? choice.pieces[i + 1].from : ExactNumber(choice.lengths.last);
}

Json values_json(const ChosenAlgorithm& piece)
{
  Json values = piece.values;
  if (!piece.segments.empty()) {
    values[piece.segments] = best_value;
  }
  return values;
}

std::string title_of(const ChosenAlgorithm& piece)
{
  const std::string values = values_text(piece);
  return piece.name + (values.empty() ? "" : " " + values);
}

/// "A; B", of more than `most` the first ones and how many more.
std::string undecided_text(const ChosenAlgorithm& piece, std::size_t most)
{
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < piece.undecided.size() && (piece.undecided.size() <= most || i + 1 < most); ++i) {
    titles.push_back(title_of(piece.undecided[i]));
  }
  if (titles.size() < piece.undecided.size()) {
    titles.push_back(fmt::format("{} more", piece.undecided.size() - titles.size()));
  }
  return fmt::format("{}", fmt::join(titles, "; "));
}

void append_algorithm(const ChosenAlgorithm& piece, std::uint32_t virtual_channels, Json& entry)
{
  entry["algorithm"] = piece.name;
  entry["parameters"] = values_json(piece);
  entry["by"] = how(piece);
  entry["deadlock_free_from"] = piece.deadlock.free_from == 0 ? Json(nullptr) : Json(piece.deadlock.free_from);
  entry["deadlock_free"] = deadlock_verdict(piece.deadlock, virtual_channels);
  if (!piece.segments.empty()) {
    entry["chosen"] = {{piece.segments, {piece.fewest_segments, piece.most_segments}}};
  }
}

} // namespace

std::string choice_text(const Experiment& experiment, const Choice& choice)
{
  const std::size_t count = choice.by_formula + choice.by_simulation;
  std::vector<std::vector<std::string>> lines = {{fmt::format("fastest of {}", count), "from bytes", "", "by"}};
  const bool virtual_channels = std::ranges::any_of(choice.pieces, [](const ChosenAlgorithm& piece) {
    return piece.undecided.empty() && piece.deadlock.checked && piece.deadlock.free_from != 1;
  });
  if (virtual_channels) {
    lines.front().emplace_back("V");
  }
  for (const ChosenAlgorithm& piece : choice.pieces) {
    lines.push_back({piece.undecided.empty() ? title_of(piece) : "not decided: " + undecided_text(piece, 3),
                     format_exact(piece.from), format_rounded(piece.from, 3), std::string(how(piece))});
    if (virtual_channels) {
      lines.back().push_back(piece.undecided.empty() ? fewest_channels_text(piece.deadlock) : "");
    }
  }
  std::string text =
      fmt::format("{}: {} from {}, {} to {}, {}\n", experiment.topology->title(),
                  operation_names.text(choice.operation), experiment.topology->node_name(experiment.request.source),
                  format_bytes(choice.lengths.first), format_bytes(choice.lengths.last),
                  conditions_text(experiment, choice.repeats)) +
      aligned(lines) + (virtual_channels ? channels_legend(experiment.network.virtual_channels) : std::string()) +
      fmt::format("{} candidates: {} by proved formulas, {} by simulation; {} do not run here{}\n", count,
                  choice.by_formula, choice.by_simulation, choice.left_out.size(),
                  choice.left_out.empty() ? "" : " (--verbose names them)");
  if (choice.repeats.kind() == LatencyKind::drawn) {
    text +=
        fmt::format("the fastest where the means of paired differences to all others are above 0, by intervals that "
                    "hold together at 95 % at each length (Student's t, Bonferroni); else not decided{}\n",
                    choice.repeats.count == 1 ? "; one run decides nothing" : "");
  }
  return text;
}

std::string choice_csv(const Choice& choice)
{
  std::string csv =
      csv_line(std::vector<std::string>{"from_bytes", "to_bytes", "algorithm", "parameters", "by", "not_decided",
                                        "from_bytes_decimal", "to_bytes_decimal", "deadlock_free_from"});
  for (std::size_t i = 0; i < choice.pieces.size(); ++i) {
    const ChosenAlgorithm& piece = choice.pieces[i];
    csv += csv_line(std::vector<std::string>{
        format_exact(piece.from), format_exact(end_of(choice, i)), piece.name, values_text(piece),
        std::string(how(piece)), undecided_text(piece, piece.undecided.size()), format_rounded(piece.from, 3),
        format_rounded(end_of(choice, i), 3), piece.undecided.empty() ? fewest_channels_cell(piece.deadlock) : ""});
  }
  return csv;
}

std::string choice_json_text(const Experiment& experiment, const Choice& choice)
{
  Json json;
  json["format"] = "wormcast-choice/1";
  json["config"] = experiment.effective;
  json["operation"] = operation_names.text(choice.operation);
  json["repeats"] = {
      {"runs", choice.repeats.count}, {"first_seed", choice.repeats.first_seed}, {"random", choice.repeats.keys}};
  json["fastest"] = Json::array();
  for (std::size_t i = 0; i < choice.pieces.size(); ++i) {
    const ChosenAlgorithm& piece = choice.pieces[i];
    Json entry = {{"from_bytes", format_exact(piece.from)},
                  {"to_bytes", format_exact(end_of(choice, i))},
                  {"decided", piece.undecided.empty()}};
    append_algorithm(piece, experiment.network.virtual_channels, entry);
    if (!piece.undecided.empty()) {
      entry["algorithm"] = nullptr;
      entry["parameters"] = nullptr;
      entry["between"] = Json::array();
      for (const ChosenAlgorithm& one : piece.undecided) {
        Json possible;
        append_algorithm(one, experiment.network.virtual_channels, possible);
        entry["between"].push_back(std::move(possible));
      }
    }
    json["fastest"].push_back(std::move(entry));
  }
  json["by_formula"] = choice.by_formula;
  json["by_simulation"] = choice.by_simulation;
  json["left_out"] = choice.left_out.size();
  json["do_not_run"] = Json::array();
  for (const LeftOutAlgorithm& one : choice.left_out) {
    json["do_not_run"].push_back({{"algorithm", one.name}, {"parameters", one.parameters}, {"reason", one.reason}});
  }
  json["version"] = program_version();
  return json_text(json, JsonLayout::indented) + "\n";
}

} // namespace wormcast
