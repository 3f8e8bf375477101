// What is said of wrong files of the format wormcast-schedule/1.

#include "tests/algorithms/schedule/schedule_texts.hpp"
#include "wormcast/algorithms/schedule/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace wormcast {
namespace {

using testing::broadcast_text;
using ::testing::HasSubstr;
using testing::plain_text;
using testing::schedule_error;
using testing::schedule_of_text;

TEST(ScheduleFile, SyntaxErrorsHaveLineAndColumn)
{
  EXPECT_THAT(schedule_error("{\n  \"format\": \"wormcast-schedule/1\",\n  \"topology\" {}}"),
              HasSubstr("test.json:3:14: malformed JSON"));
  EXPECT_THAT(schedule_error(broadcast_text("").substr(0, 100)), HasSubstr("test.json:1:101: malformed JSON"));
  EXPECT_THAT(schedule_error(""), HasSubstr("test.json:1:1: malformed JSON"));
}

TEST(ScheduleFile, ErrorsNameTheMessageAndTheKey)
{
  const std::string good = R"({"id": 0, "step": 0, "src": 0, "dst": 1, "blocks": [[0, 2]]})";
  EXPECT_EQ(schedule_error(broadcast_text(good)), "no error");
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": 0, "dst": 4, "blocks": [[0, 2]]})")),
              HasSubstr("test.json: message 0: dst: node 4 is outside"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": 3, "dst": 3, "blocks": [[0, 2]]})")),
              HasSubstr("message 0: node 3 sends to itself"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 3]]})")),
              HasSubstr("message 0: block 2 does not exist, the last one is 1"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[1, 1]]})")),
              HasSubstr("message 0: blocks: found [1,1], expected a range that is not empty"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 2], [1, 2]]})")),
              HasSubstr("message 0: block 1 is in two ranges"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": 0, "dst": 1, "blocks": []})")),
              HasSubstr("at least one range"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": -1, "dst": 1, "blocks": [[0, 2]]})")),
              HasSubstr("message 0: src: found -1, expected a whole number"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": 0, "dts": 1, "blocks": [[0, 2]]})")),
              HasSubstr("the key \"dst\" is missing"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": 0, "dst": 1, "blokcs": [[0, 2]]})")),
              HasSubstr("unknown key \"blokcs\", did you mean \"blocks\"?"));
  EXPECT_THAT(schedule_error(broadcast_text(good + "," + good)), HasSubstr("message 0: this id occurs twice"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 7, "src": 0, "dst": 1, "blocks": [[0, 2]]})")),
              HasSubstr("message 7: ids must be 0 to 0"));
  EXPECT_THAT(schedule_error(broadcast_text("5")),
              HasSubstr("message number 0 of the list: found 5, expected a message"));
  EXPECT_THAT(schedule_error(plain_text(R"({"id": 0, "src": 0, "dst": 1, "bytes": 0})")), HasSubstr("bytes: found 0"));
  EXPECT_THAT(schedule_error(plain_text(R"({"id": 0, "src": 0, "dst": 1, "bytes": 1, "after": [4]})")),
              HasSubstr("there is no message 4"));
  EXPECT_THAT(schedule_error(plain_text(R"({"id": 0, "src": 0, "dst": 1, "bytes": 1, "after": [1]},
                               {"id": 1, "src": 0, "dst": 1, "bytes": 1, "after": [0]})")),
              HasSubstr("message 0: after: it waits"));
}

TEST(ScheduleFile, NumbersThatDoNotFitAreShownAsTheyAre)
{
  const auto with = [](const std::string& field) {
    return schedule_error(plain_text(R"({"id": 0, "src": 0, "dst": 1, )" + field + "}"));
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
  EXPECT_THAT(with(R"("bytes": 1, "compute_us": -1)"), HasSubstr("compute_us: found -1, expected microseconds"));
  EXPECT_THAT(with(R"("bytes": 1, "priority": 256)"), HasSubstr("priority: found 256, expected"));
  EXPECT_THAT(schedule_error(plain_text(R"({"src": 0, "dst": 9, "bytes": 0, "id": 4294967295})")),
              HasSubstr("message 4294967295: bytes: found 0"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 4294967296]]})")),
              HasSubstr("message 0: blocks: found [0,4294967296], expected a half-open range"));
}

