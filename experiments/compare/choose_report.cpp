#include "wormcast/experiments/compare/choose_report.hpp"

#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// "depth=3 block=0", "segments=12..40".
std::string values_text(const ChosenAlgorithm& piece)
{
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

} // namespace

std::string choice_text(const Experiment& experiment, const Choice& choice)
{
  const NetworkParameters& network = experiment.network;
  std::vector<std::vector<std::string>> lines = {{"fastest", "from bytes", "", "by"}};
  for (const ChosenAlgorithm& piece : choice.pieces) {
    const std::string values = values_text(piece);
    lines.push_back({piece.name + (values.empty() ? "" : " " + values), format_exact(piece.from),
                     format_rounded(piece.from, 3), std::string(how(piece))});
  }
  return fmt::format("{}: {} from {}, {} to {}, startup {}, {} per byte\n\n", experiment.topology->title(),
                     operation_name(choice.operation), experiment.topology->node_name(experiment.request.source),
                     format_bytes(choice.lengths.first), format_bytes(choice.lengths.last),
                     format_time(network.startup), short_time(network.per_byte)) +
         aligned(lines) +
         fmt::format("{} by proved formulas, {} by simulation, {} do not run here\n", choice.by_formula,
                     choice.by_simulation, choice.left_out);
}

std::string choice_csv(const Choice& choice)
{
  std::string csv = csv_line(std::vector<std::string>{"from_bytes", "to_bytes", "algorithm", "parameters", "by"});
  for (std::size_t i = 0; i < choice.pieces.size(); ++i) {
    const ChosenAlgorithm& piece = choice.pieces[i];
    csv += csv_line(std::vector<std::string>{format_exact(piece.from), format_exact(end_of(choice, i)), piece.name,
                                             values_text(piece), std::string(how(piece))});
  }
  return csv;
}

std::string choice_json_text(const Experiment& experiment, const Choice& choice)
{
  Json json;
  json["format"] = "wormcast-choice/1";
  json["config"] = experiment.effective;
  json["operation"] = operation_name(choice.operation);
  json["fastest"] = Json::array();
  for (std::size_t i = 0; i < choice.pieces.size(); ++i) {
    const ChosenAlgorithm& piece = choice.pieces[i];
    Json entry = {{"from_bytes", format_exact(piece.from)},
                  {"to_bytes", format_exact(end_of(choice, i))},
                  {"algorithm", piece.name},
                  {"parameters", values_json(piece)},
                  {"by", how(piece)}};
    if (!piece.segments.empty()) {
      entry["chosen"] = {{piece.segments, {piece.fewest_segments, piece.most_segments}}};
    }
    json["fastest"].push_back(std::move(entry));
  }
  json["by_formula"] = choice.by_formula;
  json["by_simulation"] = choice.by_simulation;
  json["left_out"] = choice.left_out;
  json["version"] = program_version();
  return json_text(json, JsonLayout::indented) + "\n";
}

} // namespace wormcast
