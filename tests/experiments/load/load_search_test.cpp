// Which loads of a curve are measured, and what their verdicts say of the saturation.

#include "wormcast/experiments/load/load_search.hpp"
#include "wormcast/experiments/load/saturation_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Verdicts = std::vector<std::pair<double, LoadVerdict>>;

constexpr LoadVerdict stable = LoadVerdict::stable;
constexpr LoadVerdict saturated = LoadVerdict::saturated;
constexpr LoadVerdict undecided = LoadVerdict::undecided;

LoadSearch listed(const Verdicts& verdicts, double precision = 0.01)
{
  LoadSearch search({}, {.capacity = 1, .largest = 1, .precision = precision});
  for (const auto& [load, verdict] : verdicts) {
    search.add(load, verdict);
  }
  return search;
}

std::string text_of(const Verdicts& verdicts)
{
  LoadCurve curve;
  for (const auto& [load, verdict] : verdicts) {
    curve.points.push_back({.offered = load, .error = {}, .result = {{"verdict", load_verdict_names.text(verdict)}}});
  }
  curve.saturation = listed(verdicts).bracket();
  return saturation_text(curve);
}

TEST(LoadSearch, BisectsBetweenStableAndSaturated)
{
  EXPECT_THAT(listed({{0.3, stable}, {0.4, saturated}}).next(), ElementsAre(0.35));
  EXPECT_THAT(listed({{0.3, stable}, {0.4, saturated}}, 0.3).next(), IsEmpty());
}

TEST(LoadSearch, GoesOnBeyondTheCapacityUntilALoadIsSaturated)
{
  LoadSearch search({}, {.capacity = 0.2, .largest = 0.23, .precision = 0.5});
  const auto measure = [&](LoadVerdict verdict) {
    const std::vector<double> loads = search.next();
    for (const double load : loads) {
      search.add(load, load < 0.2 ? stable : verdict);
    }
    return loads;
  };
  EXPECT_THAT(measure(undecided), ElementsAre(0.02, 0.04, 0.06, 0.08, 0.1));
  EXPECT_THAT(measure(undecided), ElementsAre(0.12, 0.14, 0.16, 0.18, 0.2));
  EXPECT_THAT(measure(undecided), ElementsAre(0.22));
  EXPECT_THAT(measure(undecided), ElementsAre(0.23)); // no more can be offered
  EXPECT_THAT(measure(undecided), IsEmpty());
}

TEST(LoadSearch, UndecidedLoadsAreNeitherStableNorSaturated)
{
  const Verdicts verdicts = {{0.3, stable}, {0.4, undecided}, {0.5, saturated}};
  LoadSearch search = listed(verdicts);
  EXPECT_EQ(search.bracket().stable, 0.3);
  EXPECT_EQ(search.bracket().saturated, 0.5);
  EXPECT_THAT(search.bracket().undecided, ElementsAre(0.4));
  EXPECT_THAT(search.next(), ElementsAre(0.35, 0.45)); // both sides of it
  EXPECT_THAT(text_of(verdicts),
              HasSubstr("saturation between the loads 0.3 (stable) and 0.5 (saturated), one seed; undecided at 0.4"));
  // Steps go on where nothing is saturated yet.
  LoadSearch steps({}, {.capacity = 1, .largest = 1, .precision = 0.1});
  for (const double load : steps.next()) {
    steps.add(load, undecided);
  }
  EXPECT_THAT(steps.next(), ElementsAre(0.6, 0.7, 0.8, 0.9, 1.0));
}

// Windows of given length: smaller loads have fewer messages yet.
TEST(LoadSearch, EndsWhereNothingIsDecided)
{
  LoadSearch search({}, {.capacity = 1, .largest = 1, .precision = 0.1});
  int measured = 0;
  for (std::vector<double> loads = search.next(); !loads.empty() && measured < 100; loads = search.next()) {
    for (const double load : loads) {
      search.add(load, load > 0.45 ? saturated : undecided);
      ++measured;
    }
  }
  EXPECT_LT(measured, 20);
  EXPECT_FALSE(search.bracket().closed());
}

TEST(LoadSearch, SaysThatVerdictsAreNotMonotone)
{
  const Verdicts verdicts = {{0.05, saturated}, {0.1, stable}, {0.2, stable}};
  EXPECT_THAT(listed(verdicts).bracket().stable_above, ElementsAre(0.1, 0.2));
  EXPECT_FALSE(listed(verdicts).bracket().closed());
  EXPECT_THAT(text_of(verdicts),
              HasSubstr("verdicts are not monotone in the load: saturated at 0.05, but stable at 0.1, 0.2"));
}

} // namespace
} // namespace wormcast::testing
