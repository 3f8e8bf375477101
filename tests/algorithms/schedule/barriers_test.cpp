// Barriers between the steps of schedules: their messages, what waits for them, and that steps do not overlap.

#include "tests/algorithms/collective/networks.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/schedule/barriers.hpp"
#include "wormcast/algorithms/verifier/operation_check.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::uint32_t> awaited_by(const Schedule& schedule, std::size_t message)
{
  std::vector<std::uint32_t> ids;
  for (const MessageId id : schedule.after[message]) {
    ids.push_back(index(id));
  }
  return ids;
}

// Nodes 0, 2 and 4: 0 sends to 2, then 0 to 4 while 2 does nothing.
TEST(BarriersBetweenSteps, AreAmongTheNodesThatTakePart)
{
  Schedule schedule;
  schedule.operation = Operation::broadcast;
  const BlockSetId all = schedule.block_sets.intern({0, 1});
  schedule.messages = {{.step = 1, .source = NodeId{0}, .destination = NodeId{4}, .blocks = all},
                       {.step = 0, .source = NodeId{0}, .destination = NodeId{2}, .blocks = all}};
  const Schedule with = with_barriers(schedule);
  ASSERT_EQ(with.messages.size(), 2U + 3 * 2);
  EXPECT_EQ(count_without_blocks(with), 6U);
  EXPECT_EQ(with.messages[0].step, 3U);
  EXPECT_EQ(with.messages[1].step, 0U);
  std::vector<std::vector<std::uint32_t>> barrier;
  for (std::size_t id = 2; id < with.messages.size(); ++id) {
    const Message& message = with.messages[id];
    barrier.push_back({message.step, index(message.source), index(message.destination)});
  }
  EXPECT_THAT(barrier, ElementsAre(ElementsAre(1, 0, 2), ElementsAre(1, 2, 4), ElementsAre(1, 4, 0),
                                   ElementsAre(2, 0, 4), ElementsAre(2, 2, 0), ElementsAre(2, 4, 2)));
  EXPECT_THAT(awaited_by(with, 0), ElementsAre(4, 6)); // to node 0 in both rounds
  EXPECT_THAT(awaited_by(with, 1), IsEmpty());
  EXPECT_THAT(awaited_by(with, 2), IsEmpty());
  EXPECT_THAT(awaited_by(with, 3), ElementsAre(1)); // 2 received the message of step 0
  EXPECT_THAT(awaited_by(with, 5), ElementsAre(4));
  EXPECT_THAT(awaited_by(with, 6), ElementsAre(1, 2));
  EXPECT_THAT(awaited_by(with, 7), ElementsAre(3));
}

TEST(BarriersBetweenSteps, AreNoneInOneStep)
{
  const auto topology = testing::mesh({2});
  const Schedule schedule = testing::schedule_for("broadcast", "binomial_tree", *topology);
  EXPECT_EQ(with_barriers(schedule).messages.size(), 1U);
  Schedule empty;
  EXPECT_THAT(with_barriers(empty).messages, IsEmpty());
}

TEST(BarriersBetweenSteps, AreRefusedWithoutSteps)
{
  Schedule list;
  list.operation = Operation::none;
  EXPECT_THAT(input_error([&] { with_barriers(list); }), HasSubstr("has no steps between which nodes"));
}

struct BarrierCase {
  std::string operation;
  std::string algorithm;
};

const std::vector<BarrierCase> barrier_cases = {{"broadcast", "recursion_based"}, {"broadcast", "recursive_doubling"},
                                                {"broadcast", "bfs_tree"},        {"all_reduce", "recursive_halving"},
                                                {"all_gather", "ring"},           {"barrier", "dissemination"}};

// No message of a step asks for its port before all of earlier steps are delivered, whatever holds nodes up.
RC_GTEST_PROP(BarriersBetweenSteps, KeepStepsApart, ())
{
  const BarrierCase one = *rc::gen::elementOf(barrier_cases);
  const auto topology = testing::mesh({4, 4});
  const Schedule schedule = testing::schedule_for(one.operation, one.algorithm, *topology);
  const Schedule with = with_barriers(schedule);
  RC_ASSERT(check_operation(*topology, with).done());
  NetworkParameters network;
  network.startup = Time{1000};
  network.per_byte = Time{10};
  network.per_hop = Time{5};
  network.ports.count = *rc::gen::element<std::uint32_t>(1, 2, PortModel::all);
  RunParameters run;
  run.mode = *rc::gen::element(Mode::self_timed, Mode::lockstep);
  run.start_jitter = Time{*rc::gen::inRange<std::int64_t>(0, 30'000)};
  run.seed = *rc::gen::arbitrary<std::uint32_t>();
  const std::uint32_t steps = step_count(with);
  std::vector<std::int64_t> first_asked(steps, std::numeric_limits<std::int64_t>::max());
  std::vector<std::int64_t> last_delivered(steps, 0);
  RecordSinks sinks;
  sinks.delivery = [&](const DeliveryRecord& record) {
    const std::uint32_t step = with.messages[index(record.message)].step;
    first_asked[step] = std::min(first_asked[step], record.ready.picoseconds);
    last_delivered[step] = std::max(last_delivered[step], record.delivered.picoseconds);
  };
  const SimulationResult result = simulate_core(*topology, with, network, run, sinks);
  RC_ASSERT(result.latency.has_value());
  const std::uint32_t spacing = 1 + std::bit_width(topology->host_count() - 1U);
  for (std::uint32_t step = spacing; step < steps; step += spacing) {
    RC_ASSERT(first_asked[step] >= last_delivered[step - spacing]);
  }
}

} // namespace
} // namespace wormcast
