#include "wormcast/experiments/compare/measured_envelope.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

namespace wormcast {

namespace {

[[noreturn]] void throw_no_lengths(const std::string& text)
{
  throw InputError(fmt::format(
      "found \"{}\", expected lengths, such as 64..1MiB (each twice the one before), 64,4KiB or 4KiB", text));
}

std::uint64_t length_of(const std::string& part, const std::string& text)
{
  try {
    return parse_bytes(part);
  } catch (const InputError&) {
    throw_no_lengths(text);
  }
}

} // namespace

std::optional<SearchRange> parse_search_range(const std::string& text)
{
  if (text == "none") {
    return std::nullopt;
  }
  SearchRange range;
  if (const auto dots = text.find(".."); dots != std::string::npos) {
    range = {.first = parse_bytes(text.substr(0, dots)), .last = parse_bytes(text.substr(dots + 2))};
  } else {
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
      range.listed.push_back(length_of(part, text));
    }
    if (range.listed.empty()) {
      throw_no_lengths(text);
    }
    std::ranges::sort(range.listed);
    range.listed.erase(std::ranges::unique(range.listed).begin(), range.listed.end());
    range.first = range.listed.front();
    range.last = range.listed.back();
  }
  if (range.first < 1 || range.last < range.first) {
    throw InputError(
        fmt::format("found \"{}\", expected a length of at least 1 byte, and one that is not smaller", text));
  }
  return range;
}

std::vector<std::uint64_t> lengths_of(const SearchRange& range, std::uint64_t also)
{
  if (!range.listed.empty()) {
    return range.listed;
  }
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t length = range.first; length < range.last; length *= 2) {
    lengths.push_back(length);
    if (length > range.last / 2) {
      break;
    }
  }
  lengths.push_back(range.last);
  if (range.first <= also && also <= range.last && std::ranges::find(lengths, also) == lengths.end()) {
    lengths.insert(std::ranges::upper_bound(lengths, also), also);
  }
  return lengths;
}

namespace {

/// Whether the rankings of two lengths say the same.
bool same_outcome(const Ranking& before, const Ranking& behind)
{
  return before.decided() ? behind.decided() && before.best == behind.best : !behind.decided();
}

/// Whether the line may be the lowest.
bool may_win(const Ranking& ranking, std::size_t line)
{
  return ranking.best == line || std::ranges::find(ranking.undecided, line) != ranking.undecided.end();
}

/// Adds to a sorted list what it does not have.
void add_lines(std::vector<std::size_t>& lines, const std::vector<std::size_t>& others)
{
  lines.insert(lines.end(), others.begin(), others.end());
  std::ranges::sort(lines);
  lines.erase(std::ranges::unique(lines).begin(), lines.end());
}

/// What is said of one length. Of lines that take the same time in every run the first stands for all.
MeasuredPiece piece_of(std::uint64_t length, const Ranking& ranking,
                       const std::map<std::size_t, SeedLatencies>& latencies)
{
  MeasuredPiece piece{.from = length, .to = length, .line = ranking.best, .undecided = {}};
  for (const std::size_t line : ranking.undecided) {
    if (std::ranges::none_of(piece.undecided,
                             [&](std::size_t other) { return latencies.at(other) == latencies.at(line); })) {
      piece.undecided.push_back(line);
    }
  }
  return piece;
}

/// Appends a piece; lengths between two different winners, none of which is known, are not decided.
void append_piece(MeasuredPiece piece, bool between_known, std::vector<MeasuredPiece>& pieces)
{
  if (!pieces.empty() && between_known) {
    MeasuredPiece& last = pieces.back();
    if (last.undecided.empty() && piece.undecided.empty() && last.to + 1 < piece.from) {
      pieces.push_back({.from = last.to + 1, .to = piece.from - 1, .line = last.line, .undecided = {piece.line}});
    } else if (last.undecided.empty() && !piece.undecided.empty()) {
      piece.from = last.to + 1;
    } else if (!last.undecided.empty() && piece.undecided.empty()) {
      last.to = piece.from - 1;
    }
  }
  pieces.push_back(std::move(piece));
}

} // namespace

