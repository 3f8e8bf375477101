#include "wormcast/simulator/engines/time_step.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace wormcast {
namespace {

using Ranks = std::vector<std::pair<std::uint32_t, std::uint32_t>>; // precedence and message

// Requests of worms 0, 1, ...; returns the ranks in the order in which they are served.
Ranks served(const Ranks& ranks)
{
  Requests requests;
  for (std::uint32_t worm = 0; worm < ranks.size(); ++worm) {
    requests.add(ranks[worm].first, MessageId{ranks[worm].second}, worm);
  }
  Ranks order;
  requests.serve([&](std::uint32_t worm) { order.push_back(ranks[worm]); });
  return order;
}

Ranks sorted(Ranks ranks)
{
  std::ranges::sort(ranks);
  return ranks;
}

// Few and many; messages whose numbers are close together, as in a network under load, and far apart.
TEST(Requests, AreServedByPrecedenceThenByMessage)
{
  std::mt19937 random(1);
  for (const std::uint32_t count : {2U, 255U, 256U, 257U, 5000U}) {
    for (const std::uint32_t range : {count, 1U << 22U, (1U << 22U) + 1, 0xffffffffU}) {
      for (const std::uint32_t precedences : {1U, 3U}) {
        Ranks ranks;
        for (std::uint32_t i = 0; i < count; ++i) {
          ranks.emplace_back(random() % precedences, 0xffffffffU - random() % range);
        }
        EXPECT_EQ(served(ranks), sorted(ranks)) << count << " in " << range;
      }
    }
  }
}

TEST(Requests, MadeMeanwhileAreServedNextTime)
{
  Requests requests;
  for (std::uint32_t worm = 0; worm < 300; ++worm) {
    requests.add(0, MessageId{300 - worm}, worm);
  }
  std::vector<std::uint32_t> first;
  requests.serve([&](std::uint32_t worm) {
    first.push_back(worm);
    if (worm % 100 == 0) {
      requests.add(0, MessageId{worm}, 1000 + worm);
    }
  });
  EXPECT_EQ(first.size(), 300U);
  EXPECT_EQ(first.front(), 299U);
  std::vector<std::uint32_t> second;
  requests.serve([&](std::uint32_t worm) { second.push_back(worm); });
  EXPECT_THAT(second, ::testing::ElementsAre(1000, 1100, 1200));
  EXPECT_TRUE(requests.empty());
}

// What is fetched ahead is one of the requests that are served, and the last where there is none so far ahead.
TEST(Requests, NameWormsThatComeLater)
{
  Requests requests;
  for (std::uint32_t worm = 0; worm < 40; ++worm) {
    requests.add(0, MessageId{worm}, worm);
  }
  std::uint32_t now = 0;
  requests.serve([&](std::uint32_t worm) { now = worm + 1; },
                 [&](std::uint32_t far, std::uint32_t near) {
                   EXPECT_EQ(far, std::min(now + 16, 39U));
                   EXPECT_EQ(near, std::min(now + 8, 39U));
                 });
  EXPECT_EQ(now, 40U);
}

} // namespace
} // namespace wormcast
