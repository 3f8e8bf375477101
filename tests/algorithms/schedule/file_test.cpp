// The format wormcast-schedule/1, read and written.

#include "tests/algorithms/grids.hpp"
#include "tests/algorithms/schedule/schedule_texts.hpp"
#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::grid;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::plain_text;
using testing::schedule_error;
using testing::schedule_of;
using testing::schedule_of_text;
using testing::text_of_schedule;

TEST(ScheduleFile, KeysAndMessagesComeInAnyOrder)
{
  const Schedule schedule =
      schedule_of_text(plain_text(R"({"id": 1, "src": 2, "dst": 3, "bytes": 7, "start_us": 0.5, "after": [0]},
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
    return schedule_of_text(plain_text(R"({"id": 0, "src": 0, "dst": 1, "bytes": 4, "start_us": )" + us + "}"))
        .plain[0]
        .start;
  };
  EXPECT_EQ(start("1234567.000001"), Time{1'234'567'000'001});
  EXPECT_EQ(start("3"), Time{3'000'000});
  EXPECT_THAT(schedule_error(plain_text(R"({"id": 0, "src": 0, "dst": 1, "bytes": 4, "start_us": 0.0000001})")),
              HasSubstr("message 0: start_us: found 0.0000001, expected microseconds"));
}

RC_GTEST_PROP(ScheduleFile, WhatIsWrittenIsReadBack, ())
{
  const auto topology = make_topology(grid(*rc::gen::element<std::string>("mesh", "torus"), {4, 4}),
                                      {"", *rc::gen::element<std::string>("no_wrap", "positive")});
  const auto name = *rc::gen::element<std::string>("recursive_doubling", "scatter_collect", "recursion_based");
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, 16)};
  const Schedule schedule = schedule_of(name, *topology, source, *rc::gen::inRange<std::uint64_t>(1, 100000));
  const std::string text = text_of_schedule(schedule);
  const Schedule again = schedule_of_text(text);
  RC_ASSERT(again.topology == schedule.topology);
  RC_ASSERT(again.routing == schedule.routing);
  RC_ASSERT(again.ports == schedule.ports);
  RC_ASSERT(again.source == schedule.source);
  RC_ASSERT(again.destinations == schedule.destinations);
  RC_ASSERT(again.messages.size() == schedule.messages.size());
  RC_ASSERT(text_of_schedule(again) == text);
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
  EXPECT_EQ(text_of_schedule(schedule),
            R"({"format": "wormcast-schedule/1", "topology": {"kind": "torus", "dims": [4, 2], )"
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
  EXPECT_EQ(text_of_schedule(schedule),
            R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [3]}, )"
            R"("ports": 1, "duplex": "full", "operation": "none", "messages": [
]}
)");
  schedule.messages = {{0, NodeId{0}, NodeId{1}, {}}, {4, NodeId{1}, NodeId{2}, {}}, {0, NodeId{2}, NodeId{0}, {}}};
  schedule.plain = {{512, {}}, {1, Time{10'500'000}}, {9'000'000'000, Time{1}, Time{2'500'000}, 255}};
  schedule.after.set(1, std::array{MessageId{0}});
  schedule.after.set(2, std::array{MessageId{1}, MessageId{0}});
  EXPECT_THAT(text_of_schedule(schedule), EndsWith(R"("messages": [
{"id": 0, "src": 0, "dst": 1, "bytes": 512},
{"id": 1, "step": 4, "src": 1, "dst": 2, "bytes": 1, "start_us": 10.5, "after": [0]},
{"id": 2, "src": 2, "dst": 0, "bytes": 9000000000, "start_us": 0.000001, "after": [1, 0], "compute_us": 2.5, "priority": 255}
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
  const Schedule again = schedule_of_text(text_of_schedule(schedule));
  ASSERT_EQ(again.messages.size(), 120U);
  EXPECT_EQ(again.block_sets.count(), 60U);
  for (std::size_t id = 0; id < 120; ++id) {
    ASSERT_TRUE(std::ranges::equal(again.block_sets.ranges(again.messages[id].blocks),
                                   schedule.block_sets.ranges(schedule.messages[id].blocks)));
  }
}

TEST(ScheduleFile, AFileThatIsNotThereIsAFileError)
{
  EXPECT_THROW(read_schedule(std::filesystem::path("no/such/file.json")), FileError);
  EXPECT_THROW(read_schedule(std::filesystem::path("/")), FileError);
}

} // namespace
} // namespace wormcast
