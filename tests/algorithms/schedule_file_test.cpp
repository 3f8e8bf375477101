// The format wormcast-schedule/1, read and written, and what it says of wrong files.

#include "algorithms/schedule_file.hpp"
#include "grids.hpp"
#include "topologies/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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
                                      {.tie = *rc::gen::element<std::string>("no_wrap", "positive")});
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
  EXPECT_THAT(error_of(broadcast("", R"(, "duplx": 1)")), HasSubstr("unknown key \"duplx\", did you mean \"duplex\"?"));
  EXPECT_THAT(error_of(broadcast("", R"(, "ports": 0)")), HasSubstr("ports: found 0"));
  EXPECT_THAT(error_of(broadcast("", R"(, "source": 0)")), HasSubstr("the key \"source\" stands twice"));
  EXPECT_THAT(error_of(R"({"format": "wormcast-schedule/1", "messages": [], "topology": {"kind": "mash"}})"),
              HasSubstr("did you mean \"mesh\"?"));
  EXPECT_THAT(error_of(R"({"format": "wormcast-schedule/1", "messages": {}, "topology": {"kind": "mesh"}})"),
              HasSubstr("messages: found {}, expected a list"));
}

TEST(ScheduleFile, AFileThatIsNotThereIsAFileError)
{
  EXPECT_THROW(read_schedule(std::filesystem::path("no/such/file.json")), FileError);
  EXPECT_THROW(read_schedule(std::filesystem::path("/")), FileError);
}

} // namespace
} // namespace wormcast
