#include "wormcast/experiments/compare/choice_pieces.hpp"

#include "wormcast/experiments/compare/choice_search.hpp"

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

ChosenAlgorithm chosen(const ChoiceCandidates& candidates, const ExactNumber& from, std::size_t candidate)
{
  ChosenAlgorithm piece;
  piece.from = from;
  piece.name = candidates.shown(candidate).name;
  piece.candidate = candidate;
  piece.values = candidates.shown(candidate).values;
  piece.deadlock = candidates.proof_of(candidate);
  return piece;
}

void append_formula_pieces(const ChoiceCandidates& candidates, const ExactNumber& from, std::uint64_t to,
                           std::vector<ChosenAlgorithm>& all)
{
  const std::vector<EnvelopePiece>& envelope = candidates.envelope();
  for (std::size_t i = candidates.piece_at(from); i < envelope.size() && envelope[i].from <= to; ++i) {
    const ChoiceCandidates::NamedLine& line = candidates.lines()[envelope[i].line];
    ChosenAlgorithm piece = chosen(candidates, std::max(from, envelope[i].from), line.candidate);
    if (line.segments > 0) {
      piece.segments = find_algorithm(piece.name).segments;
      piece.values.erase(piece.segments);
      piece.fewest_segments = piece.most_segments = line.segments;
      if (!all.empty() && !all.back().simulated && all.back().name == piece.name &&
          all.back().segments == piece.segments && all.back().values == piece.values) {
        all.back().most_segments = line.segments;
        continue;
      }
    }
    all.push_back(std::move(piece));
  }
}

void append_simulated_piece(const ChoiceCandidates& candidates, const MeasuredPiece& found,
                            std::vector<ChosenAlgorithm>& all)
{
  const ChoiceCandidates::Simulated& simulated = candidates.simulated()[found.line - first_simulated_line(candidates)];
  ChosenAlgorithm piece = chosen(candidates, ExactNumber(found.from), simulated.candidate);
  piece.simulated = true;
  if (simulated.tuned) {
    piece.segments = find_algorithm(piece.name).segments;
    piece.values.erase(piece.segments);
    piece.fewest_segments = candidates.best_segments_at(simulated.candidate, found.from);
    piece.most_segments = candidates.best_segments_at(simulated.candidate, found.to);
  }
  all.push_back(std::move(piece));
}

void append_decided_piece(const ChoiceCandidates& candidates, const MeasuredPiece& piece,
                          std::vector<ChosenAlgorithm>& all)
{
  if (piece.line < first_simulated_line(candidates)) {
    append_formula_pieces(candidates, ExactNumber(piece.from), piece.to, all);
  } else {
    append_simulated_piece(candidates, piece, all);
  }
}

} // namespace

std::vector<ChosenAlgorithm> choice_pieces(const ChoiceCandidates& candidates, std::span<const MeasuredPiece> found)
{
  std::vector<ChosenAlgorithm> all;
  for (const MeasuredPiece& piece : found) {
    if (piece.undecided.empty()) {
      append_decided_piece(candidates, piece, all);
      continue;
    }
    ChosenAlgorithm open;
    open.from = ExactNumber(piece.from);
    open.simulated = true;
    append_decided_piece(candidates, piece, open.undecided);
    for (const std::size_t line : piece.undecided) {
      append_decided_piece(candidates, {.from = piece.from, .to = piece.to, .line = line}, open.undecided);
    }
    all.push_back(std::move(open));
  }
  return all;
}

} // namespace wormcast
