#include "wormcast/experiments/trace/reader.hpp"
#include "wormcast/formats/json_fields.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string fixture_text()
{
  std::ostringstream text;
  text << std::ifstream(WORMCAST_TEST_DATA "/experiments/trace/small_trace.jsonl").rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& old, const std::string& with)
{
  const std::size_t place = text.find(old);
  EXPECT_NE(place, std::string::npos) << old;
  return text.replace(place, old.size(), with);
}

std::string error_of(const std::string& trace)
{
  std::istringstream in(trace);
  try {
    read_trace(in, "a.jsonl", TraceListener());
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TraceReader, ReadsMessagesAndWhatHeadersWaitedFor)
{
  const std::string with_cause = replaced(fixture_text(), R"("from_us")", R"("cause":"slot","from_us")");
  std::istringstream in(with_cause);
  std::vector<TraceMessage> messages;
  std::vector<WaitCause> causes;
  read_trace(in, "small",
             {.wait = [&](const TraceWait& wait) { causes.push_back(wait.cause); },
              .message = [&](const TraceMessage& message) { messages.push_back(message); }});
  ASSERT_EQ(messages.size(), 5U);
  EXPECT_EQ(messages[1].id, 1U);
  EXPECT_EQ(messages[1].step, messages[0].step);
  EXPECT_NE(messages[1].source, messages[1].destination);
  EXPECT_GT(messages[1].bytes, 0U);
  EXPECT_FALSE(messages[1].owner.in_series);
  EXPECT_THAT(causes, ElementsAre(WaitCause::slot, WaitCause::channel, WaitCause::channel, WaitCause::channel));
  EXPECT_THAT(error_of(replaced(with_cause, R"("cause":"slot")", R"("cause":"rain")")),
              HasSubstr("\"cause\": found \"rain\", expected \"channel\", \"queue\", \"virtual_channel\", \"slot\", "
                        "\"crossbar\" or \"output_queue\""));
}

TEST(TraceReader, ReadsHeaderAndWaits)
{
  std::istringstream in(fixture_text());
  std::vector<TraceWait> waits;
  const TraceHeader header =
      read_trace(in, "small", {.wait = [&](const TraceWait& wait) { waits.push_back(wait); }}).header;
  EXPECT_EQ(header.kind, "mesh");
  EXPECT_THAT(header.dims, ElementsAre(4, 3));
  EXPECT_EQ(header.nodes, 12U);
  EXPECT_EQ(header.channels, 34U);
  EXPECT_EQ(header.messages, 5U);
  ASSERT_EQ(waits.size(), 4U);
  EXPECT_EQ(waits[0].kind, ContentionKind::step);
  EXPECT_EQ(waits[0].resource.name, "(1, 0) -> (2, 0)");
  EXPECT_EQ(waits[0].resource.channel_id, 4U);
  EXPECT_EQ(waits[0].resource.node, 1U);
  EXPECT_EQ(waits[0].resource.to_node, 2U);
  EXPECT_EQ(waits[0].waiting, 1U);
  EXPECT_EQ(waits[0].holding, 0U);
  EXPECT_EQ(waits[0].from, Time{10'000'000});
  EXPECT_EQ(waits[0].to, Time{42'000'001});
  EXPECT_EQ(waits[1].resource.channel_id, std::nullopt);
  EXPECT_EQ(waits[1].resource.to_node, std::nullopt);
  EXPECT_EQ(waits[2].waiting_step, 2U);
  EXPECT_EQ(waits[2].holding_step, 1U);
}

TEST(TraceReader, NamesTheLineThatIsCutShort)
{
  const std::string whole = fixture_text();
  const std::string cut = whole.substr(0, whole.find("\"port\",\"resource\""));
  EXPECT_THAT(error_of(cut), HasSubstr("a.jsonl:9: the JSON text ends at column 28 in the middle of a value"));
  EXPECT_THAT(error_of(whole.substr(0, whole.find("{\"type\":\"end\""))),
              HasSubstr("a.jsonl:11: the trace ends here without its record of type \"end\""));
  const std::string in_occupancy =
      whole.substr(0, whole.find("\"resource\":\"external\",\"channel\":\"(1, 0) -> (2, "
                                 "0)\",\"channel_id\":4,\"node\":1,\"to_node\":2,\"message\""));
  EXPECT_THAT(error_of(in_occupancy), HasSubstr("a.jsonl:8: the JSON text ends"));
}

TEST(TraceReader, CountsTheRecords)
{
  const std::string whole = fixture_text();
  const std::size_t line = whole.find("{\"type\":\"contention\",\"kind\":\"port\"");
  const std::string without = std::string(whole).erase(line, whole.find('\n', line) + 1 - line);
  EXPECT_THAT(error_of(without), HasSubstr("a.jsonl:11: found 3 contention records, but 4 were written"));
  EXPECT_THAT(error_of(whole + "{\"type\":\"message\"}\n"), HasSubstr("a.jsonl:13: found a record behind"));
}

TEST(TraceReader, NamesWhatIsWrongInALine)
{
  const std::string whole = fixture_text();
  EXPECT_THAT(error_of(replaced(whole, "\"kind\":\"port\"", "\"kind\":\"gate\"")),
              HasSubstr("a.jsonl:9: \"kind\": found \"gate\", expected \"step\", "
                        "\"depth\", \"port\", \"sharing\" or \"other\""));
  EXPECT_THAT(error_of(replaced(whole, "\"node\":5,", "")), HasSubstr("a.jsonl:10: \"node\" is missing"));
  EXPECT_THAT(error_of(replaced(whole, "\"node\":5", "\"node\":12")),
              HasSubstr("a.jsonl:10: \"node\": found 12, expected a whole number from 0 to 11"));
  EXPECT_THAT(error_of(replaced(whole, "\"message\":4", "\"message\":-4")), HasSubstr("\"waiting.message\": found -4"));
  EXPECT_THAT(error_of(replaced(whole, "\"from_us\":20", "\"from_us\":\"20us\"")),
              HasSubstr("a.jsonl:9: \"from_us\": expected a time in microseconds"));
  EXPECT_THAT(error_of(replaced(whole, "\"from_us\":20", "\"from_us\":2e9")), HasSubstr("\"to_us\" is before"));
  EXPECT_THAT(error_of(replaced(whole, "\"from_us\":20", "\"from_us\":0.0000001")),
              HasSubstr("a.jsonl:9: \"from_us\": "));
  EXPECT_THAT(error_of(replaced(whole, "{\"type\":\"end\"", "{\"type\":\"fin\"")),
              HasSubstr("\"type\": found \"fin\""));
  EXPECT_THAT(error_of(replaced(whole, "{\"type\":\"end\"", "[\"type\",\"end\"")), HasSubstr("a.jsonl:12: "));
}

/// Two broadcasts with two messages each, and a load.
std::string series_text()
{
  return R"({"format":"wormcast-trace/1","topology":{"kind":"mesh","dims":[3]},"nodes":3,"channels":4,"messages":9,)"
         R"("broadcasts":2,"broadcast_messages":4,"round":0,"config":{"algorithm":{"name":"a"}}}
{"type":"broadcast","number":1,"round":0,"source":2,"start_us":1.5,"latency_us":20}
{"type":"message","id":0,"step":0,"src":0,"dst":2,"bytes":8,"broadcast":0,"round":0,"ready_us":1.5}
{"type":"contention","kind":"other","resource":"external","channel":"1 -> 2","channel_id":2,"node":1,"to_node":2,)"
         R"("waiting":{"message":3,"step":1,"broadcast":1},"holding":{"message":7,"step":0,"broadcast":null},)"
         R"("from_us":2,"to_us":3}
{"type":"occupancy","resource":"external","channel":"1 -> 2","channel_id":2,"node":1,"to_node":2,"message":7,)"
         R"("step":0,"broadcast":null,"from_us":1,"to_us":3}
{"type":"end","latency_us":null,"saturated":true,"undelivered":0,"contention":1,"occupancy":1}
)";
}

