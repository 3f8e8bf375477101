#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"
#include "wormcast/experiments/sweep/curves.hpp"

#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// Costs of a schedule whose blocks have one byte each: alpha and beta for any message length, exact and not of a
/// length that the blocks do not divide.
ScheduleCosts block_costs(const Topology& topology, Schedule schedule);

/// alpha*T_s + L*beta*T_c.
CostLine cost_line(std::uint64_t alpha, const Fraction& beta, const NetworkParameters& network);

/// The predicted cost of an experiment for any message length: alpha and beta of its schedule, beta exact in blocks and
/// not of a length that they do not divide. None for a plain message list.
std::optional<CostLine> predicted_line(const Experiment& experiment);

/// From `bytes` on the curve `second` is faster than `first`.
struct Crossing {
  std::size_t first = 0;                ///< curve
  std::size_t second = 0;               ///< curve
  std::optional<ExactNumber> predicted; ///< length
  std::optional<MeasuredCrossing> measured;
};

/// Curves over message.bytes that differ only in the algorithm or its parameters, and where they cross.
struct CrossingGroup {
  std::vector<std::string> setting; ///< cells of the axes that the curves have in common, in the order of the plan
  std::vector<std::size_t> curves;
  std::vector<Crossing> crossings;    ///< by predicted (else measured) length
  std::vector<EnvelopePiece> fastest; ///< by prediction; `line` is a curve
};

/// What is to be said about crossing points of a sweep.
struct CrossingTable {
  std::vector<std::string> axes; ///< keys of the settings
  std::vector<CrossingGroup> groups;
};

/// The crossing points of a sweep over message.bytes and some key of [algorithm]; no groups for other sweeps.
/// Cost: each curve's schedule is made once.
CrossingTable crossing_table(const RawConfig& config, const SweepPlan& plan, const SweepCurves& curves);

/// The text of crossings.csv: the common axes, both curves, predicted_bytes (an exact fraction) and its decimals,
/// the measured lengths before and behind, and measured_bytes, interpolated.
std::string crossings_csv(const CrossingTable& table, const SweepCurves& curves);

/// The same for people, with the fastest curve for each range of lengths.
std::string crossings_listing(const CrossingTable& table, const SweepCurves& curves);

} // namespace wormcast
