// Requests and replies in a closed loop.

#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"
#include "wormcast/simulator/traffic/requests.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

namespace wormcast {
namespace {

using testing::grid_of;

Schedule requests_on(const Topology& topology, const RequestParameters& parameters, std::uint64_t seed = 1)
{
  Schedule schedule = request_messages(topology, parameters, seed);
  schedule.topology = topology.description();
  return schedule;
}

RequestParameters parameters_of(const char* pattern, std::uint64_t requests, std::uint64_t outstanding)
{
  RequestParameters parameters;
  parameters.destinations.pattern = pattern;
  parameters.requests = requests;
  parameters.outstanding = outstanding;
  parameters.bytes = 10;
  return parameters;
}

// Two nodes that ask each other. A request takes 1.01 us, the answer 5 us to compute and 1.03 us to go back.
TEST(ClosedLoop, TakeWhatTheirMessagesAndNodesTake)
{
  const auto line = grid_of("mesh", {2});
  NetworkParameters network = testing::plain_network();
  network.startup = Time{1'000'000};
  RequestParameters parameters = parameters_of("neighbour", 3, 1);
  parameters.reply_bytes = 30;
  parameters.service = Time{5'000'000};
  parameters.think = Time{2'000'000};
  const Schedule schedule = requests_on(*line, parameters);
  ASSERT_EQ(schedule.messages.size(), 12U);
  const SimulationResult result = simulate_core(*line, schedule, network, {});
  const std::vector<std::int64_t> starts(2, 0);
  const auto trips = round_trips(parameters, schedule, result, starts);
  ASSERT_TRUE(trips);
  EXPECT_EQ(trips->count, 6U);
  EXPECT_EQ(trips->mean, 7'040'000);
  EXPECT_EQ(trips->median, Time{7'040'000});
  EXPECT_EQ(trips->largest, Time{7'040'000});
  EXPECT_EQ(result.latency, Time{std::int64_t{3} * (7'040'000 + 2'000'000)});
}

TEST(ClosedLoop, WithoutRepliesWaitForTheirOwnArrival)
{
  const auto line = grid_of("mesh", {2});
  NetworkParameters network = testing::plain_network();
  network.startup = Time{1'000'000};
  const RequestParameters parameters = parameters_of("neighbour", 4, 2);
  const Schedule schedule = requests_on(*line, parameters);
  ASSERT_EQ(schedule.messages.size(), 8U);
  const SimulationResult result = simulate_core(*line, schedule, network, {});
  // The port sends one after the other: the second one of a node is delivered at 2.02 us, and so on
  EXPECT_EQ(result.latency, Time{std::int64_t{4} * 1'010'000});
  const auto trips = round_trips(parameters, schedule, result, std::vector<std::int64_t>(2, 0));
  ASSERT_TRUE(trips);
  EXPECT_EQ(trips->largest, Time{2'020'000});
  EXPECT_EQ(trips->mean, (1'010'000 + 3 * 2'020'000) / 4.0);
}

TEST(ClosedLoop, OfAllNodesGoOutInTurn)
{
  const auto mesh = grid_of("mesh", {3, 3});
  RequestParameters parameters = parameters_of("transpose", 2, 5);
  parameters.reply_bytes = 7;
  const Schedule schedule = requests_on(*mesh, parameters);
  // The diagonal is silent
  ASSERT_EQ(schedule.messages.size(), 2U * 6 * 2);
  std::vector<std::uint32_t> sources;
  for (std::size_t id = 0; id < schedule.messages.size(); id += 2) {
    EXPECT_TRUE(schedule.after[id].empty());
    EXPECT_THAT(schedule.after[id + 1], ::testing::ElementsAre(MessageId{static_cast<std::uint32_t>(id)}));
    EXPECT_EQ(schedule.messages[id].source, schedule.messages[id + 1].destination);
    EXPECT_EQ(schedule.messages[id].destination, schedule.messages[id + 1].source);
    EXPECT_EQ(schedule.plain[id].bytes, 10U);
    EXPECT_EQ(schedule.plain[id + 1].bytes, 7U);
    sources.push_back(index(schedule.messages[id].source));
  }
  EXPECT_THAT(sources, ::testing::ElementsAre(1, 2, 3, 5, 6, 7, 1, 2, 3, 5, 6, 7));
}

// What is drawn for a node depends on the seed alone.
TEST(ClosedLoop, GoToTheSameNodesWhateverIsOutstanding)
{
  const auto mesh = grid_of("mesh", {4, 4});
  const Schedule one = requests_on(*mesh, parameters_of("uniform", 20, 1), 3);
  const Schedule many = requests_on(*mesh, parameters_of("uniform", 20, 7), 3);
  const Schedule other = requests_on(*mesh, parameters_of("uniform", 20, 1), 4);
  const auto same = [](const Schedule& left, const Schedule& right) {
    return std::ranges::equal(left.messages, right.messages, {}, &Message::destination, &Message::destination);
  };
  EXPECT_TRUE(same(one, many));
  EXPECT_FALSE(same(one, other));
}

TEST(ClosedLoop, RefuseWhatDoesNotFit)
{
  ParameterValues values;
  values.set("requests", std::int64_t{1});
  values.set("outstanding", std::int64_t{1});
  values.set("service", Time{5});
  values.set("think", Time{});
  values.set("pattern", std::string("uniform"));
  EXPECT_THROW(request_parameters(values), InputError);
  values.set("reply_bytes", std::int64_t{8});
  EXPECT_EQ(request_parameters(values).service, Time{5});
  values.set("hot_spot.share", 0.5);
  EXPECT_THROW(request_parameters(values), InputError);
  const auto mesh = grid_of("mesh", {64, 64});
  EXPECT_THROW(request_messages(*mesh, parameters_of("uniform", 1'000'000'000, 1), 1), InputError);
}

// However the network delays them: from its node's start on each context has a request under way, one after the other,
// until it has none left.
RC_GTEST_PROP(RandomClosedLoops, AreOneAfterTheOtherInEachContext, ())
{
  const auto mesh = grid_of("mesh", {*rc::gen::element(2, 3, 4), *rc::gen::element(2, 3)});
  NetworkParameters network = testing::plain_network();
  network.startup = *rc::gen::element(Time{0}, Time{5'000});
  network.virtual_channels = *rc::gen::element(1U, 2U);
  RunParameters run;
  run.start_jitter = *rc::gen::element(Time{0}, Time{100'000});
  run.seed = *rc::gen::element<std::uint64_t>(1, 2, 3);
  RequestParameters parameters =
      parameters_of(*rc::gen::element("uniform", "neighbour"), *rc::gen::element<std::uint64_t>(1, 3, 10),
                    *rc::gen::element<std::uint64_t>(1, 2, 4, 20));
  if (*rc::gen::arbitrary<bool>()) {
    parameters.reply_bytes = *rc::gen::element<std::uint64_t>(1, 40);
    parameters.service = *rc::gen::element(Time{0}, Time{20'000});
  }
  const Schedule schedule = requests_on(*mesh, parameters, run.seed);
  const SimulationResult result = simulate_core(*mesh, schedule, network, run);
  RC_ASSERT(!result.deadlock);
  const std::vector<std::int64_t> starts = start_delays(*mesh, network, run);
  const std::size_t stride = parameters.reply_bytes ? 2 : 1;
  const std::uint64_t contexts = std::min(parameters.outstanding, parameters.requests);
  std::map<NodeId, std::vector<std::int64_t>> answers; // of the requests of a node, in their order
  std::vector<std::int64_t> trips;
  for (std::size_t id = 0; id < schedule.messages.size(); id += stride) {
    const NodeId from = schedule.messages[id].source;
    std::vector<std::int64_t>& of_node = answers[from];
    const std::int64_t ready = of_node.size() < contexts ? starts[index(from)] : of_node[of_node.size() - contexts];
    const std::int64_t answered = result.delivered[id + stride - 1]->picoseconds;
    RC_ASSERT(answered > ready);
    of_node.push_back(answered);
    trips.push_back(answered - ready);
  }
  for (const auto& [node, of_node] : answers) {
    RC_ASSERT(of_node.size() == parameters.requests);
  }
  const auto summary = round_trips(parameters, schedule, result, starts);
  RC_ASSERT(summary.has_value());
  RC_ASSERT(summary->count == trips.size());
  RC_ASSERT(summary->largest.picoseconds == std::ranges::max(trips));
  const double sum = std::accumulate(trips.begin(), trips.end(), 0.0);
  RC_ASSERT(std::abs(summary->mean * static_cast<double>(trips.size()) - sum) <= 1e-9 * sum);
  const auto within = [&](Time time) {
    return std::ranges::count_if(trips, [&](std::int64_t trip) { return trip <= time.picoseconds; });
  };
  const auto shorter = [&](Time time) {
    return std::ranges::count_if(trips, [&](std::int64_t trip) { return trip < time.picoseconds; });
  };
  const auto count = static_cast<std::int64_t>(trips.size());
  RC_ASSERT(2 * within(summary->median) >= count);
  RC_ASSERT(2 * shorter(summary->median) < count);
  RC_ASSERT(100 * within(summary->percentile_95) >= 95 * count);
  RC_ASSERT(100 * shorter(summary->percentile_95) < 95 * count);
  RC_ASSERT(100 * within(summary->percentile_99) >= 99 * count);
  RC_ASSERT(100 * shorter(summary->percentile_99) < 99 * count);
}

} // namespace
} // namespace wormcast
