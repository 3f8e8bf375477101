#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/cang_wu/submesh_offsets.hpp"

#include <gtest/gtest.h>

#include <set>

namespace wormcast::cang_wu {
namespace {

TEST(CangWuClaims, RepeatClaimsThatPrecedeThem)
{
  std::set<std::string> known;
  for (const Paper& paper : {cang_wu_1998_paper(), cang_wu_2000_paper()}) {
    for (const Claim& claim : paper.claims()) {
      EXPECT_TRUE(claim.repeats.empty() || known.contains(claim.repeats)) << claim.name << ' ' << claim.repeats;
      EXPECT_TRUE(known.insert(claim.name).second) << claim.name << " twice";
    }
  }
}

// The one that is repeated has a finding of its own.
TEST(CangWuClaims, DoNotRepeatRepetitions)
{
  std::set<std::string> repetitions;
  for (const Paper& paper : {cang_wu_1998_paper(), cang_wu_2000_paper()}) {
    for (const Claim& claim : paper.claims()) {
      EXPECT_FALSE(repetitions.contains(claim.repeats)) << claim.name << ' ' << claim.repeats;
      if (!claim.repeats.empty()) {
        repetitions.insert(claim.name);
      }
    }
  }
}

TEST(AreMinima, SaysWhatIsKnown)
{
  EXPECT_EQ(are_minima({{"4 x 4", 15, 15, 15}}).verdict, Verdict::confirmed);
  EXPECT_EQ(are_minima({{"4 x 4", 15, 15, 15}, {"16 x 16", 291, 291, 285}}).verdict, Verdict::ambiguous);
  EXPECT_EQ(are_minima({{"4 x 4", 16, 15, 15}}).verdict, Verdict::refuted);
}

// N_2 is across x, N_3 across z, N_5 across y.
TEST(SubmeshOffsets, NumbersOfSubmeshes)
{
  EXPECT_EQ(across(1), (std::array<bool, 3>{false, false, false}));
  EXPECT_EQ(across(2), (std::array<bool, 3>{true, false, false}));
  EXPECT_EQ(across(3), (std::array<bool, 3>{false, false, true}));
  EXPECT_EQ(across(5), (std::array<bool, 3>{false, true, false}));
  EXPECT_EQ(across(8), (std::array<bool, 3>{true, true, true}));
}

// On 8 x 8 x 8 the eye of submesh 1 is (2, 2, 2).
TEST(SubmeshOffsets, AreRelativeToTheEye)
{
  const auto numbers = [](const Offsets& offsets) { return std::array{offsets.u, offsets.v, offsets.w}; };
  EXPECT_EQ(numbers(offsets_of({2, 2, 2}, 1, 3)), (std::array<std::int64_t, 3>{0, 0, 0}));
  EXPECT_EQ(numbers(offsets_of({0, 1, 3}, 1, 3)), (std::array<std::int64_t, 3>{2, -1, 1}));
  EXPECT_EQ(numbers(offsets_of({0, 1, 3}, 2, 3)), (std::array<std::int64_t, 3>{-2, 1, -1}));
  EXPECT_EQ(numbers(offsets_of({0, 1, 3}, 4, 3)), (std::array<std::int64_t, 3>{-1, 1, -2}));
}

// A source at (1, 0, 0) of 4 x 4 x 4 costs 5 more than an eye where x is crossed first: 68.
TEST(SubmeshOffsets, LevelsAreTakenWithinSubmeshes)
{
  EXPECT_EQ(excess_within({1, 1, 1}, 2), 0);
  EXPECT_EQ(excess_within({1, 0, 0}, 2), 5);
  EXPECT_EQ(excess_within({5, 4, 4}, 2), 5);
  EXPECT_EQ(lower_levels({1, 0, 0}, 3), 5);
  EXPECT_EQ(lower_levels({1, 0, 0}, 2), 0);
}

} // namespace
} // namespace wormcast::cang_wu
