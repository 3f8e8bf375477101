#pragma once

#include "wormcast/experiments/config/load_section.hpp"
#include "wormcast/simulator/traffic/load_verdict.hpp"

#include <optional>
#include <vector>

namespace wormcast {

/// The saturation of one curve, which was measured with one seed, by the verdicts on its loads.
struct SaturationBracket {
  std::optional<double> stable;     ///< the largest stable load below all saturated ones; none: there is none
  std::optional<double> saturated;  ///< the smallest saturated load; none: there is none
  std::vector<double> undecided;    ///< loads that are undecided, above `stable` and below `saturated`; ascending
  std::vector<double> stable_above; ///< stable loads above `saturated`: the verdicts are not monotone in the load

  /// Whether the saturation lies between two of the loads.
  bool closed() const { return stable && saturated && stable_above.empty(); }
};

/// Chooses the loads of one latency-load curve: those that are asked for, or steps of a tenth of what the busiest
/// channel can carry, up to the first that is saturated; then, if the saturation is wanted, a bisection between the
/// largest stable and the smallest saturated load. Undecided loads narrow neither end: both the gap below and the one
/// above them are bisected. What is chosen depends on the verdicts alone.
class LoadSearch {
public:
  struct Limits {
    double capacity = 1;    ///< the load at which some channel would be busy all the time
    double largest = 1;     ///< that can be offered
    double precision = 0.1; ///< how close the loads around the saturation get, as a share of the upper one
  };
  LoadSearch(const LoadParameters& load, const Limits& limits);

  /// The loads to measure next, ascending; all of them are to be measured before the next call. Empty: that was all.
  std::vector<double> next();
  void add(double load, LoadVerdict verdict);
  /// Nothing else is to be measured.
  void stop() { stopped_ = true; }

  SaturationBracket bracket() const;

private:
  struct Outcome {
    double load = 0;
    LoadVerdict verdict = LoadVerdict::undecided;
  };

  std::optional<double> middle_of(double low, double high) const;

  std::vector<double> listed_; // still to be measured, when they are given
  bool automatic_;
  bool saturation_;
  Limits limits_;
  bool stopped_ = false;
  int tenths_ = 0; // tenths of the capacity that have been requested
  std::vector<Outcome> outcomes_;
};

} // namespace wormcast
