#include "wormcast/experiments/load/load_nodes.hpp"

#include "wormcast/experiments/load/load_quantities.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// Where a point has no latencies they are null, and without messages.
void add_latencies(const std::string& prefix, const LatencyFigures& figures, bool has_latencies, Json& json)
{
  const auto time = [&](double picoseconds) {
    return has_latencies && figures.messages > 0 ? measured_microseconds(picoseconds) : Json(nullptr);
  };
  json[prefix + "messages"] = figures.messages;
  json[prefix + "latency_us"] = time(figures.mean);
  json[prefix + "latency_max_us"] = time(static_cast<double>(figures.largest));
}

Json node_json(const Topology& topology, NodeId node, const NodeFigures& figures, bool has_latencies)
{
  Json json = {{"node", index(node)}, {"name", topology.node_name(node)}};
  add_latencies("", figures.sent, has_latencies, json);
  json["accepted"] = measured_number(figures.accepted);
  add_latencies("received_", figures.received, has_latencies, json);
  json["ejected"] = measured_number(figures.ejected);
  return json;
}

Json pair_json(const PairFigures& figures, bool has_latencies)
{
  Json json = {{"source", index(figures.source)}, {"destination", index(figures.destination)}};
  add_latencies("", figures.latency, has_latencies, json);
  return json;
}

Json class_json(const ClassFigures& figures, bool has_latencies)
{
  Json json = {{counted_figures::class_name, figures.name},
               {counted_figures::class_load, measured_number(figures.offered)},
               {"accepted", measured_number(figures.accepted)},
               {"messages", figures.messages}};
  const auto time = [&](const std::string& name, std::optional<double> picoseconds) {
    json[name] = has_latencies && figures.latency.histogram.count() > 0 && picoseconds
                     ? measured_microseconds(*picoseconds)
                     : Json(nullptr);
  };
  const LatencySummary& latency = figures.latency;
  time("latency_us", latency.mean);
  time("latency_low_us", latency.half_interval ? std::optional(latency.mean - *latency.half_interval) : std::nullopt);
  time("latency_high_us", latency.half_interval ? std::optional(latency.mean + *latency.half_interval) : std::nullopt);
  time("latency_p50_us", latency.median);
  time("latency_p95_us", latency.percentile_95);
  time("latency_p99_us", latency.percentile_99);
  time("latency_max_us", static_cast<double>(latency.largest));
  time("network_latency_us", figures.network_latency.mean);
  return json;
}

/// Calls visit(curve, point, figures) for all points that have them.
void for_each_with(const LoadCurves& curves, std::string_view figures, const auto& visit)
{
  for (const LoadCurve& curve : curves.curves) {
    for (const LoadPoint& point : curve.points) {
      if (point.result.is_object() && point.result.contains(figures)) {
        visit(curve, point, point.result.at(figures));
      }
    }
  }
}

} // namespace

void add_counted_figures(const LoadExperiment& experiment, const LoadResult& result, Json& point)
{
  const bool has_latencies = has_latency(result);
  if (!result.classes.empty()) {
    Json& classes = point[counted_figures::classes] = Json::array();
    for (const ClassFigures& figures : result.classes) {
      classes.push_back(class_json(figures, has_latencies));
    }
  }
  if (!result.nodes.empty()) {
    Json& nodes = point[counted_figures::nodes] = Json::array();
    for (std::uint32_t node = 0; node < result.nodes.size(); ++node) {
      nodes.push_back(node_json(*experiment.topology, NodeId{node}, result.nodes[node], has_latencies));
    }
  }
  if (experiment.traffic.figures_of == TrafficFigures::pairs && !result.nodes.empty()) {
    Json& pairs = point[counted_figures::pairs] = Json::array();
    for (const PairFigures& pair : result.pairs) {
      pairs.push_back(pair_json(pair, has_latencies));
    }
  }
}

std::string figures_csv(const LoadCurves& curves, std::string_view figures)
{
  std::string text;
  for_each_with(curves, figures, [&](const LoadCurve& curve, const LoadPoint& point, const Json& rows) {
    for (const Json& row : rows) {
      if (text.empty()) {
        std::vector<std::string> heading = curves.axes;
        heading.emplace_back(load_quantity::offered);
        for (const auto& [name, value] : row.items()) {
          heading.push_back(name);
        }
        text += csv_line(heading);
      }
      std::vector<std::string> cells = curve.cells;
      cells.push_back(fmt::format("{}", point.offered));
      for (const Json& value : row) {
        cells.push_back(value.is_null() ? std::string() : value.is_string() ? value.get<std::string>() : value.dump());
      }
      text += csv_line(cells);
    }
  });
  return text;
}

} // namespace wormcast
