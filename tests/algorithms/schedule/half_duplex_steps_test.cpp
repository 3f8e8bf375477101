#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/half_duplex_steps.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace wormcast {
namespace {

std::shared_ptr<const Topology> mesh(std::vector<std::int64_t> dims)
{
  TopologyDescription description;
  description.kind = "mesh";
  description.parameters.set("dims", std::move(dims));
  return make_topology(description, {});
}

/// A message of these blocks in step 0.
void send(Schedule& schedule, std::uint32_t from, std::uint32_t to, BlockRange blocks)
{
  schedule.messages.push_back({0, NodeId{from}, NodeId{to}, schedule.block_sets.intern(blocks)});
}

Schedule multinode_broadcast(std::uint32_t nodes)
{
  Schedule schedule;
  schedule.operation = Operation::multinode_broadcast;
  schedule.blocks = nodes;
  return schedule;
}

std::vector<std::uint32_t> steps(const Schedule& schedule)
{
  std::vector<std::uint32_t> all;
  for (const Message& message : schedule.messages) {
    all.push_back(message.step);
  }
  return all;
}

TEST(HalfDuplexSteps, AnExchangeBecomesTwoSteps)
{
  Schedule exchange = multinode_broadcast(2);
  send(exchange, 0, 1, {0, 1});
  send(exchange, 1, 0, {1, 2});
  const Schedule divided = divided_for_half_duplex(exchange, 2);
  EXPECT_EQ(steps(divided), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_TRUE(check_schedule(*mesh({2}), divided).valid());
}

TEST(HalfDuplexSteps, ARingOfAnOddNumberOfNodesTakesThree)
{
  Schedule ring = multinode_broadcast(3);
  ring.message_bytes = 8;
  send(ring, 0, 1, {0, 1});
  send(ring, 1, 2, {1, 2});
  send(ring, 2, 0, {2, 3});
  EXPECT_EQ(steps(divided_for_half_duplex(ring, 3)), (std::vector<std::uint32_t>{2, 0, 1}));
}

TEST(HalfDuplexSteps, TheLargestMessagesGoTogether)
{
  Schedule paths = multinode_broadcast(6);
  send(paths, 0, 1, {0, 1}); // small, large
  send(paths, 1, 2, {0, 4});
  send(paths, 3, 4, {0, 4}); // large, small
  send(paths, 4, 5, {0, 1});
  const Schedule divided = divided_for_half_duplex(paths, 6);
  EXPECT_EQ(steps(divided), (std::vector<std::uint32_t>{1, 0, 0, 1}));
  EXPECT_EQ(schedule_costs(*mesh({6}), divided).beta_bytes, 5U) << "and not 4 + 4";
}

TEST(HalfDuplexSteps, NeedsAScheduleForOnePort)
{
  Schedule two = multinode_broadcast(3);
  send(two, 0, 1, {0, 1});
  send(two, 0, 2, {0, 1});
  EXPECT_THROW(divided_for_half_duplex(two, 3), InputError);
  two.operation = Operation::none;
  EXPECT_THROW(divided_for_half_duplex(two, 3), InputError);
}

/// Random broadcasts for one port keep one half-duplex port, do the same and have at most twice the costs.
RC_GTEST_PROP(HalfDuplexSteps, KeepOneHalfDuplexPort, ())
{
  const auto topology = mesh({std::int64_t{1} << *rc::gen::inRange(1, 4), std::int64_t{1} << *rc::gen::inRange(1, 4)});
  const std::string name =
      *rc::gen::element<std::string>("recursive_doubling", "scatter_collect", "recursion_based", "network_partitioning",
                                     "intercom", "two_trees", "line_pipeline", "binomial_tree");
  ScheduleRequest request;
  request.source = NodeId{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  request.message_bytes = 1 << 20;
  Schedule schedule;
  try {
    schedule = make_schedule(find_algorithm(name), *topology, request);
  } catch (const InputError&) {
    RC_DISCARD("not for this mesh");
  }
  const CheckReport full = check_schedule(*topology, schedule);
  RC_PRE(full.valid());
  const CheckReport half = check_schedule(*topology, divided_for_half_duplex(schedule, topology->node_count()));
  RC_ASSERT(half.valid());
  RC_ASSERT(half.contention_free == full.contention_free || half.contention_free);
  RC_ASSERT(half.costs.alpha <= 2 * full.costs.alpha); // all cycles are of even length
  RC_ASSERT(half.costs.beta <= 2 * full.costs.beta);
  RC_ASSERT(half.costs.tcd == full.costs.tcd);
}

} // namespace
} // namespace wormcast
