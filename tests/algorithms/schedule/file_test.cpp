// The format wormcast-schedule/1, read and written, and what it says of wrong files.

#include "tests/algorithms/grids.hpp"
#include "tests/algorithms/schedule/any_schedule.hpp"
#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace wormcast {
namespace {

using testing::any_schedule;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::grid;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
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
  EXPECT_THAT(schedule.after[0], IsEmpty());
  EXPECT_THAT(schedule.after[1], ElementsAre(MessageId{0}));
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
  RC_ASSERT(again.destinations == schedule.destinations);
  RC_ASSERT(again.messages.size() == schedule.messages.size());
  RC_ASSERT(write(again) == text);
}

// Sets of many ranges are kept as bits, and their texts for the next message that carries them.
TEST(ScheduleFile, IsWrittenByteForByte)
{
  Schedule schedule;
  schedule.topology = grid("torus", {4, 2});
  schedule.routing = {"dimension_order", "positive"};
  schedule.ports.count = PortModel::all;
  schedule.duplex = Duplex::half;
  schedule.source = NodeId{7};
  schedule.blocks = 11;
  schedule.message_bytes = std::uint64_t{1} << 62;
  const std::vector<BlockRange> odd = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}};
  schedule.messages = {{0, NodeId{7}, NodeId{0}, schedule.block_sets.intern(odd)},
                       {16777215, NodeId{0}, NodeId{6}, schedule.block_sets.intern({0, 11})},
                       {2, NodeId{0}, NodeId{5}, schedule.block_sets.intern(odd)}};
  EXPECT_EQ(write(schedule), R"({"format": "wormcast-schedule/1", "topology": {"kind": "torus", "dims": [4, 2], )"
                             R"("routing": "dimension_order", "tie": "positive"}, "ports": "all", "duplex": "half", )"
                             R"("operation": "broadcast", "source": 7, "blocks": 11, )"
                             R"("message_bytes": 4611686018427387904, "messages": [
{"id": 0, "step": 0, "src": 7, "dst": 0, "blocks": [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]},
{"id": 1, "step": 16777215, "src": 0, "dst": 6, "blocks": [[0, 11]]},
{"id": 2, "step": 2, "src": 0, "dst": 5, "blocks": [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]}
]}
)");
}

TEST(ScheduleFile, APlainListIsWrittenByteForByte)
{
  Schedule schedule;
  schedule.topology = grid("mesh", {3});
  schedule.operation = Operation::none;
  EXPECT_EQ(write(schedule), R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [3]}, )"
                             R"("ports": 1, "duplex": "full", "operation": "none", "messages": [
]}
)");
  schedule.messages = {{0, NodeId{0}, NodeId{1}, {}}, {4, NodeId{1}, NodeId{2}, {}}, {0, NodeId{2}, NodeId{0}, {}}};
  schedule.plain = {{512, {}}, {1, Time{10'500'000}}, {9'000'000'000, Time{1}}};
  schedule.after.set(1, std::array{MessageId{0}});
  schedule.after.set(2, std::array{MessageId{1}, MessageId{0}});
  EXPECT_THAT(write(schedule), EndsWith(R"("messages": [
{"id": 0, "src": 0, "dst": 1, "bytes": 512},
{"id": 1, "step": 4, "src": 1, "dst": 2, "bytes": 1, "start_us": 10.5, "after": [0]},
{"id": 2, "src": 2, "dst": 0, "bytes": 9000000000, "start_us": 0.000001, "after": [1, 0]}
]}
)"));
}