TEST(TraceReader, ReadsWhoseMessagesOfASeriesAre)
{
  std::istringstream in(series_text());
  std::vector<TraceWait> waits;
  std::vector<TraceOccupancy> occupancies;
  std::vector<TraceBroadcast> broadcasts;
  const TraceFrame frame =
      read_trace(in, "series",
                 {.wait = [&](const TraceWait& wait) { waits.push_back(wait); },
                  .occupancy = [&](const TraceOccupancy& occupancy) { occupancies.push_back(occupancy); },
                  .broadcast = [&](const TraceBroadcast& broadcast) { broadcasts.push_back(broadcast); }});
  ASSERT_TRUE(frame.header.series);
  EXPECT_EQ(frame.header.series->broadcasts, 2U);
  EXPECT_EQ(frame.header.series->messages, 4U);
  EXPECT_EQ(frame.header.series->round, 0U);
  EXPECT_TRUE(frame.end.saturated);
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(waits[0].waiting_owner, (MessageOwner{.in_series = true, .broadcast = 1}));
  EXPECT_EQ(waits[0].holding_owner, (MessageOwner{.in_series = true, .broadcast = {}}));
  ASSERT_EQ(occupancies.size(), 1U);
  EXPECT_EQ(occupancies[0].owner, waits[0].holding_owner);
  ASSERT_EQ(broadcasts.size(), 1U);
  EXPECT_EQ(broadcasts[0].source, 2U);
  EXPECT_EQ(broadcasts[0].start, Time{1'500'000});
  EXPECT_EQ(broadcasts[0].latency, Time{20'000'000});
}

