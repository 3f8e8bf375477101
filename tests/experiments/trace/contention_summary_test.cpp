#include "wormcast/experiments/trace/contention_summary.hpp"
#include "wormcast/experiments/trace/heat_map.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* fixture = WORMCAST_TEST_DATA "/experiments/trace/small_trace.jsonl";

Time microseconds(std::int64_t count)
{
  return Time{count * 1'000'000};
}

ContentionTrace selected(const WaitSelection& selection = {})
{
  return read_contention(fixture, selection);
}

std::uint64_t count(const ContentionTrace& trace)
{
  return longest_waits(trace).size();
}

TEST(Contention, IsSummedByKind)
{
  const auto totals = totals_by_kind(selected());
  const WaitSum& step = totals[static_cast<std::size_t>(ContentionKind::step)];
  EXPECT_EQ(step.count, 1U);
  EXPECT_EQ(step.wait, TotalTime(Time{32'000'001}));
  const WaitSum& depth = totals[static_cast<std::size_t>(ContentionKind::depth)];
  EXPECT_EQ(depth.count, 2U);
  EXPECT_EQ(depth.wait, TotalTime(microseconds(18)));
  EXPECT_EQ(depth.longest, microseconds(10));
  EXPECT_EQ(totals[static_cast<std::size_t>(ContentionKind::port)].wait, TotalTime(microseconds(40)));
}

TEST(Contention, IsSummedByStep)
{
  const ContentionTrace trace = selected();
  const std::vector<StepWaits> steps = waits_by_step(trace);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].step, 1U);
  EXPECT_EQ(steps[0].sum.count, 2U);
  EXPECT_EQ(steps[0].sum.wait, TotalTime(microseconds(50)));
  EXPECT_EQ(trace.channels[steps[0].channel].name, "injection port of (1, 0)");
  EXPECT_EQ(steps[0].channel_wait, TotalTime(microseconds(40)));
  EXPECT_EQ(steps[1].step, 0U);
  EXPECT_EQ(steps[2].step, 2U);
  EXPECT_EQ(waits_by_step(selected({.step = 2})).size(), 1U);
  EXPECT_EQ(count(selected({.step = 1})), 2U);
}

TEST(Contention, IsSummedByChannel)
{
  const ContentionTrace trace = selected();
  const std::vector<ChannelWaits> channels = waits_by_channel(trace);
  ASSERT_EQ(channels.size(), 3U);
  EXPECT_EQ(trace.channels[channels[0].channel].name, "(1, 0) -> (2, 0)");
  EXPECT_EQ(channels[0].sum.count, 2U);
  EXPECT_EQ(channels[0].sum.wait, TotalTime(Time{42'000'001}));
  EXPECT_EQ(trace.channels[channels[1].channel].name, "injection port of (1, 0)");
  EXPECT_EQ(trace.channels[channels[2].channel].name, "(1, 1) -> (1, 0)");
}

TEST(Contention, IsSummedByMessage)
{
  const std::vector<MessageWaits> messages = waits_by_message(selected());
  ASSERT_EQ(messages.size(), 5U);
  EXPECT_EQ(messages[0].message, 2U);
  EXPECT_EQ(messages[0].waited.wait, TotalTime(microseconds(50)));
  EXPECT_EQ(messages[1].message, 1U);
  EXPECT_EQ(messages[1].waited.count, 1U);
  EXPECT_EQ(messages[1].held_up.wait, TotalTime(microseconds(50)));
  EXPECT_EQ(messages[2].message, 4U);
  EXPECT_EQ(messages[3].message, 0U);
  EXPECT_EQ(messages[4].message, 3U);
}

TEST(Contention, ListsTheLongestWaitsFirst)
{
  EXPECT_THAT(longest_waits(selected()), ElementsAre(1, 0, 3, 2));
}

TEST(Contention, SelectsByKind)
{
  EXPECT_EQ(count(selected({.kind = ContentionKind::depth})), 2U);
}

TEST(Contention, SelectsByChannel)
{
  EXPECT_EQ(count(selected({.channel = "(1, 0) -> (2, 0)"})), 2U);
  EXPECT_EQ(count(selected({.channel = "1,0>2,0"})), 2U);
  EXPECT_EQ(count(selected({.channel = "1,0 -> 2,0"})), 2U);
  EXPECT_EQ(count(selected({.channel = "14"})), 1U);
  EXPECT_EQ(count(selected({.channel = "33"})), 0U);
  EXPECT_EQ(count(selected({.channel = "injection port of 1,0"})), 1U);
  EXPECT_EQ(count(selected({.channel = "2,0>1,0"})), 0U); // nobody held it or waited for it
  EXPECT_THROW(selected({.channel = "2,0>0,0"}), InputError);
}

