// The format wormcast-schedule/1, read and written, and what it says of wrong files.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <sstream>

namespace wormcast {
namespace {

using testing::grid;
using ::testing::HasSubstr;
using testing::schedule_of;

Schedule read(const std::string& text)
{
  std::istringstream in(text);
  return read_schedule(in, "test.json");
}

std::string write(const Schedule& schedule)
{
  std::ostringstream out;
  write_schedule(schedule, out);
  return out.str();
}

std::string error_of(const std::string& text)
{
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string broadcast(const std::string& messages, const std::string& more = "")
{
  return R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [2, 2]}, "operation": "broadcast",
  "source": 0, "blocks": 2, "message_bytes": 10)" +
         more + R"(, "messages": [)" + messages + "]}";
}

std::string plain(const std::string& messages)
{
  return R"({"messages": [)" + messages +
         R"(], "operation": "none", "topology": {"kind": "torus", "dims": [4], "tie": "positive"}, "format": "wormcast-schedule/1"})";
}

TEST(ScheduleFile, KeysAndMessagesComeInAnyOrder)
{
  const Schedule schedule = read(plain(R"({"id": 1, "src": 2, "dst": 3, "bytes": 7, "start_us": 0.5, "after": [0]},
                                          {"id": 0, "src": 0, "dst": 1, "bytes": 4})"));
  EXPECT_EQ(schedule.topology.kind, "torus");
  EXPECT_EQ(schedule.routing.tie, "positive");
  ASSERT_EQ(schedule.messages.size(), 2U);
  EXPECT_EQ(schedule.plain[0].bytes, 4U);
  EXPECT_EQ(schedule.plain[1].bytes, 7U);
  EXPECT_EQ(schedule.plain[1].start, Time{500'000});
  EXPECT_EQ(schedule.plain[1].after, std::vector{MessageId{0}});
  EXPECT_EQ(schedule.messages[1].source, NodeId{2});
}

TEST(ScheduleFile, TimesAreExactDecimals)
{
  const auto start = [](const std::string& us) {
    return read(plain(R"({"id": 0, "src": 0, "dst": 1, "bytes": 4, "start_us": )" + us + "}")).plain[0].start;
  };
  EXPECT_EQ(start("1234567.000001"), Time{1'234'567'000'001});
  EXPECT_EQ(start("3"), Time{3'000'000});
  EXPECT_THAT(error_of(plain(R"({"id": 0, "src": 0, "dst": 1, "bytes": 4, "start_us": 0.0000001})")),
              HasSubstr("message 0: start_us: found 0.0000001, expected microseconds"));
}

RC_GTEST_PROP(ScheduleFile, WhatIsWrittenIsReadBack, ())
{
  const auto topology = make_topology(grid(*rc::gen::element<std::string>("mesh", "torus"), {4, 4}),
                                      {"", *rc::gen::element<std::string>("no_wrap", "positive")});
  const auto name = *rc::gen::element<std::string>("recursive_doubling", "scatter_collect", "recursion_based");
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, 16)};
  const Schedule schedule = schedule_of(name, *topology, source, *rc::gen::inRange<std::uint64_t>(1, 100000));
  const std::string text = write(schedule);
  const Schedule again = read(text);
  RC_ASSERT(again.topology == schedule.topology);
  RC_ASSERT(again.routing == schedule.routing);
  RC_ASSERT(again.ports == schedule.ports);
  RC_ASSERT(again.source == schedule.source);
  RC_ASSERT(again.messages.size() == schedule.messages.size());
  RC_ASSERT(write(again) == text);
}

TEST(ScheduleFile, SyntaxErrorsHaveLineAndColumn)
{
  EXPECT_THAT(error_of("{\n  \"format\": \"wormcast-schedule/1\",\n  \"topology\" {}}"),
              HasSubstr("test.json:3:14: malformed JSON"));
  EXPECT_THAT(error_of(broadcast("").substr(0, 100)), HasSubstr("test.json:1:101: malformed JSON"));
  EXPECT_THAT(error_of(""), HasSubstr("test.json:1:1: malformed JSON"));
}

TEST(ScheduleFile, ErrorsNameTheMessageAndTheKey)
{
  const std::string good = R"({"id": 0, "step": 0, "src": 0, "dst": 1, "blocks": [[0, 2]]})";
  EXPECT_EQ(error_of(broadcast(good)), "no error");
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": 0, "dst": 4, "blocks": [[0, 2]]})")),
              HasSubstr("test.json: message 0: dst: node 4 is outside"));
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": 3, "dst": 3, "blocks": [[0, 2]]})")),
              HasSubstr("message 0: node 3 sends to itself"));
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 3]]})")),
              HasSubstr("message 0: block 2 does not exist, the last one is 1"));
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[1, 1]]})")),
              HasSubstr("message 0: blocks: found [1,1], expected a range that is not empty"));
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 2], [1, 2]]})")),
              HasSubstr("message 0: block 1 is in two ranges"));
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": 0, "dst": 1, "blocks": []})")), HasSubstr("at least one range"));
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": -1, "dst": 1, "blocks": [[0, 2]]})")),
              HasSubstr("message 0: src: found -1, expected a whole number"));
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": 0, "dts": 1, "blocks": [[0, 2]]})")),
              HasSubstr("the key \"dst\" is missing"));
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": 0, "dst": 1, "blokcs": [[0, 2]]})")),
              HasSubstr("unknown key \"blokcs\", did you mean \"blocks\"?"));
  EXPECT_THAT(error_of(broadcast(good + "," + good)), HasSubstr("message 0: this id stands twice"));
  EXPECT_THAT(error_of(broadcast(R"({"id": 7, "src": 0, "dst": 1, "blocks": [[0, 2]]})")),
              HasSubstr("message 7: ids must be 0 to 0"));
  EXPECT_THAT(error_of(broadcast("5")), HasSubstr("message number 0 of the list: found 5, expected a message"));
  EXPECT_THAT(error_of(plain(R"({"id": 0, "src": 0, "dst": 1, "bytes": 0})")), HasSubstr("bytes: found 0"));
  EXPECT_THAT(error_of(plain(R"({"id": 0, "src": 0, "dst": 1, "bytes": 1, "after": [4]})")),
              HasSubstr("there is no message 4"));
  EXPECT_THAT(error_of(plain(R"({"id": 0, "src": 0, "dst": 1, "bytes": 1, "after": [1]},
                               {"id": 1, "src": 0, "dst": 1, "bytes": 1, "after": [0]})")),
              HasSubstr("message 0: after: it waits"));
}

