#include "wormcast/experiments/sweep/crossing_table.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ExactNumber exact(const std::string& text)
{
  return ExactNumber(text);
}

/// The cases of tests/golden/broadcast_crossings.json, in microseconds.
nlohmann::json golden_cases()
{
  return nlohmann::json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/broadcast_crossings.json"))["cases"];
}

CostLine golden_line(const nlohmann::json& golden, const std::string& name)
{
  const nlohmann::json& costs = golden["alpha_beta"][name];
  return {costs[0].get<int>() * exact(golden["Ts"]), exact(costs[1]) * exact(golden["Tc"])};
}

TEST(LowerEnvelope, LinesCountFromTheirLengthOn)
{
  const std::vector<LineFrom> lines = {{{100, 10}, 1}, {{90, 9}, 20}, {{0, 12}, 70}, {{500, 1}, 60}, {{0, 0}, 101}};
  EXPECT_EQ(lower_envelope(lines, 5, 100), (std::vector<EnvelopePiece>{{5, 0}, {20, 1}, {60, 3}}));
  EXPECT_EQ(lower_envelope(lines, 30, 50), (std::vector<EnvelopePiece>{{30, 1}}));
  EXPECT_EQ(lower_envelope(lines, 40, 200), (std::vector<EnvelopePiece>{{40, 1}, {60, 3}, {101, 4}}));
  const std::vector<LineFrom> crossing = {{{0, 3}, 0}, {{10, 1}, 0}, {{10, 1}, 0}};
  EXPECT_EQ(lower_envelope(crossing, 2, 100), (std::vector<EnvelopePiece>{{2, 0}, {5, 1}}));
  EXPECT_EQ(lower_envelope(crossing, 5, 100), (std::vector<EnvelopePiece>{{5, 1}}));
  EXPECT_TRUE(lower_envelope(std::span<const LineFrom>(), 1, 2).empty());
}

TEST(Crossings, OfTheReferenceAreExact)
{
  for (const nlohmann::json& golden : golden_cases()) {
    const CostLine recursion_based = golden_line(golden, "RB");
    for (const auto& [name, crossing] : golden["crossover_with_RB"].items()) {
      const CostLine other = golden_line(golden, name);
      const std::optional<ExactNumber> length = crossing_length(other, recursion_based);
      EXPECT_EQ(length, crossing_length(recursion_based, other));
      if (crossing[0].is_null()) {
        EXPECT_EQ(length, std::nullopt) << name;
      } else {
        ASSERT_TRUE(length) << name;
        EXPECT_EQ(format_exact(*length), crossing[0].get<std::string>()) << name;
        const bool other_wins = other.at(*length + 1) < recursion_based.at(*length + 1);
        EXPECT_EQ(other_wins ? name : "RB", crossing[1].get<std::string>());
      }
    }
  }
}

TEST(Crossings, LowerEnvelopeOfTheReferenceIsExact)
{
  for (const nlohmann::json& golden : golden_cases()) {
    std::vector<std::string> names;
    std::vector<CostLine> lines;
    for (const auto& [name, costs] : golden["alpha_beta"].items()) {
      names.push_back(name);
      lines.push_back(golden_line(golden, name));
    }
    nlohmann::json envelope = nlohmann::json::array();
    for (const EnvelopePiece& piece : lower_envelope(lines)) {
      envelope.push_back({format_exact(piece.from), names[piece.line]});
    }
    EXPECT_EQ(envelope, golden["lower_envelope"]);
  }
}

TEST(Crossings, ParallelAndEqualLinesDoNotCross)
{
  EXPECT_EQ(crossing_length({10, 2}, {20, 2}), std::nullopt);
  EXPECT_EQ(crossing_length({10, 2}, {10, 2}), std::nullopt);
  EXPECT_EQ(crossing_length({10, 2}, {10, 3}), std::nullopt); // only at length 0
}

RC_GTEST_PROP(Crossings, NoLineIsBelowTheEnvelope, ())
{
  std::vector<CostLine> lines;
  for (const auto& [fixed, slope] : *rc::gen::nonEmpty<std::vector<std::pair<int, int>>>()) {
    lines.push_back({fixed, slope});
  }
  const std::vector<EnvelopePiece> pieces = lower_envelope(lines);
  RC_ASSERT(pieces.front().from == 0);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool last = i + 1 == pieces.size();
    RC_ASSERT((last || pieces[i].from < pieces[i + 1].from));
    for (const ExactNumber& length : {pieces[i].from, last ? ExactNumber(pieces[i].from + 1000000)
                                                           : ExactNumber((pieces[i].from + pieces[i + 1].from) / 2)}) {
      for (const CostLine& line : lines) {
        RC_ASSERT(lines[pieces[i].line].at(length) <= line.at(length));
      }
    }
  }
}