TEST(Contention, SelectsByMessage)
{
  EXPECT_EQ(count(selected({.message = 1})), 3U);
  EXPECT_EQ(count(selected({.message = 3})), 1U);
}

TEST(Contention, CountsThePartInTheTimeAskedFor)
{
  const ContentionTrace trace = selected({.between = {{microseconds(40), microseconds(65)}}});
  const auto totals = totals_by_kind(trace);
  EXPECT_EQ(totals[static_cast<std::size_t>(ContentionKind::step)].wait, TotalTime(Time{2'000'001}));
  EXPECT_EQ(totals[static_cast<std::size_t>(ContentionKind::port)].wait, TotalTime(microseconds(20)));
  EXPECT_EQ(totals[static_cast<std::size_t>(ContentionKind::depth)].count, 1U);
  EXPECT_EQ(totals[static_cast<std::size_t>(ContentionKind::depth)].wait, TotalTime(microseconds(5)));
}

TEST(Contention, RefusesMessagesAndChannelsThatAreNotThere)
{
  EXPECT_THROW(selected({.message = 5}), InputError);
  EXPECT_THROW(selected({.channel = "34"}), InputError);
}

TEST(Contention, FollowsWhoWaitedForWhom)
{
  const std::vector<WaitChain> chains = wait_chains(selected(), 10);
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_THAT(chains[0].waits, ElementsAre(1, 0)); // 2 for 1, which waits for 0
  EXPECT_FALSE(chains[0].cycle);
  EXPECT_THAT(wait_chains(selected({.message = 4}), 10), IsEmpty());
  EXPECT_EQ(wait_chains(selected({.message = 0}), 10).size(), 1U);
  EXPECT_THAT(wait_chains(selected(), 0), IsEmpty());
}

/// Message i waits for message i + 1 of a cycle of `size`, at the same time; message `size` waits for message 0.
ContentionTrace cycle(std::uint32_t size, bool with_tail)
{
  ContentionTrace trace;
  trace.channels.push_back({"c", 0, 0, 1});
  for (std::uint32_t i = 0; i < size; ++i) {
    trace.waits.push_back(
        {.waiting = i, .holding = (i + 1) % size, .from = Time{i}, .to = Time{100}, .counted = Time{1}});
  }
  if (with_tail) {
    trace.waits.push_back({.waiting = size, .holding = 0, .from = Time{50}, .to = Time{100}, .counted = Time{1}});
  }
  return trace;
}

