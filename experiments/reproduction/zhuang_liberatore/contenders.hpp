#pragma once

#include "wormcast/experiments/reproduction/frame/broadcast_case.hpp"
#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace wormcast::zhuang_liberatore {

/// One of the algorithms of a figure, with the costs that the paper gives for it.
struct Contender {
  std::string title;
  BroadcastCase broadcast;
  Fraction alpha;
  Fraction beta;
};

inline constexpr int figure_exponent = 5; ///< side 2^5

/// 2^exponent.
Fraction power_of_two(int exponent);

/// The paper's latency of alpha start-ups and beta message lengths in the network of its figures.
CostLine line_of(const Fraction& alpha, const Fraction& beta);

/// The algorithms of fig. 4 (two dimensions) or fig. 8 (three) on meshes of side 2^n, with the costs of table 1 or
/// section 7.
std::vector<Contender> contenders(std::size_t dimensions, int n = figure_exponent);

/// The paper's lines.
std::vector<LatencyCurve> published_lines(std::size_t dimensions);

/// The paper's lines, after a look at what stands behind them: schedules that are valid and contention-free and have
/// the published costs; in three dimensions on a smaller mesh. Throws where one is not.
std::vector<LatencyCurve> checked_lines(std::size_t dimensions);

/// The same, or under Mutation::data_changed in a network whose start-ups take a tenth of the time.
std::vector<LatencyCurve> checked_lines_with_startups();

} // namespace wormcast::zhuang_liberatore
