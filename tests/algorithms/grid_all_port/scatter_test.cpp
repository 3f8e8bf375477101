// The sizes of the split scatter's steps, and that it hands every segment to its node.

#include "wormcast/algorithms/grid_all_port/scatter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

std::vector<std::int64_t> sizes(std::int64_t side, Position source)
{
  return diagonal_scatter(side, source).sizes;
}

TEST(DiagonalScatter, SizesFromACornerAndTheCentre)
{
  EXPECT_THAT(sizes(4, {0, 0}), ElementsAre(3, 1, 1));
  EXPECT_THAT(sizes(8, {0, 0}), ElementsAre(6, 3, 1));
  EXPECT_THAT(sizes(16, {0, 0}), ElementsAre(11, 6, 3, 1));
  EXPECT_THAT(sizes(32, {0, 0}), ElementsAre(36, 10, 3, 1));
  EXPECT_THAT(sizes(64, {0, 0}), ElementsAre(46, 27, 9, 3, 1));
  EXPECT_THAT(sizes(128, {0, 0}), ElementsAre(86, 44, 27, 9, 3, 1));
  EXPECT_THAT(sizes(4, {2, 2}), ElementsAre(2, 1));
  EXPECT_THAT(sizes(8, {4, 4}), ElementsAre(4, 2, 1));
  EXPECT_THAT(sizes(16, {8, 8}), ElementsAre(8, 3, 1));
  EXPECT_THAT(sizes(32, {16, 16}), ElementsAre(16, 4, 3, 1));
  EXPECT_THAT(sizes(64, {32, 32}), ElementsAre(38, 10, 3, 1));
  EXPECT_THAT(sizes(128, {64, 64}), ElementsAre(64, 19, 9, 3, 1));
}

// With messages of any size a B-job in the middle reaches 1, 5, 19, 65, 211 columns, one at the edge 1, 3, 10, 33, 106.
TEST(ScatterCapacity, Unlimited)
{
  ScatterCapacity capacity;
  std::vector<std::int64_t> reached;
  std::vector<std::int64_t> reached_at_the_edge;
  for (std::size_t j = 1; j <= 5; ++j) {
    capacity.push(1000);
    reached.push_back(capacity.b_total[j]);
    std::int64_t right = 0;
    while (capacity.b_job_fits(j, 0, right + 1)) {
      ++right;
    }
    reached_at_the_edge.push_back(right + 1);
  }
  EXPECT_THAT(reached, ElementsAre(1, 5, 19, 65, 211));
  EXPECT_THAT(reached_at_the_edge, ElementsAre(1, 3, 10, 33, 106));
}

// Against all vectors of sizes up to `largest` with the fewest steps, in lexicographical order.
std::optional<std::vector<std::int64_t>>
best_by_enumeration(std::int64_t largest, std::size_t steps,
                    const std::function<bool(const ScatterCapacity&)>& feasible)
{
  std::optional<std::vector<std::int64_t>> best;
  std::vector<std::int64_t> candidate(steps, 1); // s[T], .., s[1]
  for (;;) {
    ScatterCapacity capacity;
    for (auto size = candidate.rbegin(); size != candidate.rend(); ++size) {
      capacity.push(*size);
    }
    const auto sum = [](const std::vector<std::int64_t>& values) {
      return std::accumulate(values.begin(), values.end(), std::int64_t{0});
    };
    if (feasible(capacity) && (!best || sum(candidate) < sum(*best))) {
      best = candidate;
    }
    std::size_t digit = steps;
    while (digit > 0 && candidate[digit - 1] == largest) {
      candidate[--digit] = 1;
    }
    if (digit == 0) {
      return best;
    }
    ++candidate[digit - 1];
  }
}

RC_GTEST_PROP(ScatterSizes, AreTheBestOfAll, ())
{
  const bool b_job = *rc::gen::arbitrary<bool>();
  const auto left = *rc::gen::inRange<std::int64_t>(0, 11);
  const auto right = *rc::gen::inRange<std::int64_t>(0, 11);
  const auto feasible = [&](const ScatterCapacity& capacity) {
    return b_job ? capacity.b_job_fits(capacity.steps(), left, right)
                 : capacity.s_job_fits(capacity.steps(), left, right);
  };
  const ScatterCapacity found = optimal_scatter_sizes(12, feasible);
  std::optional<std::vector<std::int64_t>> best;
  std::size_t steps = 0;
  for (; !best; ++steps) {
    best = best_by_enumeration(12, steps, feasible);
  }
  RC_ASSERT(found.steps() == steps - 1);
  RC_ASSERT(std::vector(found.s.rbegin(), found.s.rend() - 1) == *best);
}

RC_GTEST_PROP(DiagonalScatter, SendsEverySegmentToItsNode, ())
{
  const std::int64_t side = *rc::gen::inRange<std::int64_t>(2, 40);
  const Position source{*rc::gen::inRange<std::int64_t>(0, side), *rc::gen::inRange<std::int64_t>(0, side)};
  const DiagonalScatter scatter = diagonal_scatter(side, source);
  std::vector<Position> where(static_cast<std::size_t>(2 * side), source); // of each segment
  std::vector<std::int64_t> largest(scatter.sizes.size(), 0);
  std::uint32_t step = 0;
  std::vector<Position> before = where;
  for (const ScatterMessage& message : scatter.messages) {
    RC_ASSERT(message.step >= step);
    if (message.step > step) {
      before = where;
      step = message.step;
    }
    std::int64_t segments = 0;
    for (std::int64_t column = message.columns.begin; column < message.columns.end; ++column) {
      for (const bool main : {true, false}) {
        if (message.segments == DiagonalSegments::both || (message.segments == DiagonalSegments::main) == main) {
          const auto segment = static_cast<std::size_t>(main ? column : side + column);
          RC_ASSERT(before[segment] == message.from);
          where[segment] = message.to;
          ++segments;
        }
      }
    }
    largest[message.step] = std::max(largest[message.step], segments);
  }
  for (std::int64_t t = 0; t < side; ++t) {
    RC_ASSERT((where[static_cast<std::size_t>(t)] == Position{t, t}));
    RC_ASSERT((where[static_cast<std::size_t>(side + t)] == Position{t, side - 1 - t}));
  }
  RC_ASSERT(largest == scatter.sizes);
}

} // namespace
} // namespace wormcast
