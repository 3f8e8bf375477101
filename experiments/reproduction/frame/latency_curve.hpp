#pragma once

#include "wormcast/experiments/reproduction/frame/broadcast_case.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// Latency of an algorithm against the message length, as predicted (alpha*T_s + beta*L*T_c, an exact line) and as
/// measured by the simulator.
struct LatencyCurve {
  std::string title; ///< "NP-RD(2)"
  CostLine line;     ///< picoseconds
  std::vector<MeasuredLatency> measured;
  std::vector<std::int64_t> predicted; ///< by measured length, in picoseconds: with blocks of whole bytes
};

/// Whether every measured latency is the predicted one.
std::vector<Observation> prediction_observations(std::span<const LatencyCurve> curves);

/// Network of the papers' figures: start-up 150 us, 0.5 us per byte, no time per hop, and `broadcast`'s ports.
NetworkParameters figure_network(const BroadcastCase& broadcast);

/// The simulated run of a schedule; stops with std::runtime_error if it ends in a deadlock.
SimulationResult simulated(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                           const RunParameters& run = {});

/// The curve of a broadcast in lockstep on figure_network, measured for `lengths`.
LatencyCurve latency_curve(const std::string& title, const BroadcastCase& broadcast,
                           std::span<const std::uint64_t> lengths);

/// Curves cross the boundary between processes as JSON.
nlohmann::ordered_json curve_json(const LatencyCurve& curve);
LatencyCurve curve_from_json(const nlohmann::ordered_json& json);

/// first, first * factor, ... up to last.
std::vector<std::uint64_t> geometric_lengths(std::uint64_t first, std::uint64_t last, std::uint64_t factor);

/// Lines and points, with the crossings of the lower envelope marked by their exact lengths.
ExhibitFigure latency_figure(const std::string& title, std::span<const LatencyCurve> curves);

/// The lower envelope of the lines, one piece after the other.
std::vector<EnvelopePiece> envelope_of(std::span<const LatencyCurve> curves);

/// "RD < 200/3 < NP-RD(1) < 300 < ...": what is lowest from which length on, in bytes.
std::string envelope_text(std::span<const LatencyCurve> curves);

/// Where the curve called `title` is the lowest: from, to (none: for ever); an empty answer: nowhere.
struct LengthRange {
  ExactNumber from;
  std::optional<ExactNumber> to;
};
std::optional<LengthRange> lowest_range(std::span<const LatencyCurve> curves, const std::string& title);

/// The curve called `title`. It must be there.
const LatencyCurve& curve_called(std::span<const LatencyCurve> curves, const std::string& title);

} // namespace wormcast