EnvelopeSearch::EnvelopeSearch(std::size_t lines, std::span<const std::uint64_t> lengths, LatencyKind kind)
    : lines_(lines), kind_(kind)
{
  for (const std::uint64_t length : lengths) {
    known_.try_emplace(length);
  }
}

std::optional<Ranking> EnvelopeSearch::ranking(const ByLine& latencies) const
{
  std::vector<SeedLatencies> candidates(lines_);
  for (const auto& [line, measured] : latencies) {
    candidates[line] = measured;
  }
  return rank_candidates(candidates, kind_, lines_ - 1);
}

bool EnvelopeSearch::close(std::uint64_t low, std::uint64_t high) const
{
  return high - low < 2 || (kind_ == LatencyKind::drawn && high - low <= low / 64);
}

std::vector<EnvelopeSearch::Question> EnvelopeSearch::questions() const
{
  std::map<std::size_t, std::vector<std::uint64_t>> wanted;
  for (auto left = known_.begin(); left != known_.end(); ++left) {
    const auto& [low, at_low] = *left;
    if (at_low.empty()) {
      for (std::size_t line = 0; line < lines_; ++line) {
        wanted[line].push_back(low);
      }
      continue;
    }
    const auto right = std::next(left);
    if (right == known_.end() || right->second.empty() || close(low, right->first)) {
      continue;
    }
    const auto& [high, at_high] = *right;
    const auto before = ranking(at_low);
    const auto behind = ranking(at_high);
    if (!before || !behind || same_outcome(*before, *behind)) {
      continue;
    }
    const std::int64_t bound = mean_latency(at_high.at(behind->best));
    for (const auto& [line, latencies] : at_low) {
      const auto found = at_high.find(line);
      const bool begins = latencies.empty() && found != at_high.end() && !found->second.empty();
      const bool may_be_lowest =
          may_win(*before, line) || may_win(*behind, line) || (!latencies.empty() && mean_latency(latencies) <= bound);
      if (begins || (!latencies.empty() && may_be_lowest)) {
        wanted[line].push_back(low + (high - low) / 2);
      }
    }
  }
  std::vector<Question> questions;
  for (auto& [line, lengths] : wanted) {
    questions.push_back({line, std::move(lengths)});
  }
  return questions;
}

void EnvelopeSearch::answer(std::size_t line, std::uint64_t length, SeedLatencies latencies)
{
  known_[length][line] = std::move(latencies);
}

void EnvelopeSearch::answer(std::size_t line, std::uint64_t length, std::optional<std::int64_t> latency)
{
  answer(line, length, latency ? SeedLatencies{*latency} : SeedLatencies());
}

std::vector<MeasuredPiece> EnvelopeSearch::pieces() const
{
  std::vector<MeasuredPiece> pieces;
  bool between_known = kind_ == LatencyKind::drawn;
  for (const auto& [length, latencies] : known_) {
    const auto ranked = ranking(latencies);
    if (!ranked) {
      between_known = false;
      continue;
    }
    MeasuredPiece piece = piece_of(length, *ranked, latencies);
    MeasuredPiece* const last = pieces.empty() ? nullptr : &pieces.back();
    if (last != nullptr && last->undecided.empty() && piece.undecided.empty() && last->line == piece.line) {
      last->to = length;
    } else if (last != nullptr && !last->undecided.empty() && !piece.undecided.empty()) {
      last->to = length;
      std::vector<std::size_t> all = std::move(last->undecided);
      add_lines(all, piece.undecided);
      add_lines(all, {piece.line});
      std::erase(all, last->line);
      last->undecided = std::move(all);
    } else {
      append_piece(std::move(piece), between_known, pieces);
    }
    between_known = kind_ == LatencyKind::drawn;
  }
  return pieces;
}

} // namespace wormcast
