#include "wormcast/algorithms/grid/line_halving.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <set>

namespace wormcast {
namespace {

TEST(LineHalving, CutsUnequalHalves)
{
  const auto steps = halve_line(5, 1);
  ASSERT_EQ(steps.size(), 3U);
  ASSERT_EQ(steps[0].size(), 1U); // 0 1 2 | 3 4
  EXPECT_EQ(steps[0][0].from, 1);
  EXPECT_EQ(steps[0][0].to, 4);
  EXPECT_EQ(steps[0][0].kept, 3);
  EXPECT_EQ(steps[0][0].given, 2);
  ASSERT_EQ(steps[1].size(), 2U); // 0 1 | 2 and 3 | 4
  EXPECT_EQ(steps[1][0].to, 2);
  EXPECT_EQ(steps[1][1].to, 3);
  ASSERT_EQ(steps[2].size(), 1U); // 0 | 1
  EXPECT_EQ(steps[2][0].to, 0);
}

RC_GTEST_PROP(LineHalving, InformsEveryPlaceOnceInTheFewestSteps, ())
{
  const auto size = *rc::gen::inRange<std::int64_t>(1, 300);
  const auto source = *rc::gen::inRange<std::int64_t>(0, size);
  const auto steps = halve_line(size, source);
  RC_ASSERT(steps.size() == static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(size) - 1)));
  std::map<std::int64_t, std::int64_t> serves = {{source, size}}; // informed place -> nodes in its segment
  for (const auto& sends : steps) {
    const auto before = serves;
    for (const HalvingSend& send : sends) {
      RC_ASSERT(before.contains(send.from));
      RC_ASSERT(!serves.contains(send.to));
      RC_ASSERT(send.kept + send.given == before.at(send.from));
      RC_ASSERT(send.kept >= 1 && send.given >= 1);
      RC_ASSERT(std::abs(send.kept - send.given) <= 1);
      serves[send.from] = send.kept;
      serves[send.to] = send.given;
    }
  }
  RC_ASSERT(serves.size() == static_cast<std::size_t>(size));
}

RC_GTEST_PROP(LineHalving, SendsOfAStepDoNotOverlap, ())
{
  const auto size = *rc::gen::inRange<std::int64_t>(1, 300);
  for (const auto& sends : halve_line(size, *rc::gen::inRange<std::int64_t>(0, size))) {
    std::set<std::int64_t> links; // links are shared here by both directions
    for (const HalvingSend& send : sends) {
      for (std::int64_t link = std::min(send.from, send.to); link < std::max(send.from, send.to); ++link) {
        RC_ASSERT(links.insert(link).second);
      }
    }
  }
}

RC_GTEST_PROP(LineHalving, FlipsTheHighestBitFirstOnPowersOfTwo, ())
{
  const auto n = *rc::gen::inRange(0, 9);
  const auto steps = halve_line(1 << n, *rc::gen::inRange<std::int64_t>(0, 1 << n));
  for (std::size_t step = 0; step < steps.size(); ++step) {
    for (const HalvingSend& send : steps[step]) {
      RC_ASSERT((send.from ^ send.to) == std::int64_t{1} << (n - 1 - static_cast<int>(step)));
    }
  }
}

} // namespace
} // namespace wormcast
