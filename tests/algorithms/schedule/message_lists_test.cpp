// Lists of messages in one array, against a list of lists.

#include "wormcast/algorithms/schedule/message_lists.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MessageLists, AreEmptyAtFirst)
{
  MessageLists lists;
  EXPECT_THAT(lists[0], IsEmpty());
  EXPECT_THAT(lists[1'000'000], IsEmpty());
  lists.set(2, {});
  lists.set(1, std::vector{MessageId{7}, MessageId{7}});
  EXPECT_THAT(lists[0], IsEmpty());
  EXPECT_THAT(lists[1], ElementsAre(MessageId{7}, MessageId{7}));
  EXPECT_THAT(lists[2], IsEmpty());
  EXPECT_EQ(lists.entry_count(), 2U);
}

RC_GTEST_PROP(MessageLists, HoldWhatWasSetLast, ())
{
  constexpr std::size_t messages = 8;
  MessageLists lists;
  std::vector<std::vector<MessageId>> expected(messages);
  const auto changes = *rc::gen::inRange(0, 20);
  for (int i = 0; i < changes; ++i) {
    const auto message = *rc::gen::inRange<std::size_t>(0, messages);
    std::vector<MessageId> list;
    for (const std::uint32_t id : *rc::gen::arbitrary<std::vector<std::uint32_t>>()) {
      list.push_back(MessageId{id});
    }
    lists.set(message, list);
    expected[message] = list;
  }
  std::size_t entries = 0;
  for (std::size_t message = 0; message < messages; ++message) {
    RC_ASSERT(std::ranges::equal(lists[message], expected[message]));
    entries += expected[message].size();
  }
  RC_ASSERT(lists.entry_count() == entries);
}

} // namespace
} // namespace wormcast
