// Broadcasts again and again, together, and among traffic.

#include "tests/simulator/traffic/networks.hpp"
#include "tests/simulator/traffic/series_fixture.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace wormcast {
namespace {

using testing::grid_of;

using Series = testing::SeriesTest;

TEST_F(Series, RepeatsTheRunWithoutTraffic)
{
  series.pause = Time{7'000'000};
  const Time single = *alone().latency;
  const SeriesResult result = simulated();
  ASSERT_EQ(result.broadcasts.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(result.broadcasts[i].latency, single);
    EXPECT_EQ(result.broadcasts[i].alone, single);
    EXPECT_EQ(result.broadcasts[i].start, static_cast<std::int64_t>(i) * (single + series.pause));
  }
  EXPECT_EQ(result.slowdown, 1);
  EXPECT_EQ(result.waits[ContentionKind::other].count, 0U);
  EXPECT_FALSE(result.load);
}

// A load of which hardly anything comes changes nothing, in every engine, mode and router, with jitter and noise.
TEST_F(Series, IsThatOfTheEmptyNetworkAtLoadZero)
{
  set_load(1e-12);
  series.rounds = 1;
  run.start_jitter = Time{3'000'000};
  run.noise = Noise::exponential(0.3);
  run.tie_break = TieBreak::seeded;
  for (const char* name : {"wormhole", "input_queued"}) {
    const RouterModel& router = find_router(name);
    if (router.cycle) {
      network = testing::booksim_network(2, true, false);
      network.startup = Time{20'000};
    }
    for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
      for (const EngineChoice engine : {EngineChoice::automatic, EngineChoice(router.engines.back().name)}) {
        run.mode = mode;
        run.engine = engine;
        const SeriesResult result = simulated();
        ASSERT_EQ(result.broadcasts.size(), 1U);
        EXPECT_EQ(result.broadcasts[0].latency, *alone().latency);
        EXPECT_EQ(result.broadcasts[0].alone, *alone().latency);
        EXPECT_EQ(result.load_messages, 0U);
      }
    }
  }
}

TEST_F(Series, TellsWhoWaitsForWhom)
{
  set_load(0.1);
  series.rounds = 10;
  const SeriesResult result = simulated();
  ASSERT_EQ(result.broadcasts.size(), 10U);
  EXPECT_GE(result.broadcasts.front().start, Time{1'000'000'000});
  EXPECT_GT(result.waits[ContentionKind::other].count, 0U);
  EXPECT_GT(result.load_waits[ContentionKind::other].count, 0U);
  const std::uint64_t of_broadcasts = 10 * schedule(NodeId{5})->messages.size();
  EXPECT_EQ(result.messages, of_broadcasts);
  EXPECT_GT(result.slowdown, 1);
  EXPECT_GT(result.latency.mean, static_cast<double>(alone().latency->picoseconds));
  EXPECT_LE(result.latency.smallest, result.latency.median);
  EXPECT_LE(result.latency.median, result.latency.percentile_95);
  EXPECT_LE(result.latency.percentile_95, result.latency.largest);
  ASSERT_TRUE(result.load);
  EXPECT_GT(result.load->messages, 0U);
  EXPECT_GT(result.load->with, result.load->without);
}

TEST_F(Series, TellsAllOfItWhenItIsReplayed)
{
  set_load(0.1);
  series.rounds = 4;
  series.count = 2;
  const SeriesResult result = simulated();
  std::map<MessageId, SeriesMessage> messages;
  ContentionTotals waits;
  std::map<std::uint32_t, Time> ended;
  std::uint64_t delivered = 0;
  const auto is_told = [&](MessageId message) { return messages.contains(message); };
  const auto whose = [&](MessageId message) { return messages.at(message).broadcast; };
  replay_series(
      setting(), result,
      {.message = [&](const SeriesMessage& message) { EXPECT_TRUE(messages.emplace(message.id, message).second); },
       .records = {.contention =
                       [&](const ContentionRecord& record) {
                         ASSERT_TRUE(is_told(record.waiting) && is_told(record.holding));
                         EXPECT_EQ(record.kind == ContentionKind::other,
                                   whose(record.waiting) != whose(record.holding));
                         if (whose(record.waiting)) {
                           waits.add(record.kind, record.wait);
                         }
                       },
                   .occupancy = [&](const OccupancyRecord& record) { ASSERT_TRUE(is_told(record.message)); },
                   .delivery =
                       [&](const DeliveryRecord& record) {
                         ASSERT_TRUE(is_told(record.message));
                         const SeriesMessage& message = messages.at(record.message);
                         EXPECT_EQ(message.source, record.source);
                         EXPECT_EQ(message.destination, record.destination);
                         EXPECT_EQ(message.ready, record.ready);
                         EXPECT_EQ(message.bytes, message.broadcast ? 500U : 100U);
                         ++delivered;
                         if (message.broadcast) {
                           ended[*message.broadcast] = record.delivered;
                         }
                       }}});
  EXPECT_EQ(messages.size(), result.messages + result.load_messages);
  EXPECT_LE(delivered, messages.size());
  EXPECT_GT(delivered, result.messages);
  EXPECT_EQ(waits, result.waits);
  ASSERT_EQ(result.broadcasts.size(), 8U);
  for (const SeriesBroadcast& broadcast : result.broadcasts) {
    EXPECT_EQ(ended.at(broadcast.number), broadcast.start + broadcast.latency);
  }
}

// Of the records outside of rounds none is told; the load's in them are those that the result counts.
TEST_F(Series, TellsWhatIsWanted)
{
  for (const char* name : {"wormhole", "input_queued"}) {
    const RouterModel& router = find_router(name);
    set_load(0.1);
    if (router.cycle) {
      network = testing::booksim_network(2, true, false);
      traffic->warm_up = Time{20'000'000};
    }
    const SeriesResult result = simulated();
    ASSERT_FALSE(result.saturated);
    std::map<MessageId, SeriesMessage> messages;
    ContentionTotals waits;
    ContentionTotals load_waits;
    std::set<std::uint32_t> asked;
    std::uint64_t in_rounds = 0;
    const auto is_of_round = [&](MessageId message, std::uint32_t round) {
      const SeriesMessage& told = messages.at(message);
      return !told.broadcast || *told.broadcast == round;
    };
    SeriesSinks sinks;
    sinks.message = [&](const SeriesMessage& message) {
      messages.emplace(message.id, message);
      in_rounds += !message.broadcast && message.round ? 1 : 0;
    };
    sinks.records.delivery = [&](const DeliveryRecord& record) {
      EXPECT_EQ(messages.at(record.message).ready, record.ready);
    };
    sinks.records.contention = [&](const ContentionRecord& record) {
      (messages.at(record.waiting).broadcast ? waits : load_waits).add(record.kind, record.wait);
    };
    sinks.wanted = [&](std::optional<std::uint32_t> round) {
      asked.insert(round.value_or(1000));
      return round.has_value();
    };
    replay_series(setting(), result, sinks);
    EXPECT_EQ(waits, result.waits);
    EXPECT_EQ(load_waits, result.load_waits);
    EXPECT_EQ(asked, (std::set<std::uint32_t>{0, 1, 2, 1000}));
    ASSERT_TRUE(result.load);
    EXPECT_EQ(in_rounds, result.load->messages);

    std::uint64_t of_round = 0;
    sinks.message = [&](const SeriesMessage& message) { messages.emplace(message.id, message); };
    sinks.records.contention = {};
    sinks.records.occupancy = [&](const OccupancyRecord& record) {
      EXPECT_TRUE(is_of_round(record.message, 1));
      ++of_round;
    };
    sinks.wanted = [](std::optional<std::uint32_t> round) { return round == 1U; };
    replay_series(setting(), result, sinks);
    EXPECT_GT(of_round, 0U);
  }
}

TEST_F(Series, IsTheSameInBothEngines)
{
  set_load(0.1);
  run.engine = EngineChoice::worm;
  const SeriesResult worm = simulated();
  run.engine = EngineChoice::flit;
  const SeriesResult flit = simulated();
  EXPECT_EQ(worm.engine, "worm");
  EXPECT_EQ(flit.engine, "flit");
  ASSERT_EQ(worm.broadcasts.size(), flit.broadcasts.size());
  for (std::size_t i = 0; i < worm.broadcasts.size(); ++i) {
    EXPECT_EQ(worm.broadcasts[i].latency, flit.broadcasts[i].latency);
  }
  EXPECT_EQ(worm.waits, flit.waits);
  EXPECT_EQ(worm.load_waits, flit.load_waits);
  EXPECT_EQ(worm.load->with, flit.load->with);
  EXPECT_EQ(worm.load->without, flit.load->without);
}

// Without broadcasts in their way the load's messages are those of a run of the load alone.
TEST_F(Series, CostsTheLoadNothingWhereItIsElsewhere)
{
  mesh = grid_of("mesh", {8});
  set_load(0.1);
  traffic->pattern = "hot_spot"; // away from nodes 0 and 1, where the operation stays
  traffic->pattern_parameters.set("hot_spot.nodes", std::vector<std::int64_t>{6, 7});
  traffic->pattern_parameters.set("hot_spot.share", 1.0);
  traffic->load = 0.02;
  Schedule list;
  list.topology = mesh->description();
  list.operation = Operation::none;
  list.messages.push_back({.step = 0, .source = NodeId{1}, .destination = NodeId{0}, .blocks = {}});
  list.plain.push_back({.bytes = 100'000, .start = Time{}});
  network.ports.count = 8; // one of which the operation holds
  SeriesSetting one_message = setting();
  one_message.source = NodeId{1};
  one_message.schedule_of = [&](NodeId) { return std::make_shared<const Schedule>(list); };
  const SeriesResult result = simulate_series(one_message);
  ASSERT_TRUE(result.load);
  EXPECT_GT(result.load->messages, 100U);
  EXPECT_EQ(result.load->with, result.load->without);
}

TEST_F(Series, HasSeveralAtOnceFromDifferentSources)
{
  series.count = 4;
  series.random_sources = true;
  series.rounds = 5;
  const SeriesResult result = simulated();
  ASSERT_EQ(result.broadcasts.size(), 20U);
  for (std::uint32_t round = 0; round < 5; ++round) {
    std::set<NodeId> sources;
    for (const SeriesBroadcast& broadcast : result.broadcasts) {
      if (broadcast.round == round) {
        sources.insert(broadcast.source);
        EXPECT_GE(broadcast.latency, broadcast.alone);
      }
    }
    EXPECT_EQ(sources.size(), 4U);
  }
  EXPECT_GT(result.waits[ContentionKind::other].count, 0U);
  run.seed = 2;
  EXPECT_FALSE(std::ranges::equal(simulated().broadcasts, result.broadcasts, {}, &SeriesBroadcast::source,
                                  &SeriesBroadcast::source));
}

TEST_F(Series, EndsWhereTheLoadIsTooMuch)
{
  set_load(3);
  const SeriesResult result = simulated();
  EXPECT_TRUE(result.saturated);
  EXPECT_TRUE(result.broadcasts.empty());
}

TEST_F(Series, FindsADeadlock)
{
  mesh = grid_of("torus", {8, 8});
  set_load(0.9);
  traffic->lengths = MessageLengths::fixed(400);
  network.startup = Time{};
  const SeriesResult result = simulated();
  ASSERT_TRUE(result.deadlock);
  EXPECT_GE(result.deadlock->cycle.size(), 2U);
}

TEST_F(Series, RefusesMoreSourcesThanNodes)
{
  series.count = 17;
  EXPECT_THROW(simulated(), InputError);
}

} // namespace
} // namespace wormcast
