#include "wormcast/experiments/output/figure_json.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;
using Look = PlotSeries::Look;

constexpr auto look_names = names<Look>({{Look::points, "points"},
                                         {Look::line, "line"},
                                         {Look::points_and_line, "points_and_line"},
                                         {Look::band, "band"},
                                         {Look::bound, "bound"},
                                         {Look::mark, "mark"}});
constexpr auto unit_names = names<AxisUnit>({{AxisUnit::number, "number"}, {AxisUnit::bytes, "bytes"}});

/// The text of a decimal number, as it is.
std::string read_decimal(const Json& json)
{
  auto text = json.get<std::string>();
  const std::optional<double> number = number_of_text<double>(text);
  if (!number || !std::isfinite(*number)) {
    throw InputError(fmt::format("found \"{}\", expected a number", printable(text)));
  }
  return text;
}

Json points_json(const std::vector<PlotPoint>& points)
{
  Json all = Json::array();
  for (const PlotPoint& point : points) {
    Json one = {point.x, point.y};
    if (!point.low.empty() || !point.high.empty()) {
      one.push_back(point.low);
      one.push_back(point.high);
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::string read_end(const Json& point, std::size_t position)
{
  return point.size() > position && !point.at(position).get<std::string>().empty() ? read_decimal(point.at(position))
                                                                                   : std::string();
}

std::vector<PlotPoint> read_points(const Json& json)
{
  std::vector<PlotPoint> points;
  for (const Json& point : json) {
    points.push_back({read_decimal(point.at(0)), read_decimal(point.at(1)), read_end(point, 2), read_end(point, 3)});
  }
  return points;
}

Json all_series_json(const std::vector<PlotSeries>& all)
{
  Json json = Json::array();
  for (const PlotSeries& series : all) {
    json.push_back({{"title", series.title},
                    {"look", look_names.text(series.look)},
                    {"style", series.style},
                    {"points", points_json(series.points)}});
  }
  return json;
}

std::vector<PlotSeries> read_all_series(const Json& json)
{
  std::vector<PlotSeries> all;
  for (const Json& series : json) {
    all.push_back({.title = series.at("title"),
                   .look = look_names.read(series.at("look").get<std::string>()),
                   .style = series.at("style"),
                   .points = read_points(series.at("points"))});
  }
  return all;
}

Json axis_json(const PlotAxis& axis)
{
  Json tics = Json::array();
  for (const PlotTic& tic : axis.tics) {
    tics.push_back({tic.at, tic.label});
  }
  return {{"label", axis.label},     {"log", axis.log},     {"unit", unit_names.text(axis.unit)},
          {"tics", std::move(tics)}, {"names", axis.names}, {"end", axis.end ? Json(*axis.end) : Json(nullptr)}};
}

PlotAxis read_axis(const Json& json)
{
  PlotAxis axis{.label = json.at("label"),
                .log = json.at("log"),
                .unit = unit_names.read(json.at("unit").get<std::string>()),
                .names = json.at("names")};
  for (const Json& tic : json.at("tics")) {
    axis.tics.push_back({read_decimal(tic.at(0)), tic.at(1)});
  }
  if (!json.at("end").is_null()) {
    axis.end = json.at("end").get<double>();
  }
  return axis;
}

} // namespace

Json figure_json(const Figure& figure)
{
  Json panels = Json::array();
  for (const PlotPanel& panel : figure.panels) {
    panels.push_back({{"title", panel.title}, {"series", all_series_json(panel.series)}});
  }
  return {{"title", figure.title},
          {"x", axis_json(figure.x)},
          {"y", axis_json(figure.y)},
          {"panels", std::move(panels)},
          {"keys", all_series_json(figure.keys)},
          {"notes", figure.notes}};
}

Figure read_figure(const Json& json)
{
  Figure figure{.title = json.at("title"),
                .x = read_axis(json.at("x")),
                .y = read_axis(json.at("y")),
                .keys = read_all_series(json.at("keys")),
                .notes = json.at("notes")};
  for (const Json& panel : json.at("panels")) {
    figure.panels.push_back({panel.at("title"), read_all_series(panel.at("series"))});
  }
  return figure;
}

} // namespace wormcast