// More text of sets than is kept: 60 sets of 30,000 ranges, written forth and back.
TEST(ScheduleFile, LongSetsAreReadBack)
{
  Schedule schedule;
  schedule.topology = grid("mesh", {2});
  schedule.blocks = 200'000;
  for (std::uint32_t i = 0; i < 60; ++i) {
    std::vector<BlockRange> ranges;
    for (std::uint32_t begin = i; ranges.size() < 30'000; begin += 4) {
      ranges.push_back({begin, begin + 1 + begin / 4 % 2});
    }
    schedule.messages.push_back({i, NodeId{0}, NodeId{1}, schedule.block_sets.intern(ranges)});
  }
  for (std::uint32_t i = 60; i > 0; --i) {
    schedule.messages.push_back(schedule.messages[i - 1]);
  }
  const Schedule again = read(write(schedule));
  ASSERT_EQ(again.messages.size(), 120U);
  EXPECT_EQ(again.block_sets.count(), 60U);
  for (std::size_t id = 0; id < 120; ++id) {
    ASSERT_TRUE(std::ranges::equal(again.block_sets.ranges(again.messages[id].blocks),
                                   schedule.block_sets.ranges(schedule.messages[id].blocks)));
  }
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
  EXPECT_THAT(error_of(broadcast(good + "," + good)), HasSubstr("message 0: this id occurs twice"));
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

TEST(ScheduleFile, NumbersThatDoNotFitAreShownAsTheyAre)
{
  const auto with = [](const std::string& field) {
    return error_of(plain(R"({"id": 0, "src": 0, "dst": 1, )" + field + "}"));
  };
  EXPECT_EQ(with(R"("bytes": 4611686018427387904)"), "no error");
  EXPECT_THAT(with(R"("bytes": 4611686018427387905)"), HasSubstr("message 0: bytes: found 4611686018427387905, exp"));
  EXPECT_THAT(with(R"("bytes": 18446744073709551615)"), HasSubstr("bytes: found 18446744073709551615, expected"));
  EXPECT_THAT(with(R"("bytes": 18446744073709551616)"), HasSubstr("bytes: found 18446744073709551616, expected"));
  EXPECT_THAT(with(R"("bytes": 1e999)"), HasSubstr("bytes: found 1e999, expected a whole number from 1 to 4611686"));
  EXPECT_THAT(with(R"("bytes": 8.0)"), HasSubstr("bytes: found 8.0, expected a whole number"));
  EXPECT_THAT(with(R"("bytes": -0)"), HasSubstr("bytes: found 0, expected a whole number"));
  EXPECT_THAT(with(R"("bytes": 007)"), HasSubstr("malformed JSON: found '0', expected ',' or '}'"));
  EXPECT_THAT(with(R"("bytes": 1, "step": 16777216)"), HasSubstr("step: found 16777216, expected a whole number"));
  EXPECT_THAT(with(R"("bytes": 1, "after": [4294967295])"), HasSubstr("after: found 4294967295, expected"));
  EXPECT_THAT(with(R"("bytes": 1, "after": [0, "0"])"), HasSubstr("after: found \"0\", expected a whole number"));
  EXPECT_THAT(with(R"("bytes": 1, "start_us": 9223372036855)"), HasSubstr("start_us: found 9223372036855, expected"));
  EXPECT_THAT(with(R"("bytes": 1, "start_us": 1.0000000)"), "no error");
  EXPECT_THAT(with(R"("bytes": 1, "start_us": 9223372036854.775807)"), "no error");
  EXPECT_THAT(with(R"("bytes": 1, "start_us": 1e-7)"), HasSubstr("start_us: found 1e-7, expected microseconds"));
  EXPECT_THAT(with(R"("bytes": 1, "start_us": "1")"), HasSubstr("start_us: found \"1\", expected microseconds"));
  EXPECT_THAT(error_of(plain(R"({"src": 0, "dst": 9, "bytes": 0, "id": 4294967295})")),
              HasSubstr("message 4294967295: bytes: found 0"));
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 4294967296]]})")),
              HasSubstr("message 0: blocks: found [0,4294967296], expected a half-open range"));
}

// The key that is wrong may stand before the id, and before text that is no JSON, which is worse.
TEST(ScheduleFile, AMessageIsNamedWhereverItsIdStands)
{
  EXPECT_EQ(error_of(plain(R"({"src": "x", "dst": [], "bytes": 1, "id": 3})")),
            "test.json: message 3: src: found \"x\", expected a whole number from 0 to 4294967294");
  EXPECT_EQ(error_of(plain(R"({"src": 0, "dst": 1, "bytes": 1, "id": 0}, {"src": 0, "bytes": 1})")),
            "test.json: message number 1 of the list: the key \"id\" is missing");
  EXPECT_EQ(
      error_of(plain(R"({"src": 0, "dst": 1, "bytes": 1, "id": {"a": [1.50]}})")),
      "test.json: message {\"a\":[1.50]}: id: found {\"a\":[1.50]}, expected a whole number from 0 to 4294967294");
  EXPECT_THAT(error_of(plain(R"({"src": "x", "dst": 1, "id": 3 "bytes": 1})")),
              HasSubstr("malformed JSON: found '\"', expected ',' or '}'"));
  EXPECT_THAT(error_of(plain(R"({"id": 0, "src": 0, "dst": 1, "dst": 1, "bytes": 1})")),
              HasSubstr("the key \"dst\" occurs twice in one object"));
}

TEST(ScheduleFile, PlainAndBlockMessagesDoNotMix)
{
  const std::string belong = "\"bytes\", \"start_us\" and \"after\" belong to operation \"none\"";
  const std::string good = R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 2]]})";
  for (const char* field : {R"("bytes": 1)", R"("start_us": 1)", R"("after": [0])"}) {
    EXPECT_THAT(error_of(broadcast(good + R"(,{"id": 1, "src": 0, "dst": 1, "blocks": [[0, 2]], )" + field + "}")),
                HasSubstr("message 1: a message of operation \"broadcast\" needs \"blocks\"; " + belong));
  }
  EXPECT_THAT(error_of(broadcast(R"({"id": 0, "src": 0, "dst": 1})")), HasSubstr("message 0: a message of operation"));
  EXPECT_EQ(error_of(broadcast(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 2]], "start_us": 0, "after": []})")),
            "no error");
  const std::string needs = "a message of operation \"none\" needs \"bytes\" and has no \"blocks\"";
  EXPECT_THAT(error_of(plain(R"({"id": 0, "src": 0, "dst": 1})")), HasSubstr("message 0: " + needs));
  EXPECT_THAT(error_of(plain(R"({"id": 1, "src": 0, "dst": 1, "bytes": 1}, {"id": 0, "src": 0, "dst": 1})")),
              HasSubstr("message 0: " + needs));
  EXPECT_THAT(error_of(plain(R"({"id": 0, "src": 0, "dst": 1, "bytes": 1, "blocks": [[0, 1]]})")),
              HasSubstr("message 0: " + needs));
}

