// Every claim can fail: after the change that it names its verdict is another one, or its measurement finds no
// evidence.

#include "wormcast/experiments/reproduction/reproduce.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace wormcast {
namespace {

class Mutations : public ::testing::TestWithParam<Mutation> {};

TEST_P(Mutations, TurnTheVerdictsOfTheClaimsThatNameThem)
{
  std::vector<Claim> claims = all_claims();
  std::erase_if(claims, [](const Claim& claim) { return claim.turned_by != GetParam(); });
  const MutationScope mutation(GetParam());
  const ReproduceOutcome outcome = run_claims(claims, {.jobs = std::max(1U, std::thread::hardware_concurrency())});
  for (std::size_t i = 0; i < claims.size(); ++i) {
    EXPECT_FALSE(outcome.claims[i].agrees(claims[i]))
        << claims[i].name << " is still " << verdict_name(claims[i].recorded) << " with " << mutation_name(GetParam())
        << ": " << outcome.claims[i].evidence.measured;
  }
}

std::string test_name(const ::testing::TestParamInfo<Mutation>& parameter)
{
  std::string name(mutation_name(parameter.param));
  std::erase_if(name, [](char letter) { return letter == ' ' || letter == '\''; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Mutations,
                         ::testing::Values(Mutation::message_dropped, Mutation::message_redirected,
                                           Mutation::message_moved, Mutation::value_changed),
                         test_name);

TEST(MutationScope, EndsWhereItEnds)
{
  {
    const MutationScope mutation(Mutation::value_changed);
    EXPECT_EQ(as_claimed(3), 4);
    EXPECT_EQ(as_upper_bound(Fraction(3, 2)), Fraction(1, 2));
    EXPECT_THROW(MutationScope(Mutation::message_dropped), std::logic_error);
  }
  EXPECT_EQ(as_claimed(3), 3);
  EXPECT_EQ(as_upper_bound(Fraction(3, 2)), Fraction(3, 2));
}

TEST(MutationScope, EveryClaimNamesOne)
{
  for (const Claim& claim : all_claims()) {
    EXPECT_NE(claim.turned_by, Mutation::none) << claim.name;
  }
}

} // namespace
} // namespace wormcast
