#pragma once

#include "wormcast/experiments/compare/ranking.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// At the lengths from `from` to `to` (bytes) this line was the lowest as measured, or it is not decided which one is.
struct MeasuredPiece {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::size_t line = 0;                    ///< of equal ones the first; where undecided the one with the least mean
  std::vector<std::size_t> undecided = {}; ///< further lines that may be the lowest, ascending; empty: it is decided

  friend bool operator==(const MeasuredPiece&, const MeasuredPiece&) = default;
};

/// Message lengths from `first` to `last`, each twice the one before; `last` is one of them. Or those of a list.
struct SearchRange {
  std::uint64_t first = 64;
  std::uint64_t last = 1U << 20;
  std::vector<std::uint64_t> listed = {}; ///< from first to last, ascending; empty: no list was given
};

/// Reads "64..1MiB", "64,4KiB,1MiB" or "64"; none for "none". Throws InputError on anything else.
std::optional<SearchRange> parse_search_range(const std::string& text);

/// The lengths of `range`, and `also` where it has no list and `also` lies within, ascending.
std::vector<std::uint64_t> lengths_of(const SearchRange& range, std::uint64_t also);

/// Finds out which of several latencies, known only by measuring, is the lowest at which message length: all of them at
/// some lengths, then, where two neighbouring lengths have different outcomes, in the middle. A winner whose lengths
/// all lie between two of the given ones with the same winner is not found. In the middle only those are measured again
/// that were lower at the shorter length than the winner at the longer one (latencies grow with length), had no latency
/// there, or may be the lowest at one of the two. What cannot win at a length may be answered with a lower bound that
/// is not below the winner.
/// Exact latencies are searched down to the byte. Of drawn ones rank_candidates() says which is the lowest, with all
/// other lines as rivals; the search ends where two lengths are less than 1/64 apart, and what lies between two
/// lengths with different winners is not decided.
class EnvelopeSearch {
public:
  /// Returns the measurements to make next.
  struct Question {
    std::size_t line = 0;
    std::vector<std::uint64_t> lengths; ///< ascending
  };

  /// `lengths` in ascending order, at least one.
  EnvelopeSearch(std::size_t lines, std::span<const std::uint64_t> lengths, LatencyKind kind = LatencyKind::exact);

  LatencyKind kind() const { return kind_; }

  /// Nothing: the search has ended.
  std::vector<Question> questions() const;

  /// The latencies of `line` at `length`; empty where it has none (a deadlock).
  void answer(std::size_t line, std::uint64_t length, SeedLatencies latencies);

  /// The same of one run.
  void answer(std::size_t line, std::uint64_t length, std::optional<std::int64_t> latency);

  /// The winners, by ascending length.
  std::vector<MeasuredPiece> pieces() const;

private:
  /// The values at a length, by line; no entry: not measured.
  using ByLine = std::map<std::size_t, SeedLatencies>;

  std::optional<Ranking> ranking(const ByLine& latencies) const;
  bool close(std::uint64_t low, std::uint64_t high) const;

  std::size_t lines_;
  LatencyKind kind_;
  std::map<std::uint64_t, ByLine> known_; ///< by length
};

} // namespace wormcast