TEST(ScheduleFile, MessagesMayWaitForLaterOnesButNotInACycle)
{
  const auto waiting = [](const std::string& after0, const std::string& after1, const std::string& after2) {
    return error_of(plain(R"({"id": 0, "src": 0, "dst": 1, "bytes": 1, "after": [)" + after0 +
                          R"(]}, {"id": 1, "src": 0, "dst": 1, "bytes": 1, "after": [)" + after1 +
                          R"(]}, {"id": 2, "src": 0, "dst": 1, "bytes": 1, "after": [)" + after2 + "]}"));
  };
  EXPECT_EQ(waiting("2, 1, 2", "2", ""), "no error");
  EXPECT_THAT(waiting("", "2", "1"), HasSubstr("message 1: after: it waits, directly or through others"));
  EXPECT_THAT(waiting("", "", "2"), HasSubstr("message 2: after: it waits"));
  EXPECT_THAT(waiting("1", "2", "0"), HasSubstr("message 0: after: it waits"));
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
  EXPECT_THAT(error_of(broadcast("", R"(, "source": 0)")), HasSubstr("the key \"source\" occurs twice"));
  EXPECT_THAT(error_of(R"({"format": "wormcast-schedule/1", "messages": [], "topology": {"kind": "mash"}})"),
              HasSubstr("did you mean \"mesh\"?"));
  EXPECT_THAT(error_of(R"({"format": "wormcast-schedule/1", "messages": {}, "topology": {"kind": "mesh"}})"),
              HasSubstr("messages: found {}, expected a list"));
}

std::string on_four_nodes(const std::string& operation, const std::string& more = "")
{
  return R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [2, 2]}, "message_bytes": 8,
             "messages": [], "operation": ")" +
         operation + "\"" + more + "}";
}

TEST(ScheduleFile, ReadsBothNamesOfAnOperation)
{
  EXPECT_EQ(read(on_four_nodes("all_gather")).operation, Operation::multinode_broadcast);
  EXPECT_EQ(read(on_four_nodes("all_to_all")).operation, Operation::total_exchange);
  EXPECT_EQ(read(on_four_nodes("all_to_all")).blocks, 16U);
  EXPECT_EQ(read(on_four_nodes("reduce_scatter")).blocks, 4U);
  EXPECT_EQ(read(on_four_nodes("barrier")).blocks, 1U);
  EXPECT_EQ(read(on_four_nodes("reduce", R"(, "source": 3, "blocks": 7)")).source, NodeId{3});
  EXPECT_THAT(error_of(on_four_nodes("sum")),
              HasSubstr("operation: found \"sum\", expected one of \"broadcast\", \"scatter\", \"gather\""));
  EXPECT_THAT(error_of(on_four_nodes("reduce")), HasSubstr("the key \"source\" is missing"));
  EXPECT_THAT(error_of(on_four_nodes("all_reduce")), HasSubstr("the key \"blocks\" is missing"));
  EXPECT_THAT(error_of(on_four_nodes("barrier", R"(, "blocks": 2)")), HasSubstr("blocks: found 2, expected"));
}

TEST(ScheduleFile, AMulticastNeedsGoodDestinations)
{
  const auto with = [](const std::string& destinations) {
    return on_four_nodes("multicast", R"(, "source": 1, "blocks": 1, "destinations": )" + destinations);
  };
  EXPECT_EQ(read(with("[3, 0]")).destinations, (std::vector{NodeId{3}, NodeId{0}}));
  EXPECT_THAT(error_of(on_four_nodes("multicast", R"(, "source": 1, "blocks": 1)")),
              HasSubstr("the key \"destinations\" is missing"));
  EXPECT_THAT(error_of(with("[]")), HasSubstr("destinations: a multicast needs at least one destination"));
  EXPECT_THAT(error_of(with("[0, 2, 0]")), HasSubstr("destinations: the destination 0 occurs twice"));
  EXPECT_THAT(error_of(with("[1]")), HasSubstr("destinations: node 1 is the source"));
  EXPECT_THAT(error_of(with("[4]")), HasSubstr("destinations: there is no node 4"));
  EXPECT_THAT(error_of(with("[-1]")), HasSubstr("destinations: there is no node -1"));
  EXPECT_THAT(error_of(with("[0.5]")), HasSubstr("destinations: found [0.5], expected a list of nodes"));
  EXPECT_THAT(error_of(with("3")), HasSubstr("destinations: found 3, expected a list of nodes"));
  EXPECT_THAT(error_of(on_four_nodes("all_gather", R"(, "destinations": [1])")),
              HasSubstr("\"destinations\" belong to operation \"multicast\""));
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
  RC_ASSERT(write(read(any_object(fields))) == write(schedule));
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
      RC_ASSERT(std::ranges::equal(again.after[id], schedule.after[id]));
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