TEST(ScheduleFile, ErrorsInTheHeader)
{
  EXPECT_THAT(error_of("[]"), HasSubstr("expected a schedule as one JSON object"));
  EXPECT_THAT(error_of("{}"), HasSubstr("the key \"format\" is missing"));
  EXPECT_THAT(error_of(R"({"format": "wormcast-schedule/2"})"), HasSubstr("format: found \"wormcast-schedule/2\""));
  EXPECT_THAT(error_of(broadcast("", R"(, "port": 1)")), HasSubstr("unknown key \"port\", did you mean \"ports\"?"));
  EXPECT_THAT(error_of(broadcast("", R"(, "ports": 0)")), HasSubstr("ports: found 0"));
  EXPECT_THAT(error_of(broadcast("", R"(, "ports": "al")")),
              HasSubstr("ports: found \"al\", expected a whole number from 1 to 64 or \"all\""));
  EXPECT_THAT(error_of(broadcast("", R"(, "duplex": "haf")")), HasSubstr("duplex: found \"haf\", expected one of"));
  EXPECT_THAT(error_of(broadcast("", R"(, "source": 0)")), HasSubstr("the key \"source\" stands twice"));
  EXPECT_THAT(error_of(R"({"format": "wormcast-schedule/1", "messages": [], "topology": {"kind": "mash"}})"),
              HasSubstr("did you mean \"mesh\"?"));
  EXPECT_THAT(error_of(R"({"format": "wormcast-schedule/1", "messages": {}, "topology": {"kind": "mesh"}})"),
              HasSubstr("messages: found {}, expected a list"));
}

TEST(ScheduleFile, DecimalsAreShownAsTheyStandInTheFile)
{
  EXPECT_THAT(error_of(R"({"format": "wormcast-schedule/1", "messages": [], "operation": "none",
                           "topology": {"kind": "mesh", "dims": [4.50, 2]}})"),
              HasSubstr("dims: found [4.50,2], expected"));
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 1e1]]})")),
              HasSubstr("message 0: blocks: found [0,1e1], expected a half-open range"));
}

TEST(ScheduleFile, DeepNestingIsAnErrorAndNoCrash)
{
  EXPECT_THAT(error_of(R"({"topology": )" + std::string(1'000'000, '[')), HasSubstr("inside of one another"));
  EXPECT_THAT(error_of(broadcast(R"({"id": )" + std::string(1'000'000, '['))), HasSubstr("inside of one another"));
}

