#include "wormcast/experiments/reproduction/fugaku/error_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wormcast::fugaku {
namespace {

using ::testing::HasSubstr;

TEST(FugakuErrorRules, FoldedBoxesMustBeGoodAndTheOthersBad)
{
  const ErrorsByModel good = {.folded = {-0.1, 0.1, 0.12}, .plain = {0.2, 0.3, 0.2}, .free = {-0.3, -0.2, -0.2}};
  EXPECT_EQ(better_folded(good, {}).verdict, Verdict::confirmed);

  ErrorsByModel free_is_good_as_well = good;
  free_is_good_as_well.free = {0.14, 0.14, 0.14};
  EXPECT_EQ(better_folded(free_is_good_as_well, {}).verdict, Verdict::not_testable) << "between both rules";

  ErrorsByModel free_is_better = good;
  free_is_better.free = {0.1, 0, 0};
  EXPECT_EQ(better_folded(free_is_better, {}).verdict, Verdict::refuted);

  ErrorsByModel far_off_in_a_tenth = good;
  far_off_in_a_tenth.folded = {-0.1, 0.1, 0.3};
  EXPECT_EQ(better_folded(far_off_in_a_tenth, {}).verdict, Verdict::not_testable);
}

TEST(FugakuErrorRules, MissingRowsLeaveItOpenAndAreNamed)
{
  const Evidence evidence =
      better_folded({.folded = {0.04}, .plain = {0.3}, .free = {0.05}}, {"BINE-L-UTOFU-0-6 on 8x8x8"});
  EXPECT_EQ(evidence.verdict, Verdict::not_testable);
  EXPECT_THAT(evidence.measured, HasSubstr("open: the rows of BINE-L-UTOFU-0-6 on 8x8x8 are missing"));
  EXPECT_THAT(evidence.measured, HasSubstr("errors of 1 row from 1 MiB on: folded, median: 4.0 %"));
}

TEST(FugakuErrorRules, ACandidateThatIsWorseThanNoContentionIsRefuted)
{
  const std::vector<CandidateErrors> better = {{"halves", {0.03, -0.05}, {-0.2, -0.2}},
                                               {"all-gather", {0.3, 0.1}, {-0.3, -0.2}}};
  const Evidence open = better_candidate(better);
  EXPECT_EQ(open.verdict, Verdict::not_testable);
  EXPECT_THAT(open.measured, HasSubstr("open: better than without contention, but not within 15 % everywhere"));
  EXPECT_THAT(open.measured, HasSubstr("halves: median 4.0 %, worst 5.0 %; free 20.0 %"));
  EXPECT_EQ(better_candidate({{"all-gather", {0.3, 0.4}, {-0.2, -0.2}}}).verdict, Verdict::refuted);
  EXPECT_EQ(better_candidate({{"halves", {0.03, -0.05}, {-0.2, -0.2}}, {"L", {0.14, 0.15}, {-0.6, -0.6}}}).verdict,
            Verdict::confirmed);
}

TEST(FugakuErrorRules, TheOrderOfWholeMessagesAndSegmentsDecides)
{
  const std::vector<FoldedErrors> halves = {{"4x4x4", {-0.02, 0.1, -0.3}}, {"8x8x8", {-0.16}}};
  const OrderedPair right{.rows = "1 MiB", .first_is_faster = true, .first_is_predicted_faster = true};
  const OrderedPair wrong{.rows = "8 MiB", .first_is_faster = true, .first_is_predicted_faster = false};
  EXPECT_EQ(halves_and_their_order(halves, {right}).verdict, Verdict::confirmed);
  EXPECT_EQ(halves_and_their_order(halves, {right, wrong}).verdict, Verdict::refuted);
  EXPECT_EQ(halves_and_their_order(halves, {}).verdict, Verdict::not_testable);
  EXPECT_EQ(halves_and_their_order({{"4x4x4", {0.18, 0.2, 0}}}, {right}).verdict, Verdict::not_testable);
}

} // namespace
} // namespace wormcast::fugaku
