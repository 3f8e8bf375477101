// The message exchange operations of Zhuang & Liberatore.

#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// One line a message: "step: from > to [begin,end)...".
std::vector<std::string> sends(const Schedule& schedule)
{
  std::vector<std::string> lines;
  for (const Message& message : schedule.messages) {
    std::ostringstream line;
    line << message.step << ": " << index(message.source) << " > " << index(message.destination) << ' ';
    for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
      line << '[' << range.begin << ',' << range.end << ')';
    }
    lines.push_back(line.str());
  }
  return lines;
}

Ownership::Partner flip_bit(std::uint32_t bit)
{
  return [bit](NodeId node) { return NodeId{index(node) ^ bit}; };
}

TEST(Ownership, ATransferGivesTheUpperHalfAwayForGood)
{
  Ownership ownership(4, NodeId{1}, 4);
  ownership.transfer(flip_bit(2));
  ownership.transfer(flip_bit(1));
  ownership.share(flip_bit(2));
  EXPECT_THAT(sends(ownership.take_schedule()),
              ElementsAre("0: 1 > 3 [2,4)", "1: 1 > 0 [1,2)", "1: 3 > 2 [3,4)", "2: 0 > 2 [1,2)", "2: 1 > 3 [0,1)",
                          "2: 2 > 0 [3,4)", "2: 3 > 1 [2,3)"));
}

TEST(Ownership, AShareSendsWhatWasOwnedWhenTheStepBegan)
{
  Ownership ownership(4, NodeId{0}, 2);
  ownership.transfer(flip_bit(1));
  ownership.share(flip_bit(1)); // an exchange
  ownership.share(flip_bit(2)); // two copies
  EXPECT_THAT(sends(ownership.take_schedule()),
              ElementsAre("0: 0 > 1 [1,2)", "1: 0 > 1 [0,1)", "1: 1 > 0 [1,2)", "2: 0 > 2 [0,2)", "2: 1 > 3 [0,2)"));
}

TEST(Ownership, TurnsShareWhatWasOwnedBeforeTheFirst)
{
  Ownership ownership(4, NodeId{0}, 4);
  ownership.transfer(flip_bit(2));
  ownership.transfer(flip_bit(1));
  ownership.share_in_turns(flip_bit(1), 2, [](NodeId node) { return index(node) / 2; });
  EXPECT_THAT(sends(ownership.take_schedule()),
              ElementsAre("0: 0 > 2 [2,4)", "1: 0 > 1 [1,2)", "1: 2 > 3 [3,4)", "2: 0 > 1 [0,1)", "2: 1 > 0 [1,2)",
                          "3: 2 > 3 [2,3)", "3: 3 > 2 [3,4)"));
}

TEST(Ownership, AnAllGatherSendsEachUnitRoundTheRingAndLeavesAllToAll)
{
  const auto next = [](NodeId node) { return NodeId{(index(node) + 1) % 3}; };
  Ownership ownership(3, NodeId{0}, 3);
  ownership.transfer([](NodeId node) { return NodeId{index(node) == 0 ? 1U : index(node)}; },
                     [](NodeId) { return std::uint64_t{1}; });
  ownership.all_gather(next, 3);
  ownership.share([](NodeId node) { return NodeId{2 - index(node)}; });
  EXPECT_THAT(sends(ownership.take_schedule()),
              ElementsAre("0: 0 > 1 [1,3)", "1: 0 > 1 [0,1)", "1: 1 > 2 [1,3)", "2: 1 > 2 [0,1)", "2: 2 > 0 [1,3)",
                          "3: 0 > 2 [0,3)", "3: 2 > 0 [0,3)"));
}

TEST(Ownership, WrongUseStopsAtOnce)
{
  Ownership odd(2, NodeId{0}, 3);
  EXPECT_THROW(odd.transfer(flip_bit(1)), std::logic_error);
  Ownership no_ring(4, NodeId{0}, 4);
  EXPECT_THROW(no_ring.all_gather([](NodeId node) { return NodeId{(index(node) + 1) % 4}; }, 3), std::logic_error);
}

TEST(Ownership, NothingHappensWithoutPartners)
{
  Ownership ownership(3, NodeId{1}, 2);
  ownership.transfer([](NodeId node) { return node; });
  ownership.share([](NodeId node) { return node; });
  EXPECT_THAT(sends(ownership.take_schedule()), IsEmpty());
}

} // namespace
} // namespace wormcast