RC_GTEST_PROP(ScheduleFile, EveryShortenedFileIsAnError, ())
{
  const std::string whole = broadcast(R"({"id": 0, "step": 0, "src": 0, "dst": 1, "blocks": [[0, 2]]})");
  const std::string error = error_of(whole.substr(0, *rc::gen::inRange<std::size_t>(0, whole.size())));
  RC_ASSERT(error.starts_with("test.json:"));
  RC_ASSERT(error.find("malformed JSON") != std::string::npos);
}

// Any topology, operation, ports and duplex; messages with any blocks, or plain ones with any sizes, starts and
// `after`.
Schedule any_schedule()
{
  Schedule schedule;
  schedule.topology = grid(*rc::gen::element<std::string>("mesh", "torus"),
                           {*rc::gen::inRange<std::int64_t>(1, 5), *rc::gen::inRange<std::int64_t>(2, 5)});
  schedule.routing.tie = *rc::gen::element<std::string>("no_wrap", "positive");
  schedule.routing.routing = *rc::gen::element<std::string>("", "dimension_order");
  const std::uint32_t nodes = make_topology(schedule.topology, schedule.routing)->node_count();
  schedule.ports.count = *rc::gen::inRange<std::uint32_t>(PortModel::all, 65);
  schedule.duplex = *rc::gen::element(Duplex::full, Duplex::half);
  schedule.operation = *rc::gen::element(Operation::broadcast, Operation::scatter, Operation::multinode_broadcast,
                                         Operation::total_exchange, Operation::none);
  schedule.blocks = schedule.operation == Operation::broadcast        ? *rc::gen::inRange<std::uint64_t>(1, 1000)
                    : schedule.operation == Operation::total_exchange ? nodes * nodes
                                                                      : nodes;
  if (schedule.operation == Operation::broadcast || schedule.operation == Operation::scatter) {
    schedule.source = NodeId{*rc::gen::inRange<std::uint32_t>(0, nodes)};
  }
  if (schedule.operation != Operation::none) {
    schedule.message_bytes = *rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 62);
  }
  const auto count = *rc::gen::inRange<std::uint32_t>(0, 20);
  const auto blocks = static_cast<std::uint32_t>(schedule.blocks);
  for (std::uint32_t id = 0; id < count; ++id) {
    const auto from = *rc::gen::inRange<std::uint32_t>(0, nodes);
    Message message{*rc::gen::inRange<std::uint32_t>(0, 100), NodeId{from},
                    NodeId{(from + *rc::gen::inRange<std::uint32_t>(1, nodes)) % nodes}, BlockSetId{}};
    if (schedule.operation == Operation::none) {
      PlainMessage plain{*rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 62),
                         Time{*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 60)},
                         {}};
      for (std::uint32_t earlier = 0; earlier < id; ++earlier) {
        if (*rc::gen::inRange(0, 4) == 0) {
          plain.after.push_back(MessageId{earlier});
        }
      }
      schedule.plain.push_back(plain);
    } else {
      std::vector<BlockRange> ranges;
      for (std::uint32_t block = *rc::gen::inRange<std::uint32_t>(0, blocks); block < blocks && ranges.size() < 5;) {
        const auto end = *rc::gen::inRange<std::uint32_t>(block + 1, blocks + 1);
        ranges.push_back({block, end});
        block = end + *rc::gen::inRange<std::uint32_t>(1, 10);
      }
      message.blocks = schedule.block_sets.intern(ranges);
    }
    schedule.messages.push_back(message);
  }
  return schedule;
}

RC_GTEST_PROP(ScheduleFile, AnyScheduleIsReadBackAsItWas, ())
{
  const Schedule schedule = any_schedule();
  const Schedule again = read(write(schedule));
  RC_ASSERT(again.topology == schedule.topology);
  RC_ASSERT(again.routing == schedule.routing);
  RC_ASSERT(again.ports == schedule.ports);
  RC_ASSERT(again.duplex == schedule.duplex);
  RC_ASSERT(again.operation == schedule.operation);
  RC_ASSERT(again.source == schedule.source);
  RC_ASSERT(again.message_bytes == schedule.message_bytes);
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
      RC_ASSERT(again.plain[id].after == schedule.plain[id].after);
    } else {
      RC_ASSERT(
          std::ranges::equal(again.block_sets.ranges(read_back.blocks), schedule.block_sets.ranges(message.blocks)));
    }
  }
}

TEST(ScheduleFile, AFileThatIsNotThereIsAFileError)
{
  EXPECT_THROW(read_schedule(std::filesystem::path("no/such/file.json")), FileError);
  EXPECT_THROW(read_schedule(std::filesystem::path("/")), FileError);
}

} // namespace
} // namespace wormcast