TEST(MeasuredCrossings, AreInterpolated)
{
  const std::vector<MeasuredLatency> first = {{64, 100}, {128, 200}, {256, 400}};
  const std::vector<MeasuredLatency> second = {{64, 150}, {128, 220}, {256, 340}};
  const std::vector<MeasuredCrossing> expected = {{128, 256, exact("160"), true}};
  EXPECT_EQ(measured_crossings(first, second), expected);
  EXPECT_EQ(measured_crossings(second, first), (std::vector<MeasuredCrossing>{{128, 256, exact("160"), false}}));
}

TEST(MeasuredCrossings, InAMeasuredPointAreExact)
{
  const std::vector<MeasuredLatency> first = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
  const std::vector<MeasuredLatency> second = {{1, 15}, {2, 20}, {3, 30}, {4, 35}};
  EXPECT_EQ(measured_crossings(first, second), (std::vector<MeasuredCrossing>{{2, 2, 2, true}}));
}

TEST(MeasuredCrossings, TouchingIsNotCrossing)
{
  const std::vector<MeasuredLatency> first = {{1, 10}, {2, 20}, {3, 30}};
  const std::vector<MeasuredLatency> second = {{1, 15}, {2, 20}, {3, 35}};
  EXPECT_TRUE(measured_crossings(first, second).empty());
  EXPECT_TRUE(measured_crossings(first, first).empty());
}

TEST(MeasuredCrossings, LeaveOutLengthsOfOneCurve)
{
  const std::vector<MeasuredLatency> first = {{1, 10}, {2, 1000}, {4, 40}};
  const std::vector<MeasuredLatency> second = {{1, 20}, {3, 1}, {4, 20}, {5, 1}};
  EXPECT_EQ(measured_crossings(first, second), (std::vector<MeasuredCrossing>{{1, 4, 2, true}}));
}

TEST(MeasuredCrossings, CanBeSeveral)
{
  const std::vector<MeasuredLatency> first = {{1, 10}, {2, 30}, {3, 10}};
  const std::vector<MeasuredLatency> second = {{1, 20}, {2, 20}, {3, 20}};
  EXPECT_EQ(measured_crossings(first, second),
            (std::vector<MeasuredCrossing>{{1, 2, exact("3/2"), true}, {2, 3, exact("5/2"), false}}));
}

TEST(ExactNumbers, AreRoundedHalfAwayFromZero)
{
  EXPECT_EQ(format_rounded(exact("24000/121"), 3), "198.347");
  EXPECT_EQ(format_rounded(exact("38912"), 3), "38912");
  EXPECT_EQ(format_rounded(exact("1/2000"), 3), "0.001");
  EXPECT_EQ(format_rounded(exact("-1/2000"), 3), "-0.001");
  EXPECT_EQ(format_rounded(exact("1/2001"), 3), "0");
  EXPECT_EQ(format_rounded(exact("1001/1000"), 3), "1.001");
  EXPECT_EQ(format_rounded(exact("5/2"), 0), "3");
}

/// A sweep over message.bytes, algorithm.name and, where there are several, run.seed.
struct Algorithms {
  SweepPlan plan;
  std::vector<StoredPoint> stored;
  std::vector<LatencyFormula> formulas; ///< by algorithm

  explicit Algorithms(bool seeds = false)
  {
    plan.axes = {"algorithm.name", "message.bytes"};
    if (seeds) {
      plan.axes.emplace_back("run.seed");
    }
  }

  /// Latencies at 64 and 128 bytes; with seeds as many runs of each.
  void add(const std::string& name, const std::vector<std::vector<double>>& latencies,
           const LatencyFormula& formula = {.line = std::nullopt, .why_not = "has no formula"})
  {
    for (std::size_t length = 0; length < latencies.size(); ++length) {
      for (std::size_t seed = 0; seed < latencies[length].size(); ++seed) {
        SweepPoint point;
        point.cells = {name, length == 0 ? "64" : "128"};
        if (plan.axes.size() == 3) {
          point.cells.push_back(std::to_string(seed));
        }
        point.config = config;
        point.key = std::to_string(stored.size());
        plan.points.push_back(point);
        StoredPoint result;
        result.key = point.key;
        result.result = "{\"latency_from_source_us\": " + std::to_string(latencies[length][seed]) + "}";
        stored.push_back(result);
      }
    }
    formulas.push_back(formula);
  }

