#include "wormcast/simulator/engines/thread_team.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace wormcast {
namespace {

// Each thread adds what all had written a turn before, without any other synchronisation.
TEST(ThreadTeam, ShowsAllThreadsWhatWasWrittenInTheTurnBefore)
{
  for (const std::uint32_t threads : {1U, 2U, 3U, 8U}) {
    ThreadTeam team(threads);
    ASSERT_EQ(team.size(), threads);
    std::vector<std::uint64_t> before(threads, 1);
    std::vector<std::uint64_t> after(threads);
    for (int turn = 0; turn < 1000; ++turn) {
      const std::uint64_t sum = std::accumulate(before.begin(), before.end(), std::uint64_t{0});
      team.run([&](std::uint32_t number) {
        after[number] = std::accumulate(before.begin(), before.end(), std::uint64_t{number});
      });
      before.swap(after);
      for (std::uint32_t number = 0; number < threads; ++number) {
        ASSERT_EQ(before[number], sum + number) << turn;
      }
    }
  }
}

TEST(ThreadTeam, GivesEachPartAThreadOfItsOwnAndTheFirstToTheCaller)
{
  ThreadTeam team(3);
  std::vector<std::thread::id> threads(3);
  team.run([&](std::uint32_t number) { threads[number] = std::this_thread::get_id(); });
  EXPECT_EQ(threads[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(threads.begin(), threads.end()).size(), 3U);
  const std::vector<std::thread::id> first = threads;
  team.run([&](std::uint32_t number) { threads[number] = std::this_thread::get_id(); });
  EXPECT_EQ(threads, first);
}

TEST(ThreadTeam, ThrowsWhatTheLowestPartThrewAndGoesOn)
{
  ThreadTeam team(3);
  const auto refuse = [](std::uint32_t number) {
    if (number > 0) {
      throw std::runtime_error(std::to_string(number));
    }
  };
  for (int turn = 0; turn < 2; ++turn) {
    try {
      team.run(refuse);
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "1");
    }
  }
  std::vector<int> done(3);
  team.run([&](std::uint32_t number) { done[number] = 1; });
  EXPECT_EQ(done, std::vector<int>(3, 1));
}

} // namespace
} // namespace wormcast
