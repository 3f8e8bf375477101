#include "wormcast/experiments/cluster/messages.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace wormcast {
namespace {

constexpr std::size_t plenty = 1 << 20;

std::string message_in(const std::string& frame)
{
  MessageStream stream;
  stream.append(frame);
  return stream.next(plenty).value();
}

TEST(Messages, ComeBackAsTheyWere)
{
  const Hello hello = hello_of(message_in(
      framed(Hello{.token = "t", .rank = 3, .host = "h", .version = "v", .basis = "b", .places = 2, .error = "e"})));
  EXPECT_EQ(hello.token + hello.host + hello.version + hello.basis + hello.error, "thvbe");
  EXPECT_EQ(hello.rank, 3U);
  EXPECT_EQ(hello.places, 2U);
}

RC_GTEST_PROP(Messages, CarryAnyBytesInAnyPieces, (const std::string& text, const std::string& talk))
{
  const TaskOutcome outcome = {
      .task = 7, .report = {.code = 200, .text = text}, .signal = 9, .talk = talk, .wall_seconds = 0.1};
  const std::string bytes = framed(Task{1, text}) + framed(outcome);
  MessageStream stream;
  std::vector<std::string> messages;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto size = *rc::gen::inRange<std::size_t>(1, 40);
    stream.append(std::string_view(bytes).substr(at, size));
    at += size;
    while (const auto message = stream.next(plenty)) {
      messages.push_back(*message);
    }
  }
  RC_ASSERT(messages.size() == 2U);
  const Task task = task_of(messages[0]);
  const TaskOutcome back = outcome_of(messages[1]);
  RC_ASSERT(task.number == 1U && task.text == text);
  RC_ASSERT(back.task == 7U && back.report.code == 200 && back.report.text == text && back.signal == 9);
  RC_ASSERT(back.talk == talk && back.wall_seconds == 0.1);
}

RC_GTEST_PROP(Messages, OtherBytesAreAnErrorAndNoMore, (const std::string& bytes))
{
  RC_ASSERT_THROWS_AS(task_of(bytes + "\xff"), MessageError);
  MessageStream stream;
  stream.append(bytes);
  try {
    while (const auto message = stream.next(plenty)) {
      hello_of(*message);
    }
  } catch (const MessageError&) {
  }
}

TEST(Messages, OfAnotherKindAreRefused)
{
  EXPECT_THROW(hello_of(message_in(framed(Task{1, "x"}))), MessageError);
  EXPECT_THROW(outcome_of(message_in(framed(Hello{}))), MessageError);
}

TEST(Messages, TooLongOnesAreRefusedBeforeTheyAreThere)
{
  MessageStream stream;
  stream.append(framed(Task{1, std::string(100, 'x')}).substr(0, 8));
  EXPECT_THROW(stream.next(50), MessageError);
}

} // namespace
} // namespace wormcast
