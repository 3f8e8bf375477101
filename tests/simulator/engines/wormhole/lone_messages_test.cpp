// Messages that meet no other one: engine `worm` knows their delivery at once, unless somebody asks what it occupied.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/simulator/engines/random_traffic.hpp"
#include "wormcast/simulator/engines/wormhole/lone_messages.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <span>
#include <vector>

namespace wormcast {
namespace {

RC_GTEST_PROP(LoneMessages, TakeTheTimeThatTheyTakeFromChannelToChannel, ())
{
  const TopologyDescription description = testing::random_grid();
  NetworkParameters network = testing::random_network();
  network.virtual_channels = *rc::gen::element<std::uint32_t>(1, 1, 2, 4);
  if (*rc::gen::inRange(0, 3) == 0) { // buffers that do not cover a hop
    network.per_hop = *rc::gen::inRange(2, 30) * network.flit_time();
  }
  const auto topology = make_topology(description, network.routing);
  if (*rc::gen::arbitrary<bool>()) {
    network.link_per_hop = *rc::gen::container<std::vector<Time>>(
        topology->link_classes().size(),
        rc::gen::map(rc::gen::inRange<std::int64_t>(0, 9), [](std::int64_t picoseconds) { return Time{picoseconds}; }));
  }
  const Schedule schedule = testing::random_steps(description, topology->node_count());
  const RunParameters run{.seed = *rc::gen::arbitrary<std::uint64_t>(),
                          .tie_break = *rc::gen::element(TieBreak::id, TieBreak::seeded),
                          .start_jitter = Time{*rc::gen::element(0, 0, 50)}};
  RecordSinks occupancies;
  std::vector<std::uint32_t> users(schedule.messages.size());
  occupancies.occupancy = [&](const OccupancyRecord& record) { ++users[index(record.message)]; };
  std::vector<DeliveryRecord> expected;
  occupancies.delivery = [&](const DeliveryRecord& record) { expected.push_back(record); };
  const SimulationResult by_channels = simulate_fastest(*topology, schedule, network, run, occupancies);
  std::vector<DeliveryRecord> found;
  std::vector<ContentionRecord> waits;
  RecordSinks sinks;
  sinks.delivery = [&](const DeliveryRecord& record) { found.push_back(record); };
  const SimulationResult result = simulate_fastest(*topology, schedule, network, run, sinks);
  RC_CLASSIFY(result.engine == "worm", "worm");
  RC_CLASSIFY(result.contention != ContentionTotals{}, "contention");
  RC_ASSERT(result.engine == by_channels.engine);
  RC_ASSERT(result.delivered == by_channels.delivered);
  RC_ASSERT(result.latency == by_channels.latency);
  RC_ASSERT(result.contention == by_channels.contention);
  RC_ASSERT(result.header_hops == by_channels.header_hops);
  RC_ASSERT(result.deadlock.has_value() == by_channels.deadlock.has_value());
  RC_ASSERT(found == expected);
}

NewMessage message_between(std::uint32_t source, std::uint32_t destination)
{
  NewMessage made;
  made.source = NodeId{source};
  made.destination = NodeId{destination};
  return made;
}

class LoneMessagesOnALine : public ::testing::Test {
protected:
  LoneMessagesOnALine() { resolve_for(network, *topology); }

  std::span<const LoneMessages::Way> find(const std::vector<NewMessage>& batch)
  {
    return lone.find(batch, routes, arbiter, times);
  }
  std::vector<bool> alone(const std::vector<NewMessage>& batch)
  {
    std::vector<bool> found;
    for (const LoneMessages::Way& way : find(batch)) {
      found.push_back(way.alone);
    }
    return found;
  }
  // How many of the batches are searched, each the same.
  int searched(int batches, const std::vector<NewMessage>& batch)
  {
    int count = 0;
    for (int i = 0; i < batches; ++i) {
      if (lone.is_worthwhile()) {
        ++count;
        find(batch);
      }
    }
    return count;
  }

  std::unique_ptr<Topology> topology = make_topology(testing::grid("mesh", {8}));
  NetworkParameters network = testing::small_network();
  RecordSinks sinks;
  Arbiter arbiter{*topology, network, sinks};
  ChannelTimes times{network, *topology};
  RouteTable routes{*topology, network};
  LoneMessages lone{topology->channel_count()};
};

// The first two share the channel from node 1, the third a port with the second, the fourth nothing.
TEST_F(LoneMessagesOnALine, ShareNoChannelAndNoPort)
{
  EXPECT_EQ(alone({message_between(0, 2), message_between(1, 3), message_between(4, 3), message_between(5, 7)}),
            (std::vector<bool>{false, false, false, true}));
  const LoneMessages::Way way = find({message_between(5, 7)}).front();
  EXPECT_EQ(way.hops, 2U);
  EXPECT_EQ(way.crossing, 10);
  // Both ways of a link, and what an earlier batch used.
  EXPECT_EQ(alone({message_between(0, 2), message_between(3, 1)}), (std::vector<bool>{true, true}));
  EXPECT_EQ(alone({message_between(1, 3)}), (std::vector<bool>{true}));
}

// Where most messages meet others, most batches are not searched.
TEST_F(LoneMessagesOnALine, AreSearchedWhereTheyAreMany)
{
  EXPECT_EQ(searched(80, {message_between(0, 2), message_between(1, 3)}), 10);
  EXPECT_EQ(searched(80, {message_between(0, 2)}), 80);
}

} // namespace
} // namespace wormcast
