// Schedules written in any order, and read back as they were.

#include "tests/algorithms/schedule/any_schedule.hpp"
#include "tests/algorithms/schedule/schedule_texts.hpp"
#include "wormcast/algorithms/schedule/file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace wormcast {
namespace {

using testing::any_schedule;
using testing::schedule_of_text;
using testing::text_of_schedule;

using Field = std::pair<std::string, std::string>;

std::string any_space()
{
  return *rc::gen::element<std::string>("", " ", "\n", "\r\n\t ");
}

template <typename Item> std::vector<Item> in_any_order(std::vector<Item> items)
{
  for (std::size_t i = 1; i < items.size(); ++i) {
    std::swap(items[i], items[*rc::gen::inRange<std::size_t>(0, i + 1)]);
  }
  return items;
}

// Keys in any order, with any white space.
std::string any_object(const std::vector<Field>& fields)
{
  std::string text;
  for (const auto& [key, value] : in_any_order(fields)) {
    text += (text.empty() ? "{" : ",") + any_space() + "\"" + key + "\"" + any_space() + ":" + any_space() + value +
            any_space();
  }
  return text + "}";
}

std::string any_list(const std::vector<std::string>& items)
{
  return fmt::format("[{}]", fmt::join(items, any_space() + "," + any_space()));
}

std::string message_in_any_order(const Schedule& schedule, std::uint32_t id)
{
  const Message& message = schedule.messages[id];
  std::vector<Field> fields = {{"id", std::to_string(id)},
                               {"step", std::to_string(message.step)},
                               {"src", std::to_string(index(message.source))},
                               {"dst", std::to_string(index(message.destination))}};
  std::vector<std::string> items;
  if (schedule.operation != Operation::none) {
    for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
      items.push_back(any_list({std::to_string(range.begin), std::to_string(range.end)}));
    }
    fields.emplace_back("blocks", any_list(items));
    return any_object(fields);
  }
  for (const MessageId earlier : schedule.after[id]) {
    items.push_back(std::to_string(index(earlier)));
  }
  fields.emplace_back("bytes", std::to_string(schedule.plain[id].bytes));
  fields.emplace_back("start_us", format_microseconds(schedule.plain[id].start));
  fields.emplace_back("compute_us", format_microseconds(schedule.plain[id].compute));
  fields.emplace_back("priority", std::to_string(schedule.plain[id].priority));
  fields.emplace_back("after", any_list(items));
  return any_object(fields);
}

// A text of any_schedule(): of what must be escaped only quotation marks.
std::string stages_as_json(const Schedule& schedule)
{
  std::string json = "\"";
  for (const char letter : schedule.chosen.text("stages")) {
    json += letter == '"' ? "\\\"" : std::string(1, letter);
  }
  return json + "\"";
}

RC_GTEST_PROP(ScheduleFile, AnyOrderOfKeysAndMessagesIsTheSame, ())
{
  const Schedule schedule = any_schedule();
  std::vector<std::string> messages;
  for (std::uint32_t id = 0; id < schedule.messages.size(); ++id) {
    messages.push_back(message_in_any_order(schedule, id));
  }
  std::vector<Field> topology = {{"kind", "\"" + schedule.topology.kind + "\""},
                                 {"dims", fmt::format("{}", schedule.topology.parameters.integers("dims"))},
                                 {"tie", "\"" + schedule.routing.tie + "\""}};
  if (!schedule.routing.routing.empty()) {
    topology.emplace_back("routing", "\"" + schedule.routing.routing + "\"");
  }
  std::vector<Field> fields = {
      {"format", "\"wormcast-schedule/1\""},
      {"topology", any_object(topology)},
      {"ports", schedule.ports.count == PortModel::all ? "\"all\"" : std::to_string(schedule.ports.count)},
      {"duplex", schedule.duplex == Duplex::half ? "\"half\"" : "\"full\""},
      {"operation", "\"" + std::string(operation_names.text(schedule.operation)) + "\""},
      {"source", std::to_string(index(schedule.source))},
      {"messages", any_list(in_any_order(messages))}};
  if (schedule.operation == Operation::multicast) {
    fields.emplace_back("destinations", "[" + std::to_string(index(schedule.destinations.front())) + "]");
  }
  if (schedule.operation != Operation::none) {
    fields.emplace_back("blocks", std::to_string(schedule.blocks));
    fields.emplace_back("message_bytes", std::to_string(schedule.message_bytes));
  }
  if (!schedule.chosen.all().empty()) {
    fields.emplace_back("chosen", any_object({{"segments", std::to_string(schedule.chosen.integer("segments"))},
                                              {"stages", stages_as_json(schedule)}}));
  }
  RC_ASSERT(text_of_schedule(schedule_of_text(any_object(fields))) == text_of_schedule(schedule));
}

RC_GTEST_PROP(ScheduleFile, AnyScheduleIsReadBackAsItWas, ())
{
  const Schedule schedule = any_schedule();
  const Schedule again = schedule_of_text(text_of_schedule(schedule));
  RC_ASSERT(again.topology == schedule.topology);
  RC_ASSERT(again.routing == schedule.routing);
  RC_ASSERT(again.ports == schedule.ports);
  RC_ASSERT(again.duplex == schedule.duplex);
  RC_ASSERT(again.operation == schedule.operation);
  RC_ASSERT(again.source == schedule.source);
  RC_ASSERT(again.message_bytes == schedule.message_bytes);
  RC_ASSERT(again.chosen == schedule.chosen);
  RC_ASSERT(schedule.operation == Operation::none || again.blocks == schedule.blocks);
  RC_ASSERT(again.messages.size() == schedule.messages.size());
  for (std::size_t id = 0; id < schedule.messages.size(); ++id) {
    const Message& message = schedule.messages[id];
    const Message& read_back = again.messages[id];
    RC_ASSERT(read_back.step == message.step);
    RC_ASSERT(read_back.source == message.source);
    RC_ASSERT(read_back.destination == message.destination);
    if (schedule.operation == Operation::none) {
      RC_ASSERT(again.plain[id].bytes == schedule.plain[id].bytes);
      RC_ASSERT(again.plain[id].start == schedule.plain[id].start);
      RC_ASSERT(again.plain[id].compute == schedule.plain[id].compute);
      RC_ASSERT(std::ranges::equal(again.after[id], schedule.after[id]));
    } else {
      RC_ASSERT(
          std::ranges::equal(again.block_sets.ranges(read_back.blocks), schedule.block_sets.ranges(message.blocks)));
    }
  }
}

} // namespace
} // namespace wormcast
