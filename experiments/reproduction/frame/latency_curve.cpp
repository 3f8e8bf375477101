#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"

#include "wormcast/simulator/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace wormcast {

namespace {

constexpr std::int64_t picoseconds_per_microsecond = 1'000'000;

} // namespace

NetworkParameters figure_network(const BroadcastCase& broadcast)
{
  NetworkParameters network;
  network.startup = Time{150 * picoseconds_per_microsecond};
  network.per_byte = Time{picoseconds_per_microsecond / 2};
  network.ports = broadcast.ports;
  network.duplex = broadcast.duplex;
  network.routing.tie = broadcast.tie;
  return network;
}

SimulationResult simulated(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                           const RunParameters& run)
{
  SimulationResult result = simulate_core(topology, schedule, network, run);
  if (result.deadlock) {
    throw std::runtime_error(fmt::format("the run on the {} ended in a deadlock", topology.title()));
  }
  return result;
}

LatencyCurve latency_curve(const std::string& title, const BroadcastCase& broadcast,
                           std::span<const std::uint64_t> lengths)
{
  const auto topology = topology_of(broadcast);
  Schedule schedule = schedule_of(broadcast, *topology);
  const NetworkParameters network = figure_network(broadcast);
  const ScheduleCosts costs = schedule_costs(*topology, schedule);
  LatencyCurve curve{.title = title, .line = {}, .measured = {}, .predicted = {}};
  curve.line.fixed = ExactNumber(costs.alpha) * network.startup.picoseconds;
  curve.line.per_byte = ExactNumber(costs.beta.numerator(), costs.beta.denominator()) * network.per_byte.picoseconds();
  for (const std::uint64_t length : lengths) {
    schedule.message_bytes = length;
    curve.measured.push_back({length, simulated(*topology, schedule, network).latency.value().picoseconds});
    const std::uint64_t bytes = schedule_costs(*topology, schedule).beta_bytes;
    curve.predicted.push_back(
        (static_cast<std::int64_t>(costs.alpha) * network.startup + time_of_bytes(network.per_byte, bytes).value())
            .picoseconds);
  }
  return curve;
}

std::vector<Observation> prediction_observations(std::span<const LatencyCurve> curves)
{
  std::vector<Observation> observations;
  for (const LatencyCurve& curve : curves) {
    for (std::size_t i = 0; i < curve.measured.size(); ++i) {
      observations.push_back({.what = fmt::format("{}, {} bytes", curve.title, curve.measured[i].bytes),
                              .expected = format_microseconds(ExactNumber(curve.predicted[i])) + " us",
                              .found = format_microseconds(ExactNumber(curve.measured[i].picoseconds)) + " us",
                              .holds = curve.measured[i].picoseconds == curve.predicted[i]});
    }
  }
  return observations;
}

nlohmann::ordered_json curve_json(const LatencyCurve& curve)
{
  nlohmann::ordered_json json = {{"title", curve.title},
                                 {"fixed", format_exact(curve.line.fixed)},
                                 {"per_byte", format_exact(curve.line.per_byte)},
                                 {"measured", nlohmann::ordered_json::array()},
                                 {"predicted", curve.predicted}};
  for (const MeasuredLatency& point : curve.measured) {
    json["measured"].push_back({point.bytes, point.picoseconds});
  }
  return json;
}

LatencyCurve curve_from_json(const nlohmann::ordered_json& json)
{
  LatencyCurve curve;
  curve.title = json.at("title");
  curve.line.fixed = ExactNumber(json.at("fixed").get<std::string>());
  curve.line.per_byte = ExactNumber(json.at("per_byte").get<std::string>());
  curve.predicted = json.at("predicted").get<std::vector<std::int64_t>>();
  for (const auto& point : json.at("measured")) {
    curve.measured.push_back({point.at(0), point.at(1)});
  }
  return curve;
}

std::vector<std::uint64_t> geometric_lengths(std::uint64_t first, std::uint64_t last, std::uint64_t factor)
{
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t length = first; length <= last; length *= factor) {
    lengths.push_back(length);
  }
  return lengths;
}

std::vector<EnvelopePiece> envelope_of(std::span<const LatencyCurve> curves)
{
  std::vector<CostLine> lines;
  for (const LatencyCurve& curve : curves) {
    lines.push_back(curve.line);
  }
  return lower_envelope(lines);
}

ExhibitFigure latency_figure(const std::string& title, std::span<const LatencyCurve> curves)
{
  ExhibitFigure figure{.title = title,
                       .x_label = "message length (bytes)",
                       .y_label = "latency (us)",
                       .log_x = true,
                       .log_y = true,
                       .series = {},
                       .marks = {}};
  for (const LatencyCurve& curve : curves) {
    ExhibitSeries predicted{.title = curve.title, .kind = ExhibitSeries::Kind::predicted, .points = {}};
    ExhibitSeries measured{.title = curve.title, .kind = ExhibitSeries::Kind::measured, .points = {}};
    for (const MeasuredLatency& point : curve.measured) {
      const std::string x = fmt::to_string(point.bytes);
      predicted.points.push_back({.x = x, .y = format_microseconds(curve.line.at(ExactNumber(point.bytes)))});
      measured.points.push_back({.x = x, .y = format_microseconds(ExactNumber(point.picoseconds))});
    }
    figure.series.push_back(std::move(predicted));
    figure.series.push_back(std::move(measured));
  }
  for (const EnvelopePiece& piece : envelope_of(curves)) {
    if (piece.from > 0) {
      const LatencyCurve& curve = curves[piece.line];
      figure.marks.push_back({.x = format_rounded(piece.from, 3),
                              .y = format_microseconds(curve.line.at(piece.from)),
                              .label = fmt::format("{} from {} bytes", curve.title, format_exact(piece.from))});
    }
  }
  return figure;
}

std::string envelope_text(std::span<const LatencyCurve> curves)
{
  std::string text;
  for (const EnvelopePiece& piece : envelope_of(curves)) {
    text += piece.from > 0 ? fmt::format(" < {} < ", format_exact(piece.from)) : std::string();
    text += curves[piece.line].title;
  }
  return text;
}

std::optional<LengthRange> lowest_range(std::span<const LatencyCurve> curves, const std::string& title)
{
  const std::vector<EnvelopePiece> pieces = envelope_of(curves);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (curves[pieces[i].line].title == title) {
      return LengthRange{pieces[i].from, i + 1 < pieces.size() ? std::optional(pieces[i + 1].from) : std::nullopt};
    }
  }
  return std::nullopt;
}

const LatencyCurve& curve_called(std::span<const LatencyCurve> curves, const std::string& title)
{
  const auto found = std::ranges::find(curves, title, &LatencyCurve::title);
  if (found == curves.end()) {
    throw std::logic_error("there is no curve " + title);
  }
  return *found;
}

} // namespace wormcast
