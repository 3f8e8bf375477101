#include "wormcast/experiments/load/load_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace wormcast {

namespace {

constexpr int tenths_at_a_time = 5;
constexpr int most_tenths = 10;
constexpr double smallest_share = 1e-4; // of the capacity: where the search for a stable load ends

/// With four digits, as it is shown everywhere.
double rounded(double load)
{
  return std::strtod(fmt::format("{:.4g}", load).c_str(), nullptr);
}

} // namespace

LoadSearch::LoadSearch(const LoadParameters& load, const Limits& limits)
    : listed_(load.points), automatic_(load.points.empty()), saturation_(load.saturation), limits_(limits)
{
  limits_.capacity = std::min(limits_.capacity, limits_.largest);
}

std::vector<double> LoadSearch::next()
{
  if (stopped_) {
    return {};
  }
  if (!listed_.empty()) {
    return std::exchange(listed_, {});
  }
  const std::optional<double> high = first_saturated();
  if (automatic_ && !high && tenths_ < most_tenths) {
    std::vector<double> loads;
    for (int i = 0; i < tenths_at_a_time; ++i) {
      loads.push_back(std::min(rounded(limits_.capacity * ++tenths_ / most_tenths), limits_.largest));
    }
    return loads;
  }
  if (!saturation_ || !high) {
    return {};
  }
  const double low = last_stable().value_or(0);
  if (low == 0 && *high < smallest_share * limits_.capacity) {
    return {}; // not even that
  }
  const double middle = rounded((low + *high) / 2);
  if (*high - low <= limits_.precision * *high || middle <= low || middle >= *high) {
    return {};
  }
  return {middle};
}

void LoadSearch::add(double load, bool stable)
{
  outcomes_.push_back({load, stable});
}

std::optional<double> LoadSearch::last_stable() const
{
  const std::optional<double> high = first_saturated();
  std::optional<double> last;
  for (const Outcome& outcome : outcomes_) {
    if (outcome.stable && (!high || outcome.load < *high) && (!last || outcome.load > *last)) {
      last = outcome.load;
    }
  }
  return last;
}

std::optional<double> LoadSearch::first_saturated() const
{
  std::optional<double> first;
  for (const Outcome& outcome : outcomes_) {
    if (!outcome.stable && (!first || outcome.load < *first)) {
      first = outcome.load;
    }
  }
  return first;
}

} // namespace wormcast