// The key that is wrong may stand before the id, and before text that is no JSON, which is worse.
TEST(ScheduleFile, AMessageIsNamedWhereverItsIdStands)
{
  EXPECT_EQ(schedule_error(plain_text(R"({"src": "x", "dst": [], "bytes": 1, "id": 3})")),
            "test.json: message 3: src: found \"x\", expected a whole number from 0 to 4294967294");
  EXPECT_EQ(schedule_error(plain_text(R"({"src": 0, "dst": 1, "bytes": 1, "id": 0}, {"src": 0, "bytes": 1})")),
            "test.json: message number 1 of the list: the key \"id\" is missing");
  EXPECT_EQ(
      schedule_error(plain_text(R"({"src": 0, "dst": 1, "bytes": 1, "id": {"a": [1.50]}})")),
      "test.json: message {\"a\":[1.50]}: id: found {\"a\":[1.50]}, expected a whole number from 0 to 4294967294");
  EXPECT_THAT(schedule_error(plain_text(R"({"src": "x", "dst": 1, "id": 3 "bytes": 1})")),
              HasSubstr("malformed JSON: found '\"', expected ',' or '}'"));
  EXPECT_THAT(schedule_error(plain_text(R"({"id": 0, "src": 0, "dst": 1, "dst": 1, "bytes": 1})")),
              HasSubstr("the key \"dst\" occurs twice in one object"));
}

TEST(ScheduleFile, PlainAndBlockMessagesDoNotMix)
{
  const std::string belong =
      "\"bytes\", \"start_us\", \"after\", \"compute_us\" and \"priority\" belong to operation \"none\"";
  const std::string good = R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 2]]})";
  for (const char* field :
       {R"("bytes": 1)", R"("start_us": 1)", R"("after": [0])", R"("compute_us": 1)", R"("priority": 1)"}) {
    EXPECT_THAT(
        schedule_error(broadcast_text(good + R"(,{"id": 1, "src": 0, "dst": 1, "blocks": [[0, 2]], )" + field + "}")),
        HasSubstr("message 1: a message of operation \"broadcast\" needs \"blocks\"; " + belong));
  }
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": 0, "dst": 1})")),
              HasSubstr("message 0: a message of operation"));
  EXPECT_EQ(schedule_error(
                broadcast_text(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 2]], "start_us": 0, "after": []})")),
            "no error");
  const std::string needs = "a message of operation \"none\" needs \"bytes\" and has no \"blocks\"";
  EXPECT_THAT(schedule_error(plain_text(R"({"id": 0, "src": 0, "dst": 1})")), HasSubstr("message 0: " + needs));
  EXPECT_THAT(schedule_error(plain_text(R"({"id": 1, "src": 0, "dst": 1, "bytes": 1}, {"id": 0, "src": 0, "dst": 1})")),
              HasSubstr("message 0: " + needs));
  EXPECT_THAT(schedule_error(plain_text(R"({"id": 0, "src": 0, "dst": 1, "bytes": 1, "blocks": [[0, 1]]})")),
              HasSubstr("message 0: " + needs));
}

