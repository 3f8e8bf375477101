#include "wormcast/experiments/process/progress.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

TEST(Progress, EstimatesFromThePointsOfThisRun)
{
  const TaskProgress progress = {.total = 33,
                                 .kept = 10,
                                 .computed = 5,
                                 .running = 2,
                                 .jobs = 2,
                                 .elapsed_seconds = 7,
                                 .computed_wall_seconds = 10};
  EXPECT_DOUBLE_EQ(seconds_left(progress), 18);
  EXPECT_EQ(progress_line(progress), "15/33 points, 2 running, 0:07 elapsed, about 0:18 left");
}

TEST(Progress, DoesNotGuessWithoutAFinishedPoint)
{
  const TaskProgress progress = {.total = 3, .running = 2, .jobs = 2, .elapsed_seconds = 61};
  EXPECT_LT(seconds_left(progress), 0);
  EXPECT_EQ(progress_line(progress), "0/3 points, 2 running, 1:01 elapsed");
}

TEST(Progress, CountsNoMoreJobsThanPointsLeft)
{
  const TaskProgress progress = {.total = 10, .computed = 9, .jobs = 8, .computed_wall_seconds = 90};
  EXPECT_DOUBLE_EQ(seconds_left(progress), 10);
}

TEST(Progress, WritesHoursWhenThereAreSome)
{
  EXPECT_EQ(format_clock(0.4), "0:00");
  EXPECT_EQ(format_clock(754), "12:34");
  EXPECT_EQ(format_clock(12300), "3:25:00");
}

} // namespace
} // namespace wormcast
