#include "wormcast/simulator/engines/input_queued/source_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;

NewMessage numbered(std::uint32_t number, std::uint8_t priority)
{
  return {.message = MessageId{number}, .priority = priority};
}

std::vector<std::uint32_t> numbers(const WaitingMessages& waiting, const SourceQueue& queue)
{
  std::vector<std::uint32_t> all;
  waiting.for_each(queue, [&](const NewMessage& message) { all.push_back(index(message.message)); });
  return all;
}

TEST(SourceQueue, PutsHigherPrioritiesFirst)
{
  WaitingMessages waiting(true);
  SourceQueue queue;
  SourceQueue other;
  EXPECT_TRUE(queue.empty());
  waiting.push(queue, numbered(0, 1));
  waiting.push(queue, numbered(1, 1));
  waiting.push(other, numbered(2, 9));
  waiting.push(queue, numbered(3, 2)); // before all
  waiting.push(queue, numbered(4, 0)); // behind all
  waiting.push(queue, numbered(5, 1)); // between
  waiting.push(queue, numbered(6, 0));
  EXPECT_THAT(numbers(waiting, queue), ElementsAre(3, 0, 1, 5, 4, 6));
  EXPECT_THAT(numbers(waiting, other), ElementsAre(2));
  EXPECT_EQ(waiting.size(), 7U);
  EXPECT_EQ(waiting.front(queue).message, MessageId{3});
  waiting.pop(queue);
  waiting.push(queue, numbered(7, 5));
  EXPECT_THAT(numbers(waiting, queue), ElementsAre(7, 0, 1, 5, 4, 6));
  for (int i = 0; i < 6; ++i) {
    EXPECT_FALSE(queue.empty());
    waiting.pop(queue);
  }
  EXPECT_TRUE(queue.empty());
  waiting.push(queue, numbered(8, 0));
  EXPECT_THAT(numbers(waiting, queue), ElementsAre(8));
  EXPECT_EQ(waiting.size(), 2U);
}

TEST(SourceQueue, KeepsItsOrderWithoutPriorities)
{
  WaitingMessages waiting(false);
  SourceQueue queue;
  for (std::uint32_t number = 0; number < 4; ++number) {
    waiting.push(queue, numbered(number, static_cast<std::uint8_t>(number)));
  }
  EXPECT_THAT(numbers(waiting, queue), ElementsAre(0, 1, 2, 3));
}

} // namespace
} // namespace wormcast
