// The tournament tree against a look at all players.

#include "wormcast/simulator/events/tournament.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace wormcast {
namespace {

TEST(Tournament, HasNoNextPlayerAtFirst)
{
  EXPECT_EQ(Tournament(1).next_time(), never);
  EXPECT_EQ(Tournament(5).next_time(), never);
}

TEST(Tournament, GivesThePlayerOfLowestNumberWhereTimesAreEqual)
{
  Tournament tournament(6);
  for (const std::uint32_t player : {5U, 2U, 4U}) {
    tournament.set(player, 7);
  }
  std::vector<std::uint32_t> order;
  while (tournament.next_time() != never) {
    EXPECT_EQ(tournament.next_time(), 7);
    order.push_back(tournament.winner());
    tournament.set(tournament.winner(), never);
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{2, 4, 5}));
}

RC_GTEST_PROP(Tournament, HasTheEarliestOfAllPlayers, ())
{
  const auto players = *rc::gen::inRange<std::uint32_t>(1, 40);
  Tournament tournament(players);
  std::vector<std::int64_t> times(players, never);
  const int changes = *rc::gen::inRange(1, 200);
  for (int i = 0; i < changes; ++i) {
    const auto player = *rc::gen::inRange<std::uint32_t>(0, players);
    times[player] = *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 10), rc::gen::just(never));
    tournament.set(player, times[player]);
    const auto earliest = std::ranges::min_element(times);
    RC_ASSERT(tournament.next_time() == *earliest);
    RC_ASSERT(*earliest == never || tournament.winner() == earliest - times.begin());
  }
}

} // namespace
} // namespace wormcast
