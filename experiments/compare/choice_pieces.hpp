#pragma once

#include "wormcast/experiments/compare/choice_candidates.hpp"
#include "wormcast/experiments/compare/choose.hpp"

#include <span>
#include <vector>

namespace wormcast {

/// What the lines of search_choice() stand for: algorithms with their parameters, those of the formulas between their
/// exact crossings.
std::vector<ChosenAlgorithm> choice_pieces(const ChoiceCandidates& candidates, std::span<const MeasuredPiece> found);

} // namespace wormcast