TEST(TraceReader, NamesWhatIsWrongInASeries)
{
  const std::string whole = series_text();
  EXPECT_THAT(error_of(whole), "no error");
  EXPECT_THAT(error_of(replaced(whole, "\"step\":1,\"broadcast\":1", "\"step\":1")),
              HasSubstr("a.jsonl:4: \"waiting.broadcast\" is missing"));
  EXPECT_THAT(error_of(replaced(whole, "\"step\":1,\"broadcast\":1", "\"step\":1,\"broadcast\":2")),
              HasSubstr("\"waiting.broadcast\": found 2, expected a whole number from 0 to 1"));
  EXPECT_THAT(error_of(replaced(whole, "\"step\":1,\"broadcast\":1", "\"step\":1,\"broadcast\":null")),
              HasSubstr("\"waiting.broadcast\": found null for message 3, "
                        "but the messages of broadcasts are those below 4"));
  EXPECT_THAT(error_of(replaced(whole, "\"number\":1", "\"number\":2")), HasSubstr("a.jsonl:2: \"number\": found 2"));
  EXPECT_THAT(error_of(replaced(whole, "\"broadcast_messages\":4", "\"broadcast_messages\":10")),
              HasSubstr("a.jsonl:1: \"broadcast_messages\": found 10, expected a whole number from 0 to 9"));
  EXPECT_THAT(error_of(replaced(whole, "\"broadcast_messages\":4,", "")),
              HasSubstr("\"broadcast_messages\" is missing"));
  EXPECT_THAT(error_of(replaced(whole, "\"broadcasts\":2,", "")), HasSubstr("a.jsonl:2: \"number\": found a value"));
  EXPECT_THAT(error_of(replaced(whole, "\"saturated\":true", "\"saturated\":1")),
              HasSubstr("\"saturated\": expected true or false"));
}

TEST(TraceReader, RefusesWhatIsNoTrace)
{
  EXPECT_THAT(error_of(""), HasSubstr("the file is empty"));
  EXPECT_THAT(error_of("{\"traceEvents\":[\n"), HasSubstr("a.jsonl:1: not a trace"));
  EXPECT_THAT(error_of("{\"format\":\"wormcast-result/1\"}\n"), HasSubstr("a.jsonl:1: not a trace"));
  EXPECT_THAT(error_of("wormcast-trace/1\n"), HasSubstr("a.jsonl:1: "));
  EXPECT_THROW(read_trace(std::filesystem::path("/no/such/file"), {}), FileError);
  EXPECT_THROW(read_trace(std::filesystem::path("/tmp"), {}), FileError);
}

TEST(JsonFields, HaveDottedNamesAndExactNumbers)
{
  using Kind = JsonField::Kind;
  EXPECT_THAT(read_json_fields(
                  R"({"a": {"b": 0.10000000000000000001, "c": {"d": true}}, "e": [1, [2], {"f": null}], "g": "x"})"),
              ElementsAre(JsonField{"a.b", "0.10000000000000000001", Kind::number},
                          JsonField{"a.c.d", "true", Kind::boolean}, JsonField{"e", "1", Kind::number},
                          JsonField{"e", "2", Kind::number}, JsonField{"e.f", "", Kind::null},
                          JsonField{"g", "x", Kind::text}));
  EXPECT_THAT(read_json_fields("{}"), ElementsAre());
  EXPECT_THROW(read_json_fields("3"), InputError);
  EXPECT_THROW(read_json_fields("{\"a\" 1}"), InputError);
  EXPECT_THROW(check_json("{\"a\": 1,}"), InputError);
  EXPECT_NO_THROW(check_json("{\"a\": 1}"));
}

} // namespace
} // namespace wormcast
