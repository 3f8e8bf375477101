#include "wormcast/experiments/cluster/assignments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Assignments, GiveTasksToWhoeverIsFreeForTheLongestTime)
{
  Assignments assignments;
  EXPECT_FALSE(assignments.assign({0, "a"}));
  assignments.join(1, 1);
  assignments.join(2, 2);
  EXPECT_EQ(assignments.capacity(), 3U);
  EXPECT_EQ(assignments.assign({0, "a"})->worker, 1U);
  EXPECT_EQ(assignments.assign({1, "b"})->worker, 2U);
  EXPECT_EQ(assignments.assign({2, "c"})->worker, 2U);
  EXPECT_FALSE(assignments.assign({3, "d"}));
  EXPECT_EQ(assignments.running(), 3U);
  EXPECT_TRUE(assignments.finish(2, 1));
  EXPECT_FALSE(assignments.finish(2, 1));
  EXPECT_FALSE(assignments.finish(1, 2)); // another one's
  EXPECT_EQ(assignments.assign({3, "d"})->worker, 2U);
}

TEST(Assignments, WhatALostWorkerHadGoesToAnother)
{
  Assignments assignments;
  assignments.join(1, 1);
  assignments.assign({5, "five"});
  EXPECT_THAT(assignments.lose(1), IsEmpty());
  EXPECT_EQ(assignments.capacity(), 0U);
  EXPECT_EQ(assignments.running(), 1U);
  EXPECT_FALSE(assignments.assign_again());
  assignments.join(2, 1);
  const auto again = assignments.assign_again();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->worker, 2U);
  EXPECT_EQ(again->task->number, 5U);
  EXPECT_EQ(again->task->text, "five");
  EXPECT_FALSE(assignments.finish(1, 5)); // too late
  EXPECT_TRUE(assignments.finish(2, 5));
  EXPECT_EQ(assignments.running(), 0U);
}

TEST(Assignments, ATaskThatEndsThreeWorkersIsGivenUp)
{
  Assignments assignments;
  assignments.join(1, 1);
  assignments.join(2, 1);
  assignments.join(3, 1);
  assignments.assign({5, "five"});
  EXPECT_THAT(assignments.lose(1), IsEmpty());
  assignments.assign_again();
  EXPECT_THAT(assignments.lose(2), IsEmpty());
  assignments.assign_again();
  EXPECT_THAT(assignments.lose(3), ElementsAre(5U));
  EXPECT_EQ(assignments.running(), 0U);
}

// Workers come, finish and are lost in any order: each task ends once, or is given up after three losses.
RC_GTEST_PROP(Assignments, LoseNoTask, (std::uint32_t seed))
{
  std::mt19937 dice(seed);
  Assignments assignments;
  const std::size_t tasks = dice() % 30;
  std::size_t next = 0;
  std::vector<int> ended(tasks);
  std::map<WorkerId, std::set<std::size_t>> workers;
  WorkerId newest = 0;
  const auto give = [&](const std::optional<Assignments::Assignment>& given) {
    if (given) {
      RC_ASSERT(given->task->text == std::to_string(given->task->number));
      RC_ASSERT(workers.at(given->worker).insert(given->task->number).second);
    }
    return given.has_value();
  };
  while (next < tasks || assignments.running() > 0) {
    const auto event = dice() % 5;
    if (workers.empty() || event == 0) {
      workers[++newest];
      assignments.join(newest, 1 + dice() % 3);
    } else if (event == 1) {
      for (const std::size_t task : assignments.lose(workers.begin()->first)) {
        ++ended[task];
      }
      workers.erase(workers.begin());
    } else {
      while (give(assignments.assign_again())) {
      }
      while (next < tasks && give(assignments.assign({next, std::to_string(next)}))) {
        ++next;
      }
      for (auto& [worker, running] : workers) {
        if (!running.empty()) {
          RC_ASSERT(assignments.finish(worker, *running.begin()));
          ++ended[*running.begin()];
          running.erase(running.begin());
          break;
        }
      }
    }
  }
  for (const int times : ended) {
    RC_ASSERT(times == 1);
  }
}

} // namespace
} // namespace wormcast
