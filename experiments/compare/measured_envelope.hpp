#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// At the lengths from `from` to `to` (bytes) this line was the lowest as measured.
struct MeasuredPiece {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::size_t line = 0; ///< of equal ones the first

  friend bool operator==(const MeasuredPiece&, const MeasuredPiece&) = default;
};

/// Message lengths from `first` to `last`, each twice the one before; `last` is one of them.
struct SearchRange {
  std::uint64_t first = 64;
  std::uint64_t last = 1U << 20;
};

/// Reads "64..1MiB"; none for "none". Throws InputError on anything else.
std::optional<SearchRange> parse_search_range(const std::string& text);

/// The lengths of `range`, and `also` where it lies within, ascending.
std::vector<std::uint64_t> lengths_of(const SearchRange& range, std::uint64_t also);

/// Finds out which of several latencies, known only by measuring, is the lowest at which message length: all of them at
/// some lengths, then, where two neighbouring lengths have different winners, in the middle, down to the byte. A winner
/// whose lengths all lie between two of the given ones with the same winner is not found. In the middle only those are
/// measured again that were lower at the shorter length than the winner at the longer one (latencies grow with length),
/// or had no latency there. What cannot win at a length may be answered with a lower bound that is not below the
/// winner.
class EnvelopeSearch {
public:
  /// What to measure next.
  struct Question {
    std::size_t line = 0;
    std::vector<std::uint64_t> lengths; ///< ascending
  };

  /// `lengths` in ascending order, at least one.
  EnvelopeSearch(std::size_t lines, std::span<const std::uint64_t> lengths);

  /// Nothing: the search has ended.
  std::vector<Question> questions() const;

  /// The latency (picoseconds) of `line` at `length`; none where it has none (a deadlock).
  void answer(std::size_t line, std::uint64_t length, std::optional<std::int64_t> latency);

  /// The winners, by ascending length.
  std::vector<MeasuredPiece> pieces() const;

private:
  /// What is known at a length, by line; no entry: not measured.
  using Latencies = std::map<std::size_t, std::optional<std::int64_t>>;

  static std::optional<std::size_t> winner(const Latencies& latencies);

  std::size_t lines_;
  std::map<std::uint64_t, Latencies> known_; ///< by length
};

} // namespace wormcast
