#pragma once

#include "wormcast/experiments/sweep/crossings.hpp"
#include "wormcast/experiments/sweep/curves.hpp"
#include "wormcast/experiments/sweep/formula.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// From `bytes` on the curve `second` is faster than `first`.
struct Crossing {
  std::size_t first = 0;                ///< curve
  std::size_t second = 0;               ///< curve
  std::optional<ExactNumber> predicted; ///< length
  std::optional<MeasuredCrossing> measured;
};

/// A curve of which nothing is concluded by its formula.
struct WithoutFormula {
  std::size_t curve = 0;
  std::string reason;
};

/// At the measured lengths from `from` to `to` no curve is lower than these.
struct FastestMeasured {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::vector<std::size_t> curves; ///< the fastest by mean, and those that are not decided to be slower (faster_of)
  bool equal = false;              ///< all of them have the same latencies
};

/// Curves over message.bytes that differ only in the algorithm or its parameters, and where they cross.
struct CrossingGroup {
  std::vector<std::string> setting; ///< cells of the axes that the curves have in common, in the order of the plan
  std::vector<std::size_t> curves = {};
  std::vector<Crossing> crossings = {};    ///< by predicted (else measured) length
  std::vector<EnvelopePiece> fastest = {}; ///< by formula, of the curves that have one; `line` is a curve
  std::vector<WithoutFormula> without_formula = {};
  /// Of the curves without a deadlock that do their operation, where there are at least two.
  std::vector<FastestMeasured> fastest_measured = {};
  bool averaged = false;   ///< measured latencies are means over several seeds
  bool one_sample = false; ///< they are not, although runs differ by chance
};

/// What is to be said about crossing points of a sweep.
struct CrossingTable {
  std::vector<std::string> axes; ///< keys of the settings
  std::vector<CrossingGroup> groups;
};

/// The crossing points of a sweep over message.bytes and some key of [algorithm]; no groups for other sweeps. A curve
/// without a formula has no predicted crossings; one with a deadlock, or whose schedule does not do its operation, none
/// at all. Lengths at which a curve has a point that is not done are left out of its measured crossings.
CrossingTable crossing_table(const SweepPlan& plan, const SweepCurves& curves,
                             const std::vector<LatencyFormula>& formulas);

/// The text of crossings.csv: the common axes, the quantity that crosses (shown_latency), both curves, predicted_bytes
/// (an exact fraction) and its decimals, the measured lengths before and behind, and measured_bytes, interpolated.
std::string crossings_csv(const CrossingTable& table, const SweepCurves& curves);

/// The same for people, with the fastest curve for each range of lengths.
std::string crossings_listing(const CrossingTable& table, const SweepCurves& curves);

} // namespace wormcast
