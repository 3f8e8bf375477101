#pragma once

#include "wormcast/experiments/compare/ranking.hpp"
#include "wormcast/experiments/sweep/formula.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

class ChoiceCandidates;
struct ChosenAlgorithm;

/// Simulated latencies by message length.
using LatenciesByLength = std::map<std::uint64_t, SeedLatencies>;

/// The latencies that a search for a choice knows of a candidate.
struct ChoiceCurve {
  std::size_t candidate = 0;           ///< ChosenAlgorithm::candidate
  std::string title = {};              ///< name and parameters
  std::vector<LinePiece> formula = {}; ///< its lower envelope over its numbers of segments; empty: simulated
  LatenciesByLength simulated = {};    ///< only where bounds did not rule it out
};

/// The curves of all candidates in `pieces`, in the order in which they come first, then of the configured one.
/// `simulated`: by position among ChoiceCandidates::simulated().
std::vector<ChoiceCurve> choice_curves(const ChoiceCandidates& candidates, std::span<const ChosenAlgorithm> pieces,
                                       std::span<const LatenciesByLength> simulated);

} // namespace wormcast
