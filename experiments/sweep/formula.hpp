#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"
#include "wormcast/experiments/sweep/curves.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// Costs of a schedule whose blocks have one byte each: alpha and beta for any message length, exact and not of a
/// length that the blocks do not divide.
ScheduleCosts block_costs(const Topology& topology, Schedule schedule);

/// Returns the picoseconds of a byte.
ExactNumber exact_byte_time(ByteTime per_byte);

/// alpha*T_s + L*beta*T_c.
CostLine cost_line(std::uint64_t alpha, const Fraction& beta, const NetworkParameters& network);

/// A latency that is on this line from a length on, up to the next piece's.
struct LinePiece {
  double from = 0; ///< bytes
  CostLine line;
};

/// 100 points of such a latency in microseconds, at equal distances on an axis from `low` to `high`; none where these
/// are the same. `pieces` by ascending `from`; the first one counts from `low` on.
std::vector<PlotPoint> formula_points(std::span<const LinePiece> pieces, double low, double high, bool logarithmic);
/// The same of a single line.
std::vector<PlotPoint> formula_points(const CostLine& line, double low, double high, bool logarithmic);

/// Latency as a formula of the message length, where there is one.
struct LatencyFormula {
  /// alpha*T_s + L*beta*T_c, without hops and without the rounding of blocks to whole bytes. Only where why_no_formula
  /// finds nothing against it.
  std::optional<CostLine> line;
  std::string why_not; ///< empty where there is a line
  /// Whether the schedule is known not to do its operation: it brings not everything to every node, or counts twice.
  bool incomplete = false;
};

/// Why alpha*T_s + L*beta*T_c, but for hops and for the rounding of blocks to whole bytes, is not proved to be the
/// latency of a schedule, given the verifier's report on it; empty: it is. Proved: no message of a step meets another
/// one on a channel or at a port, every node gets what it must, steps are kept apart and begin at once (lockstep
/// without start jitter), a message without rivals takes T_s + hops*T_f + bytes*T_c (no store-and-forward, buffers that
/// cover T_f, flits of a byte).
std::string why_no_formula(const CheckReport& report, const NetworkParameters& network, const RunParameters& run);

/// The formula of an experiment's schedule on its topology. Cost: the schedule is made and verified.
LatencyFormula latency_formula(const Experiment& experiment);

/// The formulas of curves over message.bytes, by curve; none have a line where x is something else.
std::vector<LatencyFormula> curve_formulas(const RawConfig& config, const SweepPlan& plan, const SweepCurves& curves);

} // namespace wormcast
