#include "wormcast/experiments/compare/choice_curves.hpp"

#include "wormcast/experiments/compare/choice_candidates.hpp"
#include "wormcast/experiments/compare/choose.hpp"

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

/// The candidates whose curves are wanted.
std::vector<std::size_t> candidates_of(const ChoiceCandidates& candidates, std::span<const ChosenAlgorithm> pieces)
{
  std::vector<std::size_t> wanted;
  const auto want = [&wanted](std::size_t candidate) {
    if (std::ranges::find(wanted, candidate) == wanted.end()) {
      wanted.push_back(candidate);
    }
  };
  for (const ChosenAlgorithm& piece : pieces) {
    if (piece.undecided.empty()) {
      want(piece.candidate);
    }
    for (const ChosenAlgorithm& possible : piece.undecided) {
      want(possible.candidate);
    }
  }
  for (std::size_t candidate = 0; candidate < candidates.count(); ++candidate) {
    if (candidates.shown(candidate).configured) {
      want(candidate);
    }
  }
  return wanted;
}

std::string curve_title(const ComparedAlgorithm& shown, bool tuned)
{
  nlohmann::ordered_json values = shown.values;
  if (tuned) {
    values[find_algorithm(shown.name).segments] = best_value;
  }
  return values.empty() ? shown.name : shown.name + " " + parameters_text(values);
}

void take_formula(const ChoiceCandidates& candidates, ChoiceCurve& curve, bool& tuned)
{
  std::vector<LineFrom> lines;
  for (const ChoiceCandidates::NamedLine& one : candidates.lines()) {
    if (one.candidate == curve.candidate) {
      lines.push_back({one.line, one.segments}); // a byte for each segment
      tuned = tuned || one.segments > 0;
    }
  }
  const SearchRange& range = candidates.lengths();
  for (const EnvelopePiece& piece : lower_envelope(lines, range.first, range.last)) {
    curve.formula.push_back({piece.from.convert_to<double>(), lines[piece.line].line});
  }
}

} // namespace

std::vector<ChoiceCurve> choice_curves(const ChoiceCandidates& candidates, std::span<const ChosenAlgorithm> pieces,
                                       std::span<const LatenciesByLength> simulated)
{
  std::vector<ChoiceCurve> curves;
  for (const std::size_t candidate : candidates_of(candidates, pieces)) {
    ChoiceCurve curve{.candidate = candidate};
    bool tuned = false;
    take_formula(candidates, curve, tuned);
    for (std::size_t position = 0; position < simulated.size(); ++position) {
      if (candidates.simulated()[position].candidate == candidate) {
        tuned = candidates.simulated()[position].tuned;
        curve.simulated = simulated[position];
      }
    }
    curve.title = curve_title(candidates.shown(candidate), tuned);
    if (!curve.formula.empty() || !curve.simulated.empty()) {
      curves.push_back(std::move(curve));
    }
  }
  return curves;
}

} // namespace wormcast
