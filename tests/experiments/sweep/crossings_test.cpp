#include "wormcast/experiments/sweep/crossings.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>

namespace wormcast {
namespace {

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

} // namespace
} // namespace wormcast