TEST(ScheduleFile, MessagesMayWaitForLaterOnesButNotInACycle)
{
  const auto waiting = [](const std::string& after0, const std::string& after1, const std::string& after2) {
    return schedule_error(plain_text(R"({"id": 0, "src": 0, "dst": 1, "bytes": 1, "after": [)" + after0 +
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
  EXPECT_THAT(schedule_error("[]"), HasSubstr("expected a schedule as one JSON object"));
  EXPECT_THAT(schedule_error("{}"), HasSubstr("the key \"format\" is missing"));
  EXPECT_THAT(schedule_error(R"({"format": "wormcast-schedule/2"})"),
              HasSubstr("format: found \"wormcast-schedule/2\""));
  EXPECT_THAT(schedule_error(broadcast_text("", R"(, "port": 1)")),
              HasSubstr("unknown key \"port\", did you mean \"ports\"?"));
  EXPECT_THAT(schedule_error(broadcast_text("", R"(, "ports": 0)")), HasSubstr("ports: found 0"));
  EXPECT_THAT(schedule_error(broadcast_text("", R"(, "ports": "al")")),
              HasSubstr("ports: found \"al\", expected a whole number from 1 to 64 or \"all\""));
  EXPECT_THAT(schedule_error(broadcast_text("", R"(, "duplex": "haf")")),
              HasSubstr("duplex: found \"haf\", expected one of"));
  EXPECT_THAT(schedule_error(broadcast_text("", R"(, "source": 0)")), HasSubstr("the key \"source\" occurs twice"));
  EXPECT_THAT(schedule_error(R"({"format": "wormcast-schedule/1", "messages": [], "topology": {"kind": "mash"}})"),
              HasSubstr("did you mean \"mesh\"?"));
  EXPECT_THAT(schedule_error(R"({"format": "wormcast-schedule/1", "messages": {}, "topology": {"kind": "mesh"}})"),
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
  EXPECT_EQ(schedule_of_text(on_four_nodes("all_gather")).operation, Operation::multinode_broadcast);
  EXPECT_EQ(schedule_of_text(on_four_nodes("all_to_all")).operation, Operation::total_exchange);
  EXPECT_EQ(schedule_of_text(on_four_nodes("all_to_all")).blocks, 16U);
  EXPECT_EQ(schedule_of_text(on_four_nodes("reduce_scatter")).blocks, 4U);
  EXPECT_EQ(schedule_of_text(on_four_nodes("barrier")).blocks, 1U);
  EXPECT_EQ(schedule_of_text(on_four_nodes("reduce", R"(, "source": 3, "blocks": 7)")).source, NodeId{3});
  EXPECT_THAT(schedule_error(on_four_nodes("sum")),
              HasSubstr("operation: found \"sum\", expected one of \"broadcast\", \"scatter\", \"gather\""));
  EXPECT_THAT(schedule_error(on_four_nodes("reduce")), HasSubstr("the key \"source\" is missing"));
  EXPECT_THAT(schedule_error(on_four_nodes("all_reduce")), HasSubstr("the key \"blocks\" is missing"));
  EXPECT_THAT(schedule_error(on_four_nodes("barrier", R"(, "blocks": 2)")), HasSubstr("blocks: found 2, expected"));
}

TEST(ScheduleFile, AMulticastNeedsGoodDestinations)
{
  const auto with = [](const std::string& destinations) {
    return on_four_nodes("multicast", R"(, "source": 1, "blocks": 1, "destinations": )" + destinations);
  };
  EXPECT_EQ(schedule_of_text(with("[3, 0]")).destinations, (std::vector{NodeId{3}, NodeId{0}}));
  EXPECT_THAT(schedule_error(on_four_nodes("multicast", R"(, "source": 1, "blocks": 1)")),
              HasSubstr("the key \"destinations\" is missing"));
  EXPECT_THAT(schedule_error(with("[]")), HasSubstr("destinations: a multicast needs at least one destination"));
  EXPECT_THAT(schedule_error(with("[0, 2, 0]")), HasSubstr("destinations: the destination 0 occurs twice"));
  EXPECT_THAT(schedule_error(with("[1]")), HasSubstr("destinations: node 1 is the source"));
  EXPECT_THAT(schedule_error(with("[4]")), HasSubstr("destinations: there is no node 4"));
  EXPECT_THAT(schedule_error(with("[-1]")), HasSubstr("destinations: there is no node -1"));
  EXPECT_THAT(schedule_error(with("[0.5]")), HasSubstr("destinations: found [0.5], expected a list of nodes"));
  EXPECT_THAT(schedule_error(with("3")), HasSubstr("destinations: found 3, expected a list of nodes"));
  EXPECT_THAT(schedule_error(on_four_nodes("all_gather", R"(, "destinations": [1])")),
              HasSubstr("\"destinations\" belong to operation \"multicast\""));
}

TEST(ScheduleFile, DecimalsAreShownAsTheyStandInTheFile)
{
  EXPECT_THAT(schedule_error(R"({"format": "wormcast-schedule/1", "messages": [], "operation": "none",
                           "topology": {"kind": "mesh", "dims": [4.50, 2]}})"),
              HasSubstr("dims: found [4.50,2], expected"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": 0, "src": 0, "dst": 1, "blocks": [[0, 1e1]]})")),
              HasSubstr("message 0: blocks: found [0,1e1], expected a half-open range"));
}

TEST(ScheduleFile, DeepNestingIsAnErrorAndNoCrash)
{
  EXPECT_THAT(schedule_error(R"({"topology": )" + std::string(1'000'000, '[')), HasSubstr("inside of one another"));
  EXPECT_THAT(schedule_error(broadcast_text(R"({"id": )" + std::string(1'000'000, '['))),
              HasSubstr("inside of one another"));
}

RC_GTEST_PROP(ScheduleFile, EveryShortenedFileIsAnError, ())
{
  const std::string whole = broadcast_text(R"({"id": 0, "step": 0, "src": 0, "dst": 1, "blocks": [[0, 2]]})");
  const std::string error = schedule_error(whole.substr(0, *rc::gen::inRange<std::size_t>(0, whole.size())));
  RC_ASSERT(error.starts_with("test.json:"));
  RC_ASSERT(error.find("malformed JSON") != std::string::npos);
}

} // namespace
} // namespace wormcast
