// Queues of events against plain sorting.

#include "wormcast/simulator/events/event_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace wormcast {
namespace {

struct Numbered {
  std::int64_t time = 0;
  int number = 0;
};

TEST(EventQueue, IsEmptyAtFirst)
{
  const EventQueue<Numbered> queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.next_time(), never);
}

TEST(EventQueue, GivesEventsOfOneTimeInTheOrderOfTheirPushesThoseOfTheVisitToo)
{
  EventQueue<Numbered> queue;
  queue.push({std::int64_t{1} << 61, 0});
  queue.push({5, 1});
  queue.push({5, 2});
  std::vector<int> numbers;
  queue.pop_all(5, [&](const Numbered& event) {
    numbers.push_back(event.number);
    if (event.number == 1) {
      queue.push({5, 3});
    }
  });
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(queue.next_time(), std::int64_t{1} << 61);
}

RC_GTEST_PROP(EventQueue, GivesWhatAStableSortGives, ())
{
  EventQueue<Numbered> queue;
  std::vector<std::pair<std::int64_t, int>> expected;
  std::vector<std::pair<std::int64_t, int>> found;
  std::int64_t now = 0;
  int number = 0;
  const auto push = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const auto bits = *rc::gen::inRange(0, 60);
      const std::int64_t ahead = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << bits);
      expected.emplace_back(now + ahead, number);
      queue.push({now + ahead, number++});
    }
  };
  const int rounds = *rc::gen::inRange(1, 20);
  for (int round = 0; round < rounds; ++round) {
    push(*rc::gen::inRange(0, 10));
    if (!queue.empty()) {
      now = queue.next_time();
      queue.pop_all(now, [&](const Numbered& event) { found.emplace_back(now, event.number); });
    }
  }
  while (!queue.empty()) {
    now = queue.next_time();
    queue.pop_all(now, [&](const Numbered& event) {
      RC_ASSERT(event.time == now);
      found.emplace_back(now, event.number);
    });
  }
  // Whatever was pushed at a time already taken comes in a later visit of the same time, behind the first ones.
  std::ranges::stable_sort(expected, {}, [](const auto& event) { return event.first; });
  RC_ASSERT(found == expected);
}

TEST(EventLane, KeepsItsOrderWhileItGrows)
{
  EventLane<Numbered> lane;
  EXPECT_EQ(lane.next_time(), never);
  int taken = 0;
  for (int i = 0; i < 1000; ++i) {
    lane.push({i, i});
    if (i % 3 == 0) {
      EXPECT_EQ(lane.next_time(), taken);
      EXPECT_EQ(lane.pop().number, taken++);
    }
  }
  while (!lane.empty()) {
    EXPECT_EQ(lane.pop().number, taken++);
  }
  EXPECT_EQ(taken, 1000);
}

RC_GTEST_PROP(MostlyOrderedQueue, GivesAllInTheOrderOfTheirTimes, ())
{
  MostlyOrderedQueue<Numbered> queue;
  std::vector<std::pair<std::int64_t, int>> expected;
  std::vector<std::pair<std::int64_t, int>> found;
  std::int64_t now = 0;
  const auto take = [&] {
    now = queue.next_time();
    queue.pop_all(now, [&](const Numbered& event) {
      RC_ASSERT(event.time == now);
      found.emplace_back(now, event.number);
    });
  };
  const int count = *rc::gen::inRange(1, 100);
  for (int number = 0; number < count; ++number) {
    const std::int64_t ahead = *rc::gen::element<std::int64_t>(1, 10, 10, 10, 1000);
    queue.push({now + ahead, number});
    expected.emplace_back(now + ahead, number);
    if (queue.next_time() != never && *rc::gen::arbitrary<bool>()) {
      take();
    }
  }
  while (queue.next_time() != never) {
    take();
  }
  RC_ASSERT(std::ranges::is_sorted(found, {}, [](const auto& event) { return event.first; }));
  std::ranges::sort(expected);
  std::ranges::sort(found);
  RC_ASSERT(found == expected);
}

} // namespace
} // namespace wormcast
