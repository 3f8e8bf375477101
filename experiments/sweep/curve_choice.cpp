#include "wormcast/experiments/sweep/curve_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace wormcast {

namespace {

/// How far a curve is from the lowest ones; those that are the lowest somewhere come first.
using EnvelopeDistance = std::pair<bool, double>;

} // namespace

std::vector<std::size_t> curves_near_envelope(std::span<const CurveValues> curves, std::size_t most)
{
  CurveValues lowest;
  bool positive = true;
  double highest = 0;
  for (const CurveValues& curve : curves) {
    for (const auto& [x, y] : curve) {
      const auto [entry, is_new] = lowest.emplace(x, y);
      entry->second = std::min(entry->second, y);
      positive = positive && y > 0;
      highest = std::max(highest, std::fabs(y));
    }
  }
  const auto distance_of = [&](const CurveValues& curve) {
    bool touches = false;
    double sum = 0;
    for (const auto& [x, y] : curve) {
      const double least = lowest.at(x);
      touches = touches || y == least;
      sum += positive ? std::log(y / least) : highest > 0 ? (y - least) / highest : 0;
    }
    return EnvelopeDistance{!touches, curve.empty() ? 0 : sum / static_cast<double>(curve.size())};
  };
  std::vector<EnvelopeDistance> distances;
  for (const CurveValues& curve : curves) {
    distances.push_back(distance_of(curve));
  }
  std::vector<std::size_t> chosen(curves.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::ranges::stable_sort(chosen, {}, [&](std::size_t curve) { return distances[curve]; });
  chosen.resize(std::min(most, chosen.size()));
  std::ranges::sort(chosen);
  return chosen;
}

} // namespace wormcast