TEST(Contention, FindsCycles)
{
  const std::vector<WaitChain> chains = wait_chains(cycle(6, false), 10);
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_TRUE(chains[0].cycle);
  EXPECT_THAT(chains[0].waits, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Contention, FindsACycleOfWaitsThatEndAtTheTimeAtWhichTheyBegan)
{
  ContentionTrace trace = cycle(4, false);
  for (Wait& wait : trace.waits) {
    wait.from = wait.to;
  }
  EXPECT_EQ(wait_chains(trace, 10).at(0).waits.size(), 4U);
  EXPECT_TRUE(wait_chains(trace, 10).at(0).cycle);
}

TEST(Contention, DoesNotJoinWaitsThatFollowEachOther)
{
  ContentionTrace trace;
  trace.waits.push_back({.waiting = 0, .holding = 1, .from = Time{0}, .to = Time{10}});
  trace.waits.push_back({.waiting = 1, .holding = 2, .from = Time{10}, .to = Time{20}});
  EXPECT_THAT(wait_chains(trace, 10), IsEmpty());
}

TEST(Contention, FindsACycleIntoWhichAChainLeads)
{
  const std::vector<WaitChain> chains = wait_chains(cycle(3, true), 10);
  ASSERT_EQ(chains.size(), 2U);
  EXPECT_TRUE(chains[0].cycle);
  EXPECT_THAT(chains[0].waits, ElementsAre(0, 1, 2));
  EXPECT_FALSE(chains[1].cycle);
  EXPECT_THAT(chains[1].waits, ElementsAre(3, 0, 1, 2));
  EXPECT_TRUE(wait_chains(cycle(3, true), 1).at(0).cycle);
}

TEST(Contention, FindsEveryCycle)
{
  ContentionTrace trace = cycle(3, true);
  for (const auto& [waiting, holding] : {std::pair(11U, 12U), std::pair(12U, 11U), std::pair(10U, 11U)}) {
    trace.waits.push_back(
        {.waiting = waiting, .holding = holding, .from = Time{0}, .to = Time{100}, .counted = Time{1}});
  }
  const std::vector<WaitChain> chains = wait_chains(trace, 10);
  ASSERT_EQ(chains.size(), 4U);
  EXPECT_THAT(chains[0].waits, ElementsAre(0, 1, 2));
  EXPECT_THAT(chains[1].waits, ElementsAre(4, 5));
  EXPECT_TRUE(chains[1].cycle);
  EXPECT_FALSE(chains[2].cycle);
}

TEST(HeatMap, DrawsNodes)
{
  EXPECT_EQ(draw_heat_map(node_heat_map(selected()), false),
            "waiting time, channels that leave a node and its ports\n"
            "y 2 ········\n"
            "y 1 ··░░····\n"
            "y 0 ··██····\n"
            "    x 0 .. 3\n"
            "· none   ░ up to 20.5 us   ▒ up to 41 us   ▓ up to 61.5 us   █ up to 82.000001 us\n");
}

TEST(HeatMap, IsEmptyWithoutWaits)
{
  EXPECT_THAT(draw_heat_map(node_heat_map(selected({.channel = "33"})), false),
              HasSubstr("y 0 ········\n    x 0 .. 3\n· none\n"));
}

TEST(HeatMap, TellsDirectionsApart)
{
  const std::vector<HeatMap> maps = direction_heat_maps(selected());
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_THAT(maps[0].title, HasSubstr("x+"));
  EXPECT_EQ(maps[0].cells[1], Time{42'000'001});
  EXPECT_THAT(maps[1].title, HasSubstr("y-"));
  EXPECT_EQ(maps[1].cells[5], microseconds(8));
  EXPECT_THAT(maps[2].title, HasSubstr("ports"));
  EXPECT_EQ(maps[2].cells[1], microseconds(40));
}

TEST(HeatMap, KnowsWrapAroundLinks)
{
  ContentionTrace trace;
  trace.header = {.kind = "torus", .dims = {4, 3}, .nodes = 12, .channels = 48, .messages = 2};
  const auto direction_of = [&](std::uint32_t from, std::uint32_t to) {
    trace.channels = {{"c", 0, from, to}};
    trace.waits = {{.to = Time{1}, .counted = Time{1}}};
    const std::string title = direction_heat_maps(trace).at(0).title;
    return title.substr(title.size() - 2);
  };
  EXPECT_EQ(direction_of(3, 0), "x+");
  EXPECT_EQ(direction_of(0, 3), "x-");
  EXPECT_EQ(direction_of(9, 1), "y+");
  EXPECT_EQ(direction_of(1, 9), "y-");
  EXPECT_EQ(direction_of(1, 0), "x-");
  EXPECT_EQ(direction_of(5, 9), "y+");
}

TEST(HeatMap, ShowsBlocksOfALargeMesh)
{
  ContentionTrace trace;
  trace.header = {.kind = "mesh", .dims = {130, 64}, .nodes = 8320};
  trace.channels = {{"c", 0, 129 + 130 * 63, 0}};
  trace.waits = {{.to = Time{5}, .counted = Time{5}}};
  const HeatMap map = node_heat_map(trace);
  EXPECT_EQ(map.block, 3U);
  EXPECT_EQ(map.columns, 44U);
  EXPECT_EQ(map.rows, 22U);
  EXPECT_EQ(map.cells.back(), Time{5});
  EXPECT_THAT(draw_heat_map(map, false), HasSubstr("3 x 3 nodes a cell"));
}

TEST(HeatMap, IsColouredOnlyWhenAsked)
{
  const HeatMap map = node_heat_map(selected());
  EXPECT_THAT(draw_heat_map(map, true), HasSubstr("\033["));
  EXPECT_THAT(draw_heat_map(map, false), Not(HasSubstr("\033[")));
}

TEST(HeatMap, IsForPlanesOnly)
{
  EXPECT_TRUE(has_heat_map({.kind = "mesh", .dims = {4, 3}, .nodes = 12}));
  EXPECT_TRUE(has_heat_map({.kind = "torus", .dims = {5}, .nodes = 5}));
  EXPECT_TRUE(has_heat_map({.kind = "mesh", .dims = {4, 3, 1}, .nodes = 12}));
  EXPECT_FALSE(has_heat_map({.kind = "mesh", .dims = {4, 3, 2}, .nodes = 24}));
  EXPECT_FALSE(has_heat_map({.kind = "mesh", .dims = {4, 3}, .nodes = 13}));
  EXPECT_FALSE(has_heat_map({.kind = "mesh", .dims = {4294967296, 4294967296}, .nodes = 0}));
  EXPECT_FALSE(has_heat_map({.kind = "hypercube", .nodes = 8}));
}

} // namespace
} // namespace wormcast
