#pragma once

#include "wormcast/experiments/compare/measured_envelope.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace wormcast {

/// A line of an EnvelopeSearch at one message length.
struct LineAtLength {
  std::size_t line = 0;
  std::uint64_t length = 0;
};

/// What one step of an EnvelopeSearch asks, as far as it is open: lines whose latency is not known, each with a lower
/// bound. Those with the lowest bounds at their length are measured first; a line that cannot be the lowest any more is
/// answered with its bound and not measured at all.
class OpenLengths {
public:
  /// Each lower bound that is an answer counts for `repeats` runs.
  OpenLengths(EnvelopeSearch& search, std::size_t repeats) : search_(search), repeats_(repeats) {}

  /// Opens a line. `bound` in picoseconds; 0: nothing is known.
  void open(const LineAtLength& line, std::int64_t bound);

  /// Answers the search; an exact latency may rule out open lines of that length.
  void answer(const LineAtLength& line, SeedLatencies latencies);

  /// How many lines are open.
  std::size_t count() const;

  /// Takes out those that are to be measured next, the longest messages first, and answers those that cannot be the
  /// lowest. Where bounds are known the two with the lowest ones at each length come first; else, and with `all`, every
  /// one does. Empty: none is open.
  std::vector<LineAtLength> next(bool all);

private:
  struct Bounded {
    std::size_t line = 0;
    std::int64_t bound = 0;
  };
  struct OpenLength {
    std::optional<std::int64_t> least; ///< latency known so far
    std::size_t least_line = 0;        ///< whose it is; of equal ones the first
    std::vector<Bounded> waiting = {}; ///< by ascending bound, of equal ones by line
  };

  static bool may_be_least(const OpenLength& open, const Bounded& one);

  EnvelopeSearch& search_;
  std::size_t repeats_;
  std::map<std::uint64_t, OpenLength, std::greater<>> lengths_;
};

} // namespace wormcast