  CrossingGroup group() const { return table().groups.at(0); }
  std::string text() const { return crossings_listing(table(), sweep_curves(plan, stored)); }

  std::string config = R"({"algorithm": {"name": "a"}, "run": {"start_jitter": "0s"}})";

private:
  CrossingTable table() const { return crossing_table(plan, sweep_curves(plan, stored), formulas); }
};

LatencyFormula formula(int fixed, int per_byte)
{
  return {.line = CostLine{fixed, per_byte}, .why_not = {}};
}

TEST(Fastest, ByPredictionIsOfThoseWithAFormula)
{
  Algorithms two;
  two.add("a", {{10}, {20}}, formula(1, 2));
  two.add("b", {{11}, {19}}, formula(2, 1));
  EXPECT_THAT(two.text(), HasSubstr("fastest by prediction: a up to 1, b beyond\n"));
  two.add("c", {{5}, {6}});
  EXPECT_THAT(two.text(), HasSubstr("fastest by prediction, of the 2 with a formula: a up to 1, b beyond\n"
                                    "not predicted: c has no formula\n"
                                    "fastest as measured: c at 64 .. 128\n"));
  Algorithms one;
  one.add("a", {{10}, {20}}, formula(1, 2));
  one.add("b", {{11}, {19}});
  EXPECT_THAT(one.text(), Not(HasSubstr("by prediction")));
  EXPECT_THAT(one.text(), HasSubstr("fastest as measured: a at 64, b at 128\n"));
  Algorithms alone;
  alone.add("a", {{10}, {20}}, formula(1, 2));
  EXPECT_THAT(alone.text(), Not(HasSubstr("fastest")));
}

TEST(Fastest, IsNotDecidedWhereTheDifferencesAreNot)
{
  Algorithms seeds(true);
  seeds.add("a", {{10, 14, 12, 19}, {30, 34, 32, 39}});
  seeds.add("b", {{11, 13.2, 12.9, 19.5}, {29, 33.1, 30.8, 38.2}});
  seeds.add("c", {{50, 54.5, 52.2, 59.1}, {70, 74.5, 72.3, 79.1}});
  EXPECT_THAT(seeds.text(), HasSubstr("fastest as measured: not decided between a and b at 64, b at 128\n"));
  EXPECT_THAT(seeds.group().fastest_measured.at(0).curves, ElementsAre(0, 1));
  Algorithms equal;
  equal.add("a", {{10}, {20}});
  equal.add("b", {{10}, {20}});
  EXPECT_THAT(equal.text(), HasSubstr("fastest as measured: a and b alike at 64 .. 128\n"));
  Algorithms late; // one run of many that are possible
  late.config = R"({"algorithm": {"name": "a"}, "run": {"start_jitter": "10us"}})";
  late.add("a", {{10}, {20}});
  late.add("b", {{11}, {21}});
  EXPECT_THAT(late.text(),
              HasSubstr("fastest with this seed alone (--repeat N shows whether that is decided): a at 64"));
}

TEST(Fastest, IsOnlyWhatIsDoneAndDoesItsOperation)
{
  Algorithms algorithms;
  algorithms.add("nothing", {{0}, {0}},
                 {.line = std::nullopt, .why_not = "does not bring everything to every node", .incomplete = true});
  algorithms.add("a", {{10}, {20}});
  algorithms.add("b", {{11}, {19}});
  EXPECT_THAT(algorithms.text(), HasSubstr("fastest as measured: a at 64, b at 128\n"));
  EXPECT_EQ(algorithms.group().crossings.size(), 1U); // and it crosses nothing
  const auto at_64 = [&](PointState state) {
    Algorithms changed = algorithms;
    changed.stored[2].state = state; // a at 64
    return changed.text();
  };
  EXPECT_THAT(at_64(PointState::saturated), HasSubstr("fastest as measured: b at 64 .. 128\n"));
  EXPECT_THAT(at_64(PointState::died), HasSubstr("fastest as measured: b at 128\n"));
  EXPECT_THAT(at_64(PointState::deadlock), Not(HasSubstr("fastest as measured"))); // b alone is left
  Algorithms seeds(true);
  seeds.add("a", {{10, 11, 12}});
  seeds.add("b", {{20, 21, 22}});
  seeds.stored[1].state = PointState::saturated; // a mean of the others would be too low
  EXPECT_THAT(seeds.text(), HasSubstr("fastest as measured: b at 64\n"));
}

} // namespace
} // namespace wormcast
