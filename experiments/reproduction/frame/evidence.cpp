#include "wormcast/experiments/reproduction/frame/evidence.hpp"

#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/csv.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

constexpr auto series_kind_names = names<ExhibitSeries::Kind>(
    {{ExhibitSeries::Kind::measured, "measured"}, {ExhibitSeries::Kind::predicted, "predicted"}});

Json point_json(const ExhibitPoint& point)
{
  Json json = {point.x, point.y};
  if (!point.low.empty()) {
    json.push_back(point.low);
    json.push_back(point.high);
  }
  return json;
}

ExhibitPoint point_from_json(const Json& json)
{
  ExhibitPoint point{json.at(0), json.at(1)};
  if (json.size() == 4) {
    point.low = json[2];
    point.high = json[3];
  }
  return point;
}

Json figure_json(const ExhibitFigure& figure)
{
  Json series = Json::array();
  for (const ExhibitSeries& one : figure.series) {
    Json points = Json::array();
    for (const ExhibitPoint& point : one.points) {
      points.push_back(point_json(point));
    }
    series.push_back({{"title", one.title}, {"kind", series_kind_names.text(one.kind)}, {"points", std::move(points)}});
  }
  Json marks = Json::array();
  for (const ExhibitMark& mark : figure.marks) {
    marks.push_back({{"x", mark.x}, {"y", mark.y}, {"label", mark.label}});
  }
  return {{"title", figure.title}, {"x_label", figure.x_label}, {"y_label", figure.y_label},
          {"log_x", figure.log_x}, {"log_y", figure.log_y},     {"series", series},
          {"marks", marks}};
}

ExhibitFigure figure_from_json(const Json& json)
{
  ExhibitFigure figure{
      json.at("title"), json.at("x_label"), json.at("y_label"), json.at("log_x"), json.at("log_y"), {}, {}};
  for (const Json& one : json.at("series")) {
    ExhibitSeries series;
    series.title = one.at("title");
    series.kind = series_kind_names.read(one.at("kind").get<std::string>());
    for (const Json& point : one.at("points")) {
      series.points.push_back(point_from_json(point));
    }
    figure.series.push_back(std::move(series));
  }
  for (const Json& mark : json.at("marks")) {
    figure.marks.push_back({mark.at("x"), mark.at("y"), mark.at("label")});
  }
  return figure;
}

Json matrix_json(const ExhibitMatrix& matrix)
{
  return {{"title", matrix.title},   {"x_label", matrix.x_label}, {"y_label", matrix.y_label}, {"y_up", matrix.y_up},
          {"values", matrix.values}, {"labels", matrix.labels},   {"marked", matrix.marked}};
}

ExhibitMatrix matrix_from_json(const Json& json)
{
  ExhibitMatrix matrix;
  matrix.title = json.at("title");
  matrix.x_label = json.at("x_label");
  matrix.y_label = json.at("y_label");
  matrix.y_up = json.at("y_up");
  json.at("values").get_to(matrix.values);
  json.at("labels").get_to(matrix.labels);
  json.at("marked").get_to(matrix.marked);
  return matrix;
}

ExhibitTable table_from_json(const Json& json)
{
  ExhibitTable table;
  table.title = json.at("title");
  json.at("header").get_to(table.header);
  json.at("rows").get_to(table.rows);
  return table;
}

std::string figures_csv(const std::vector<ExhibitFigure>& figures)
{
  const std::vector<std::string> header = {"figure", "series", "kind", "x", "y", "low", "high"};
  std::string csv = csv_line(header);
  for (const ExhibitFigure& figure : figures) {
    for (const ExhibitSeries& series : figure.series) {
      for (const ExhibitPoint& point : series.points) {
        const std::vector<std::string> cells = {
            figure.title, series.title, std::string(series_kind_names.text(series.kind)), point.x, point.y,
            point.low,    point.high};
        csv += csv_line(cells);
      }
    }
  }
  return csv;
}

} // namespace

Json evidence_json(const Evidence& evidence)
{
  Json json;
  json["measured"] = evidence.measured;
  json["verdict"] = verdict_names.text(evidence.verdict);
  json["correction"] = evidence.correction;
  json["readings"] = Json::array();
  for (const Reading& reading : evidence.readings) {
    json["readings"].push_back(
        {{"text", reading.text}, {"verdict", verdict_names.text(reading.verdict)}, {"measured", reading.measured}});
  }
  json["counterexample"] = nullptr;
  if (evidence.counterexample) {
    json["counterexample"] = {{"text", evidence.counterexample->text}, {"schedule", evidence.counterexample->schedule}};
  }
  json["figures"] = Json::array();
  for (const ExhibitFigure& figure : evidence.figures) {
    json["figures"].push_back(figure_json(figure));
  }
  json["matrices"] = Json::array();
  for (const ExhibitMatrix& matrix : evidence.matrices) {
    json["matrices"].push_back(matrix_json(matrix));
  }
  json["tables"] = Json::array();
  for (const ExhibitTable& table : evidence.tables) {
    json["tables"].push_back({{"title", table.title}, {"header", table.header}, {"rows", table.rows}});
  }
  return json;
}

Evidence evidence_from_json(const Json& json)
{
  Evidence evidence;
  evidence.measured = json.at("measured");
  evidence.verdict = verdict_names.read(json.at("verdict").get<std::string>());
  evidence.correction = json.at("correction");
  for (const Json& reading : json.at("readings")) {
    evidence.readings.push_back(
        {reading.at("text"), verdict_names.read(reading.at("verdict").get<std::string>()), reading.at("measured")});
  }
  if (const Json& counterexample = json.at("counterexample"); !counterexample.is_null()) {
    evidence.counterexample = Counterexample{counterexample.at("text"), counterexample.at("schedule")};
  }
  for (const Json& figure : json.at("figures")) {
    evidence.figures.push_back(figure_from_json(figure));
  }
  for (const Json& matrix : json.at("matrices")) {
    evidence.matrices.push_back(matrix_from_json(matrix));
  }
  for (const Json& table : json.at("tables")) {
    evidence.tables.push_back(table_from_json(table));
  }
  return evidence;
}

std::vector<std::pair<std::string, std::string>> exhibit_csvs(const Evidence& evidence)
{
  std::vector<std::pair<std::string, std::string>> files;
  if (!evidence.figures.empty()) {
    files.emplace_back(".csv", figures_csv(evidence.figures));
  }
  for (std::size_t i = 0; i < evidence.tables.size(); ++i) {
    std::string csv = csv_line(evidence.tables[i].header);
    for (const std::vector<std::string>& row : evidence.tables[i].rows) {
      csv += csv_line(row);
    }
    files.emplace_back(fmt::format(".table-{}.csv", i + 1), std::move(csv));
  }
  for (std::size_t i = 0; i < evidence.matrices.size(); ++i) {
    std::string csv;
    for (const std::vector<std::string>& row : evidence.matrices[i].values) {
      csv += csv_line(row);
    }
    files.emplace_back(fmt::format(".matrix-{}.csv", i + 1), std::move(csv));
  }
  return files;
}

} // namespace wormcast
