// A round of a series as it is shown, against what is told of the whole series.

#include "tests/experiments/view/recorded.hpp"
#include "wormcast/experiments/run/series_result.hpp"
#include "wormcast/experiments/view/moment.hpp"
#include "wormcast/experiments/view/viewed_round.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace wormcast {
namespace {

using ::testing::HasSubstr;

/// 4 x 4 mesh; `more` are further sections.
SeriesExperiment series_of(const std::string& network, const std::string& more)
{
  const testing::TemporaryDirectory folder;
  return make_series_experiment(read_config(folder.write("c.toml", R"([topology]
kind = "mesh"
dims = [4, 4]
[network]
startup = "1us"
per_byte = "10ns"
buffer_flits = 4
)" + network + R"(
[algorithm]
name = "recursive_doubling"
source = [1, 1]
[message]
bytes = 128
)" + more)));
}

const std::string traffic = "[traffic]\nbytes = 32\nload = 0.15\nwarm_up = \"300us\"\n";
const std::string rounds = "[broadcast]\nrepeat = 5\npause = \"1us\"\n";
const std::string pipelined = "router = \"input_queued\"\nvirtual_channels = 2\n";

/// All that is told of a series, by the names of messages.
struct Told {
  std::map<std::uint32_t, SeriesMessage> messages;
  std::map<std::uint32_t, Time> delivered;
  std::vector<ContentionRecord> waits;
  std::vector<OccupancyRecord> occupancies;

  Told(const SeriesExperiment& experiment, const SeriesResult& result)
  {
    SeriesSinks sinks;
    sinks.message = [this](const SeriesMessage& message) { messages[index(message.id)] = message; };
    sinks.records.contention = [this](const ContentionRecord& record) { waits.push_back(record); };
    sinks.records.occupancy = [this](const OccupancyRecord& record) { occupancies.push_back(record); };
    sinks.records.delivery = [this](const DeliveryRecord& record) {
      delivered[index(record.message)] = record.delivered;
    };
    replay_series(series_setting(experiment), result, sinks);
  }
};

/// A record of either kind: kind, resource, messages, beginning and end.
using Row = std::tuple<int, std::uint64_t, std::uint32_t, std::uint32_t, std::int64_t, std::int64_t>;

template <typename Name> Row row_of(const ResourceNames& names, const ContentionRecord& record, Name name, Time start)
{
  return {static_cast<int>(record.kind), names.number(record.resource),     name(record.waiting),
          name(record.holding),          (record.from - start).picoseconds, (record.to - start).picoseconds};
}

template <typename Name> Row row_of(const ResourceNames& names, const OccupancyRecord& record, Name name, Time start)
{
  return {-1, names.number(record.resource),     name(record.message),
          0,  (record.from - start).picoseconds, (record.to - start).picoseconds};
}

class ViewedRoundOf : public ::testing::TestWithParam<std::pair<const char*, std::string>> {};

TEST_P(ViewedRoundOf, HoldsAllThatHappensInIt)
{
  const std::string& network = GetParam().second;
  for (const std::string& more : {traffic + rounds, traffic + rounds + "count = 3\n", rounds + "count = 3\n",
                                  traffic + "[broadcast]\nrepeat = 4\npause = \"0s\"\nsource = \"random\"\n"}) {
    SCOPED_TRACE(more);
    const SeriesExperiment experiment = series_of(network, more);
    const SeriesResult result = run_series(experiment);
    const Told told(experiment, result);
    const ResourceNames names(*experiment.single.topology, experiment.single.network.ports);
    std::uint64_t shown_others = 0;
    for (std::uint32_t number = 0; number < experiment.series.rounds; ++number) {
      SCOPED_TRACE(number);
      const RoundWindow window = round_window(experiment, result, number);
      const ViewedRound round(experiment, result, window);
      const ViewedRun run = round.run(true);
      const ViewedMessages& messages = run.messages;
      std::vector<Row> expected;
      std::vector<Row> shown;
      const auto told_name = [](MessageId id) { return index(id); };
      const auto name = [&](MessageId id) { return messages.name(id); };
      const auto in_window = [&](const auto& record) { return record.from < window.end && record.to > window.begin; };
      const auto expect = [&](const auto& records) {
        for (const auto& record : records) {
          if (in_window(record)) {
            expected.push_back(row_of(names, record, told_name, window.start));
          }
        }
      };
      const auto show = [&](const auto& records) {
        for (const auto& record : records) {
          shown.push_back(row_of(names, record, name, Time{}));
        }
      };
      expect(told.waits);
      show(run.recorder.waits());
      EXPECT_EQ(run.recorder.waits().size(), run.recorder.all_waits());
      // Who freed a channel after its delivery, but was over before the window, is no worm of it.
      std::vector<OccupancyRecord> under_way;
      std::ranges::copy_if(told.occupancies, std::back_inserter(under_way), [&](const OccupancyRecord& record) {
        const auto found = told.delivered.find(index(record.message));
        return found == told.delivered.end() || found->second > window.begin;
      });
      expect(under_way);
      show(run.recorder.occupancies());
      std::ranges::sort(expected);
      std::ranges::sort(shown);
      EXPECT_GT(shown.size(), 40U);
      EXPECT_EQ(shown, expected);
      for (std::uint32_t id = 0; id < messages.count(); ++id) {
        const SeriesMessage& message = told.messages.at(messages.name(MessageId{id}));
        EXPECT_EQ(messages.broadcast(MessageId{id}), message.broadcast);
        EXPECT_EQ(messages.source(MessageId{id}), message.source);
        EXPECT_EQ(messages.destination(MessageId{id}), message.destination);
        EXPECT_EQ(ViewedBytes(messages)(MessageId{id}), message.bytes);
        const bool own = message.broadcast && *message.broadcast / experiment.series.count == number;
        EXPECT_EQ(messages.is_own(MessageId{id}), own);
        EXPECT_EQ(messages.step(MessageId{id}), own ? std::optional(message.step) : std::nullopt);
        const auto delivered = told.delivered.find(index(message.id));
        if (delivered != told.delivered.end() && delivered->second > window.begin) {
          EXPECT_EQ(run.delivered[id], delivered->second - window.start);
        }
        shown_others += own ? 0 : 1;
      }
    }
    EXPECT_EQ(shown_others > 0, experiment.traffic.has_value());
  }
}

INSTANTIATE_TEST_SUITE_P(Routers, ViewedRoundOf,
                         ::testing::Values(std::pair("wormhole", std::string()), std::pair("input_queued", pipelined)),
                         [](const auto& router) { return std::string(router.param.first); });

TEST(ViewedRound, IsTheSlowestUnlessAnotherIsAskedFor)
{
  const SeriesExperiment experiment = series_of("", traffic + rounds + "count = 2\n");
  const SeriesResult result = run_series(experiment);
  const auto slowest = std::ranges::max_element(result.broadcasts, {}, &SeriesBroadcast::latency);
  const RoundWindow window = round_window(experiment, result, {});
  EXPECT_EQ(window.round, slowest->round);
  EXPECT_EQ(window.start, slowest->start);
  EXPECT_EQ(window.end, slowest->start + slowest->latency);
  EXPECT_LT(window.begin, window.start);
  EXPECT_GE(window.start - window.begin, Time{0});
  EXPECT_LE((window.start - window.begin).picoseconds, 1'000'000) << "the pause";
  const RoundWindow first = round_window(experiment, result, 0);
  EXPECT_EQ(first.start, result.warm_up);
  EXPECT_THAT(ViewedRound(experiment, result, first).run(true).remark,
              HasSubstr(fmt::format("Round 0 of 0 to 4; times are from its beginning, {} us into the series",
                                    format_microseconds(result.warm_up))));
  EXPECT_NO_THROW(check_round(experiment, 4));
  EXPECT_THROW(check_round(experiment, 5), InputError);
  EXPECT_THROW(check_round(experiment, -1), InputError);
}

// Three broadcasts: each node must end with the blocks of all of them, and begins with those of its own.
TEST(ViewedRound, NodesFillWithTheBlocksOfAllItsBroadcasts)
{
  const SeriesExperiment experiment = series_of("", traffic + rounds + "count = 3\n");
  const SeriesResult result = run_series(experiment);
  const ViewedRound round(experiment, result, round_window(experiment, result, 1));
  const ViewedRun run = round.run(true);
  const std::uint64_t blocks = run.messages.operations().front()->blocks;
  EXPECT_EQ(run.messages.operations().size(), 3U);
  Moments moments(run);
  const Moment begin = moments.at(run.begin);
  const Moment end = moments.at(run.end);
  for (std::uint32_t node = 0; node < 16; ++node) {
    const auto sources = static_cast<std::uint64_t>(std::ranges::count_if(
        result.broadcasts, [&](const auto& one) { return one.round == 1 && index(one.source) == node; }));
    EXPECT_EQ(begin.held[node], sources * blocks);
    EXPECT_EQ(end.held[node], 3 * blocks);
    EXPECT_EQ(ViewedProgress(run.messages, 16).wanted(NodeId{node}), 3 * blocks);
  }
  EXPECT_EQ(moments.changes().front(), run.begin);
  EXPECT_EQ(moments.changes().back(), run.end);
  std::uint64_t in_steps = 0;
  for (const StepSpan& span : run.recorder.steps()) {
    in_steps += span.messages;
    EXPECT_GE(span.from, Time{});
    EXPECT_LE(span.to, run.end);
  }
  EXPECT_EQ(in_steps, 3U * 15U) << "no message of the load among them";
}

TEST(ViewedRound, KeepsTheBroadcastWhereTheLoadIsThinned)
{
  const SeriesExperiment experiment = series_of("", traffic + rounds);
  const SeriesResult result = run_series(experiment);
  const RoundWindow window = round_window(experiment, result, {});
  const ViewedRound all(experiment, result, window);
  const std::uint64_t others = all.run(false).recorder.drawn_others();
  ASSERT_GT(others, 15U);
  const ViewLimits limits{.messages = 20};
  const ViewedRound round(experiment, result, window, limits);
  const ViewedRun run = round.run(false);
  EXPECT_EQ(run.recorder.drawn_messages(), 15U);
  EXPECT_EQ(run.recorder.drawn_others(), 5U);
  EXPECT_THAT(view_notes(run, limits), ::testing::Contains(fmt::format(
                                           "5 of {} messages of the load are drawn as worms, evenly spaced.", others)));
}

} // namespace
} // namespace wormcast
