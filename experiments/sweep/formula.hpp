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

/// Latency as a formula of the message length, where there is one.
struct LatencyFormula {
  /// alpha*T_s + L*beta*T_c, without hops. Only where it is proved: no message of a step meets another one on a channel
  /// or at a port, every node gets what it must, and steps are kept apart (lockstep).
  std::optional<CostLine> line;
  std::string why_not; ///< empty where there is a line
};

/// Why alpha*T_s + L*beta*T_c is no formula for what the verifier reports of a schedule; empty: it is one.
std::string why_no_formula(const CheckReport& report, Mode mode);

/// The formula of an experiment's schedule on its topology. Cost: the schedule is made and verified.
LatencyFormula latency_formula(const Experiment& experiment);

/// The formulas of curves over message.bytes, by curve; none have a line where x is something else.
std::vector<LatencyFormula> curve_formulas(const RawConfig& config, const SweepPlan& plan, const SweepCurves& curves);

} // namespace wormcast
