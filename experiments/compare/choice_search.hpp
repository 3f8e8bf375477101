#pragma once

#include "wormcast/experiments/compare/choice_candidates.hpp"
#include "wormcast/experiments/compare/choose.hpp"

#include <vector>

namespace wormcast {

/// Whether the lines of the search for a choice begin with one for the envelope of the formulas: line 0. All others are
/// the simulated candidates.
inline std::size_t first_simulated_line(const ChoiceCandidates& candidates)
{
  return candidates.envelope().empty() ? 0 : 1;
}

/// What a search has found.
struct FoundChoice {
  std::vector<MeasuredPiece> pieces;        ///< which line is the lowest at which length
  std::vector<LatenciesByLength> simulated; ///< by position among ChoiceCandidates::simulated()
};

/// Searches for the lowest lines. Counts the simulations in `choice`; none where a signal came before, or
/// simulations are left out, which `choice` says. Throws std::runtime_error where the process of a simulation breaks
/// down.
FoundChoice search_choice(ChoiceCandidates& candidates, const ChooseOptions& options, Choice& choice);

} // namespace wormcast
