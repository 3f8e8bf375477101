#include "wormcast/experiments/sweep/figure_folder.hpp"

#include "wormcast/experiments/output/figure_json.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// What the documents of figures begin with.
constexpr std::string_view mark_of_figures = R"({"curves":"figure")";

} // namespace

void keep_figure(ResultStore& store, const std::string& command, const std::function<Figure()>& figure)
{
  Json json = {{"curves", "figure"}, {"command", command}};
  try {
    json["figure"] = figure_json(figure());
  } catch (const InputError& error) {
    json["none"] = error.what();
  }
  store.put_sweep({.document = json.dump(), .rows = {}});
}

bool is_figure_document(std::string_view document)
{
  return document.starts_with(mark_of_figures);
}

KeptFigure kept_figure(const ResultStore& store)
{
  const std::string file = store.file().string();
  Json json;
  try {
    json = Json::parse(store.sweep_document().value_or(""));
    if (!json.contains("none")) {
      return {.command = json.at("command"), .figure = read_figure(json.at("figure"))};
    }
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{}: what it says of its figure is damaged: {}", file, error.what()));
  }
  throw InputError(fmt::format("{}: there is no figure: {}", file, json.at("none").get<std::string>()));
}

} // namespace wormcast
