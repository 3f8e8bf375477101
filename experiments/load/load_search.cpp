#include "wormcast/experiments/load/load_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace wormcast {

namespace {

constexpr int tenths_at_a_time = 5;
constexpr int tenths_of_capacity = 10;
constexpr int most_tenths = 20;         // beyond the capacity one by one: at it a window can be too short for a verdict
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
  const SaturationBracket found = bracket();
  const double last = limits_.capacity * tenths_ / tenths_of_capacity;
  if (automatic_ && !found.saturated && tenths_ < most_tenths && last < limits_.largest) {
    std::vector<double> loads;
    const int count = tenths_ < tenths_of_capacity ? tenths_at_a_time : 1;
    for (int i = 0; i < count; ++i) {
      loads.push_back(std::min(rounded(limits_.capacity * ++tenths_ / tenths_of_capacity), limits_.largest));
    }
    return loads;
  }
  if (!saturation_ || !found.saturated) {
    return {};
  }
  std::vector<double> loads;
  const auto add_middle = [&](double low, double high) {
    if (const std::optional<double> middle = middle_of(low, high);
        middle && std::ranges::find(loads, *middle) == loads.end()) {
      loads.push_back(*middle);
    }
  };
  // Below the undecided loads only where something is stable: of a window that is too short, a smaller load has fewer
  // messages yet.
  if (found.stable || found.undecided.empty()) {
    add_middle(found.stable.value_or(0), found.undecided.empty() ? *found.saturated : found.undecided.front());
  }
  if (!found.undecided.empty()) {
    add_middle(found.undecided.back(), *found.saturated);
  }
  return loads;
}

std::optional<double> LoadSearch::middle_of(double low, double high) const
{
  if (low == 0 && high < smallest_share * limits_.capacity) {
    return {}; // not even that
  }
  const double middle = rounded((low + high) / 2);
  if (high - low <= limits_.precision * high || middle <= low || middle >= high) {
    return {};
  }
  return middle;
}

void LoadSearch::add(double load, LoadVerdict verdict)
{
  outcomes_.push_back({load, verdict});
}

SaturationBracket LoadSearch::bracket() const
{
  std::vector<Outcome> ascending = outcomes_;
  std::ranges::sort(ascending, {}, &Outcome::load);
  SaturationBracket found;
  for (const Outcome& outcome : ascending) {
    switch (outcome.verdict) {
    case LoadVerdict::stable:
      if (found.saturated) {
        found.stable_above.push_back(outcome.load);
      } else {
        found.stable = outcome.load;
        found.undecided.clear();
      }
      break;
    case LoadVerdict::undecided:
      if (!found.saturated) {
        found.undecided.push_back(outcome.load);
      }
      break;
    case LoadVerdict::saturated:
      found.saturated = found.saturated.value_or(outcome.load);
      break;
    }
  }
  return found;
}

} // namespace wormcast
