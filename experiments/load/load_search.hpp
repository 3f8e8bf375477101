#pragma once

#include "wormcast/experiments/config/load_section.hpp"

#include <optional>
#include <vector>

namespace wormcast {

/// Chooses the loads of one latency-load curve: those that are asked for, or steps of a tenth of what the busiest
/// channel can carry, up to the first that is saturated; then, if the saturation is wanted, a bisection between the
/// last stable and the first saturated load. What is chosen depends on the outcomes alone.
class LoadSearch {
public:
  struct Limits {
    double capacity = 1;    ///< the load at which some channel would be busy all the time
    double largest = 1;     ///< that can be offered
    double precision = 0.1; ///< how close the loads around the saturation get, as a share of them
  };
  LoadSearch(const LoadParameters& load, const Limits& limits);

  /// The loads to measure next, ascending; all of them are to be measured before the next call. Empty: that was all.
  std::vector<double> next();
  void add(double load, bool stable);
  /// Nothing else is to be measured.
  void stop() { stopped_ = true; }

  /// The largest load that is stable and lies below all that are not; none: not even the smallest is.
  std::optional<double> last_stable() const;
  /// The smallest load that is not stable; none: all are.
  std::optional<double> first_saturated() const;

private:
  struct Outcome {
    double load = 0;
    bool stable = false;
  };

  std::vector<double> listed_; // still to be measured, when they are given
  bool automatic_;
  bool saturation_;
  Limits limits_;
  bool stopped_ = false;
  int tenths_ = 0; // of the capacity that have been asked for
  std::vector<Outcome> outcomes_;
};

} // namespace wormcast
