// Every verdict that something can turn is another one after the change that its claim names, and the one that the
// claim says. A measurement that ends in an error shows nothing, so it is no turn.

#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/papers.hpp"
#include "wormcast/experiments/reproduction/reproduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace wormcast {
namespace {

class Mutations : public ::testing::TestWithParam<Mutation> {};

TEST_P(Mutations, TurnTheVerdictsOfTheClaimsThatNameThem)
{
  std::vector<Claim> claims = all_claims();
  std::erase_if(claims, [](const Claim& claim) { return claim.turned_by != GetParam(); });
  ASSERT_FALSE(claims.empty());
  const MutationScope mutation(GetParam());
  const ReproduceOutcome outcome = run_claims(claims, {.jobs = std::max(1U, std::thread::hardware_concurrency())});
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const ClaimOutcome& found = outcome.claims[i];
    EXPECT_EQ(found.error, "") << claims[i].name << ": an error is no verdict";
    if (found.error.empty()) {
      EXPECT_EQ(verdict_names.text(found.evidence.verdict), verdict_names.text(turned_verdict(claims[i])))
          << claims[i].name << ", recorded as " << verdict_names.text(claims[i].recorded) << ", with "
          << turning_text(claims[i]) << ": " << found.evidence.measured;
    }
  }
}

std::string test_name(const ::testing::TestParamInfo<Mutation>& parameter)
{
  std::string name(mutation_names.text(parameter.param));
  std::erase_if(name, [](char letter) { return letter == ' ' || letter == '\''; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Mutations,
                         ::testing::Values(Mutation::message_dropped, Mutation::message_redirected,
                                           Mutation::message_moved, Mutation::value_changed, Mutation::finding_stated,
                                           Mutation::data_changed),
                         test_name);

TEST(MutationScope, MovesValuesByTheirLeastStepWhereItEnds)
{
  {
    const MutationScope mutation(Mutation::value_changed);
    EXPECT_EQ(as_claimed(3), 4);
    EXPECT_EQ(as_claimed(Fraction(1, 4)), Fraction(2, 4));
    EXPECT_EQ(as_upper_bound(3), 2);
    EXPECT_EQ(as_upper_bound(Fraction(17, 8)), Fraction(16, 8));
    EXPECT_EQ(as_upper_bound(Fraction(5, 2), Fraction(1, 32)), Fraction(79, 32));
    EXPECT_EQ(as_lower_bound(3), 4);
    EXPECT_EQ(as_lower_bound(Fraction(2), Fraction(1, 32)), Fraction(65, 32));
    EXPECT_EQ(as_stated(1, 2), 1);
    EXPECT_THROW(MutationScope{Mutation::message_dropped}, std::logic_error);
  }
  EXPECT_EQ(as_claimed(3), 3);
  EXPECT_EQ(as_upper_bound(Fraction(3, 2)), Fraction(3, 2));
}

TEST(MutationScope, ReplacesOnlyWhatTheMutationIsAbout)
{
  {
    const MutationScope mutation(Mutation::finding_stated);
    EXPECT_EQ(as_stated(1, 2), 2);
    EXPECT_EQ(as_measured(1, 2), 1);
    EXPECT_EQ(as_claimed(3), 3);
  }
  const MutationScope mutation(Mutation::data_changed);
  EXPECT_EQ(as_stated(1, 2), 1);
  EXPECT_EQ(as_measured(1, 2), 2);
}

TEST(Turning, IsToAnotherVerdict)
{
  for (const Claim& claim : all_claims()) {
    if (claim.turned_by != Mutation::none) {
      EXPECT_NE(verdict_names.text(turned_verdict(claim)), verdict_names.text(claim.recorded)) << claim.name;
      EXPECT_NE(turning_text(claim), "") << claim.name;
    }
  }
}

TEST(Turning, IsOfEveryVerdictThatSomethingCanTurn)
{
  for (const Claim& claim : all_claims()) {
    if (claim.recorded != Verdict::not_testable) {
      EXPECT_NE(claim.turned_by, Mutation::none) << claim.name;
    } else if (claim.turned_by != Mutation::none) {
      ADD_FAILURE() << claim.name << ": what is lost cannot be decided";
    }
  }
}

// A wrong statement is not shown to be wrong by a check that fails whatever it says.
TEST(Turning, ConfirmsWhatIsWrongWhereItSaysWhatWasFound)
{
  for (const Claim& claim : all_claims()) {
    if (claim.recorded == Verdict::refuted || claim.recorded == Verdict::misprint) {
      EXPECT_EQ(verdict_names.text(turned_verdict(claim)), "confirmed") << claim.name;
      EXPECT_TRUE(claim.turned_by == Mutation::finding_stated || claim.turned_by == Mutation::data_changed)
          << claim.name << ": " << turning_text(claim);
    }
  }
}

TEST(Turning, IsInTheReportOnlyWhereThereIsOne)
{
  std::vector<Claim> claims = all_claims();
  claims.resize(1);
  const std::vector<ClaimOutcome> outcomes(1);
  claims[0].recorded = Verdict::refuted;
  claims[0].turned_by = Mutation::finding_stated;
  const auto with = reproduction_json(claims, outcomes)["claims"][0];
  EXPECT_EQ(with["turned_by"], mutation_names.text(Mutation::finding_stated));
  EXPECT_EQ(with["turns_to"], "confirmed");
  claims[0].turned_by = Mutation::none;
  const auto without = reproduction_json(claims, outcomes)["claims"][0];
  EXPECT_FALSE(without.contains("turned_by"));
  EXPECT_FALSE(without.contains("turns_to"));
}

} // namespace
} // namespace wormcast
