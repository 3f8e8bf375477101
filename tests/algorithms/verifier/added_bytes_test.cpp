// The bytes that receivers add: those of incomplete results.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/verifier/added_bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using testing::grid;

Schedule made(const std::string& algorithm, const std::string& operation, std::uint64_t bytes,
              const std::string& variant = "")
{
  const auto topology = make_topology(grid("torus", {4, 4}));
  ScheduleRequest request;
  request.message_bytes = bytes;
  request.parameters.set("operation", operation);
  if (!variant.empty()) {
    request.parameters.set("variant", variant);
  }
  return make_schedule(find_algorithm(algorithm), *topology, request);
}

std::uint64_t sum_of_additions(const Schedule& schedule)
{
  const std::vector<std::uint64_t> added = added_bytes(schedule, 16);
  return std::accumulate(added.begin(), added.end(), std::uint64_t{0});
}

// Whatever the algorithm, each of the 16 contributions to each byte of a result is added once to another.
TEST(AddedBytes, AreFifteenVectorsWhereEveryContributionIsAddedOnce)
{
  EXPECT_EQ(sum_of_additions(made("ring", "reduce_scatter", 1600)), 15U * 1600);
  EXPECT_EQ(sum_of_additions(made("recursive_doubling", "reduce", 1600)), 15U * 1600);
  EXPECT_EQ(sum_of_additions(made("ring", "all_reduce", 1600)), 15U * 1600); // none in the all-gather phase
}

// Every node adds a whole vector in each of 4 exchanges.
TEST(AddedBytes, AreMoreWhereNodesExchangeWholeVectors)
{
  EXPECT_EQ(sum_of_additions(made("torus_doubling", "all_reduce", 1600, "latency")), 4U * 16 * 1600);
}

TEST(AddedBytes, AreNoneOfOtherOperations)
{
  EXPECT_EQ(sum_of_additions(made("ring", "all_gather", 1600)), 0U);
}

TEST(AddedBytes, AreThoseOfTheBlocksThatAreNotComplete)
{
  // 10 bytes in 3 blocks: [0, 3), [3, 6), [6, 10). Block 0 is complete at node 0 after the first step.
  Schedule schedule;
  schedule.operation = Operation::all_reduce;
  schedule.blocks = 3;
  schedule.message_bytes = 10;
  const BlockSetId first = schedule.block_sets.intern({0, 1});
  const BlockSetId all = schedule.block_sets.intern({0, 3});
  schedule.messages = {{0, NodeId{1}, NodeId{0}, first}, {1, NodeId{0}, NodeId{1}, all}};
  EXPECT_THAT(added_bytes(schedule, 2), ElementsAre(3U, 7U));
}

// Two of four nodes have a rank: a result is complete with two contributions.
TEST(AddedBytes, CountTheNodesThatTakePart)
{
  Schedule schedule;
  schedule.operation = Operation::all_reduce;
  schedule.message_bytes = 10;
  const BlockSetId all = schedule.block_sets.intern({0, 1});
  schedule.messages = {{0, NodeId{3}, NodeId{1}, all}, {1, NodeId{1}, NodeId{3}, all}};
  EXPECT_EQ(participants(schedule, 4), 2U);
  EXPECT_THAT(added_bytes(schedule, 4), ElementsAre(10U, 0U));
}

// A message carries what its sender has before the step.
TEST(AddedBytes, OfAnExchangeAreOfBothSides)
{
  Schedule schedule;
  schedule.operation = Operation::all_reduce;
  schedule.message_bytes = 10;
  const BlockSetId all = schedule.block_sets.intern({0, 1});
  schedule.messages = {{0, NodeId{1}, NodeId{0}, all}, {0, NodeId{0}, NodeId{1}, all}};
  EXPECT_THAT(added_bytes(schedule, 2), ElementsAre(10U, 10U));
}

} // namespace
} // namespace wormcast
