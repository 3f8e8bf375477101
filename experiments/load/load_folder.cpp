#include "wormcast/experiments/load/load_folder.hpp"

#include "wormcast/experiments/load/load_figure.hpp"
#include "wormcast/experiments/sweep/plots.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// What the documents of load curves begin with.
constexpr std::string_view mark_of_loads = R"({"curves":"load")";

Json curve_document(const LoadCurve& curve)
{
  Json json = {{"cells", curve.cells},
               {"error", curve.error},
               {"zero_load_ps", curve.expected.zero_load_picoseconds},
               {"points", Json::array()}};
  for (const LoadPoint& point : curve.points) {
    json["points"].push_back({{"offered", point.offered}, {"key", point.key}});
  }
  return json;
}

LoadCurve read_curve(const Json& json, const ResultStore& store, std::size_t axes)
{
  LoadCurve curve;
  curve.cells = json.at("cells").get<std::vector<std::string>>();
  if (curve.cells.size() != axes) {
    throw InputError("a curve has not as many values as there are axes");
  }
  curve.error = json.at("error");
  curve.expected.zero_load_picoseconds = json.at("zero_load_ps");
  std::vector<std::pair<double, StoredPoint>> points;
  for (const Json& point : json.at("points")) {
    if (std::optional<StoredPoint> stored = store.find(point.at("key"))) {
      points.emplace_back(point.at("offered").get<double>(), *std::move(stored));
    }
  }
  add_points(curve, points);
  return curve;
}

} // namespace

std::string load_document()
{
  return Json{{"curves", "load"}}.dump();
}

std::string load_document(const LoadPicture& picture)
{
  Json json = {{"curves", "load"}, {"title", picture.title}, {"axes", picture.curves.axes}};
  json["plots"] = Json::array();
  for (const PlotRequest& plot : picture.plots) {
    json["plots"].push_back(plot_json(plot));
  }
  json["measured"] = Json::array();
  for (const LoadCurve& curve : picture.curves.curves) {
    json["measured"].push_back(curve_document(curve));
  }
  return json.dump();
}

bool is_load_document(std::string_view document)
{
  return document.starts_with(mark_of_loads);
}

LoadPicture kept_load_picture(const ResultStore& store, bool with_plots)
{
  try {
    const Json json = Json::parse(store.sweep_document().value_or(""));
    if (!json.contains("measured")) {
      const std::string folder = store.file().parent_path().string();
      throw StoredPlotError(fmt::format("the latency-load curves are not all measured; \"wormcast load CONFIG --out {} "
                                        "--resume\" measures what is missing, then they can be drawn",
                                        folder));
    }
    LoadPicture picture;
    picture.title = json.at("title");
    picture.curves.axes = json.at("axes").get<std::vector<std::string>>();
    for (const Json& plot : with_plots ? json.at("plots") : Json::array()) {
      picture.plots.push_back(load_plot(read_plot(plot)));
    }
    for (const Json& curve : json.at("measured")) {
      picture.curves.curves.push_back(read_curve(curve, store, picture.curves.axes.size()));
    }
    return picture;
  } catch (const StoredPlotError& error) {
    throw InputError(fmt::format("{}: {}", store.file().string(), error.what()));
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{}: what it says of its curves is damaged: {}", store.file().string(), error.what()));
  }
}

} // namespace wormcast
