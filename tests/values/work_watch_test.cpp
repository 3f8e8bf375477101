#include "wormcast/values/work_watch.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace wormcast::testing {
namespace {

constexpr int many_steps = 100'000;

void work_for_long()
{
  WorkSteps steps;
  for (int step = 0; step < many_steps; ++step) {
    steps.add();
  }
}

TEST(WorkWatch, IsLookedAtNowAndThen)
{
  int looks = 0;
  const WorkWatch watch([&] { ++looks; });
  WorkSteps steps;
  steps.add();
  EXPECT_EQ(looks, 0);
  work_for_long();
  EXPECT_GE(looks, 10);
  EXPECT_LE(looks, many_steps / 1000);
  steps.add(many_steps); // a step that takes as long as many
  EXPECT_GE(looks, 11);
}

struct Ended {};

TEST(WorkWatch, EndsTheWorkByWhatItThrows)
{
  const WorkWatch watch([] { throw Ended{}; });
  EXPECT_THROW(work_for_long(), Ended);
}

TEST(WorkWatch, IsThatOfTheThreadAndTheInnermostOne)
{
  int outer_looks = 0;
  int inner_looks = 0;
  const WorkWatch outer([&] { ++outer_looks; });
  {
    const WorkWatch inner([&] { ++inner_looks; });
    work_for_long();
  }
  EXPECT_GT(inner_looks, 0);
  EXPECT_EQ(outer_looks, 0);
  std::thread(work_for_long).join();
  EXPECT_EQ(outer_looks, 0);
  work_for_long();
  EXPECT_EQ(outer_looks, inner_looks);
}

} // namespace
} // namespace wormcast::testing
