// Multicasts that are made of broadcasts.

#include "tests/algorithms/collective/networks.hpp"
#include "wormcast/algorithms/collective/pruning.hpp"
#include "wormcast/algorithms/verifier/operation_check.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace wormcast {
namespace {

using testing::mesh;
using testing::torus;

std::vector<const Algorithm*> broadcasts()
{
  std::vector<const Algorithm*> found;
  for (const Algorithm& algorithm : algorithms()) {
    const std::vector<Operation> served = served_operations(algorithm);
    if (algorithm.operation != Operation::multicast && std::ranges::count(served, Operation::multicast) > 0) {
      found.push_back(&algorithm);
    }
  }
  return found;
}

ScheduleRequest request_from(std::uint32_t source)
{
  ScheduleRequest request;
  request.source = NodeId{source};
  request.message_bytes = 4096;
  request.ports.count = PortModel::all;
  request.costs = MessageCosts{Time{10'000}, Time{100}, Time{0}};
  return request;
}

ScheduleRequest multicast_of(ScheduleRequest request, const std::vector<std::int64_t>& destinations)
{
  request.parameters.set("operation", std::string("multicast"));
  request.parameters.set("destinations", destinations);
  return request;
}

// Right, and nothing is left that is not needed.
RC_GTEST_PROP(Pruning, ServesAnyDestinationsWithNoMessageTooMany, ())
{
  const std::vector<const Algorithm*> all = broadcasts();
  const Algorithm& algorithm = **rc::gen::elementOf(all);
  const auto topology = *rc::gen::element(0, 1) == 0 ? mesh({4, 4}) : torus({4, 4});
  const auto source = *rc::gen::inRange<std::uint32_t>(0, 16);
  std::vector<std::int64_t> destinations;
  for (std::int64_t node = 0; node < 16; ++node) {
    if (node != source && *rc::gen::inRange(0, 3) == 0) {
      destinations.push_back(node);
    }
  }
  RC_PRE(!destinations.empty());
  Schedule schedule;
  try {
    schedule = make_schedule(algorithm, *topology, multicast_of(request_from(source), destinations));
  } catch (const InputError&) { // not for this topology
    RC_DISCARD("");
  }
  RC_ASSERT(schedule.operation == Operation::multicast);
  RC_ASSERT(check_operation(*topology, schedule).done());
  for (std::size_t id = 0; id < schedule.messages.size(); ++id) {
    Schedule less = schedule;
    less.messages.erase(less.messages.begin() + static_cast<std::ptrdiff_t>(id));
    RC_ASSERT(!check_operation(*topology, less).done());
  }
  const Schedule broadcast = make_schedule(algorithm, *topology, broadcast_to_prune(request_from(source)));
  RC_ASSERT(schedule.messages.size() <= broadcast.messages.size());
  RC_ASSERT(step_count(schedule) <= step_count(broadcast));
  const ScheduleCosts costs = schedule_costs(*topology, schedule);
  const ScheduleCosts all_costs = schedule_costs(*topology, broadcast);
  RC_ASSERT(costs.alpha <= all_costs.alpha);
  RC_ASSERT(costs.beta <= all_costs.beta);
}

TEST(Pruning, ToAllNodesKeepsTheBroadcast)
{
  const auto topology = mesh({4, 8});
  std::vector<std::int64_t> others(31);
  std::iota(others.begin(), others.end(), 1);
  for (const std::string name : {"recursive_doubling", "binomial_tree", "line_pipeline"}) {
    const Algorithm& algorithm = find_algorithm(name);
    const Schedule broadcast = make_schedule(algorithm, *topology, request_from(0));
    const Schedule multicast = make_schedule(algorithm, *topology, multicast_of(request_from(0), others));
    EXPECT_EQ(multicast.messages.size(), broadcast.messages.size()) << name;
    EXPECT_EQ(step_count(multicast), step_count(broadcast)) << name;
  }
}

// A chain to the third node of a line stops there, and its steps are numbered without gaps.
TEST(Pruning, LeavesOutWhatLeadsNowhere)
{
  const auto topology = mesh({8});
  const Schedule schedule =
      make_schedule(find_algorithm("recursive_doubling"), *topology, multicast_of(request_from(0), {1}));
  ASSERT_EQ(schedule.messages.size(), 1U);
  EXPECT_EQ(schedule.messages[0].step, 0U);
  EXPECT_EQ(schedule.messages[0].destination, NodeId{1});
  EXPECT_EQ(schedule.destinations, (std::vector<NodeId>{NodeId{1}}));
}

std::string refused(const ScheduleRequest& request)
{
  try {
    make_schedule(find_algorithm("recursive_doubling"), *mesh({8}), request);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Pruning, NeedsDestinationsThatAre)
{
  ScheduleRequest without = request_from(0);
  without.parameters.set("operation", std::string("multicast"));
  EXPECT_THAT(refused(without), ::testing::HasSubstr("algorithm.destinations: missing, expected the ids"));
  EXPECT_THAT(refused(multicast_of(request_from(0), {})), ::testing::HasSubstr("at least one destination"));
  EXPECT_THAT(refused(multicast_of(request_from(0), {0, 3})), ::testing::HasSubstr("algorithm.destinations: "));
  EXPECT_THAT(refused(multicast_of(request_from(0), {8})), ::testing::HasSubstr("algorithm.destinations: "));
  ScheduleRequest of_a_broadcast = request_from(0);
  of_a_broadcast.parameters.set("destinations", std::vector<std::int64_t>{3});
  EXPECT_THAT(refused(of_a_broadcast), ::testing::HasSubstr("found destinations of a broadcast, expected"));
}

} // namespace
} // namespace wormcast
