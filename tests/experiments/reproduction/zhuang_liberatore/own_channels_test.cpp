// The control of the study without synchronised steps: the same broadcasts where no two pairs of nodes share a channel.

#include "wormcast/experiments/reproduction/zhuang_liberatore/own_channels.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/subjects.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gtest/gtest.h>

#include <set>

namespace wormcast::zhuang_liberatore {
namespace {

constexpr Time five_microseconds{5'000'000};

/// An algorithm on an 8 x 8 mesh from (2, 5), on it and on channels of its own.
struct Pair {
  explicit Pair(const Subject& subject) : broadcast(subject.broadcast)
  {
    broadcast.source = {2, 5};
    mesh = topology_of(broadcast);
    schedule = schedule_of(broadcast, *mesh, 4096);
    own = with_own_channels(*mesh, schedule);
  }

  BroadcastCase broadcast;
  std::shared_ptr<const Topology> mesh;
  Schedule schedule;
  std::unique_ptr<Topology> own;
};

TEST(OwnChannels, AreAsLongAndSharedByNobody)
{
  for (const Subject& subject : subjects(3)) {
    const Pair pair(subject);
    std::set<std::pair<NodeId, NodeId>> ends;
    std::set<ChannelId> used;
    std::size_t hops = 0;
    for (const Message& message : pair.schedule.messages) {
      EXPECT_EQ(pair.own->distance(message.source, message.destination),
                pair.mesh->distance(message.source, message.destination));
      if (ends.insert({message.source, message.destination}).second) {
        std::vector<ChannelId> route;
        pair.own->append_route(message.source, message.destination, route);
        ASSERT_FALSE(route.empty());
        EXPECT_EQ(pair.own->channel_source(route.front()), message.source);
        EXPECT_EQ(pair.own->channel_target(route.back()), message.destination);
        used.insert(route.begin(), route.end());
        hops += route.size();
      }
    }
    EXPECT_EQ(used.size(), hops) << subject.title;
  }
}

TEST(OwnChannels, TakeAsLongWhereNothingIsShared)
{
  for (const Subject& subject : subjects(3)) {
    const Pair pair(subject);
    for (const Hold hold : {Hold::tail, Hold::path}) {
      const NetworkParameters network = network_with(pair.broadcast, {.hop = five_microseconds, .hold = hold});
      const SimulationResult on_mesh = simulate_core(*pair.mesh, pair.schedule, network, {});
      ASSERT_TRUE(on_mesh.contention.none());
      EXPECT_EQ(simulate_core(*pair.own, pair.schedule, network, {}).delivered, on_mesh.delivered) << subject.title;
    }
  }
}

TEST(OwnChannels, LeaveWaitsForPortsAlone)
{
  const Pair pair(subjects(3)[2]);
  ASSERT_EQ(pair.broadcast.algorithm, "recursion_based");
  const NetworkParameters network = network_with(pair.broadcast, {.hop = five_microseconds});
  int shared = 0;
  std::uint64_t for_ports = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RunParameters run{.mode = Mode::self_timed, .seed = seed, .start_jitter = 1000 * five_microseconds};
    const SimulationResult mesh = simulate_core(*pair.mesh, pair.schedule, network, run);
    const SimulationResult own = simulate_core(*pair.own, pair.schedule, network, run);
    EXPECT_EQ(own.contention[ContentionKind::depth].count + own.contention[ContentionKind::step].count, 0U);
    for_ports += own.contention[ContentionKind::port].count;
    if (mesh.contention[ContentionKind::depth].count > 0) {
      ++shared;
    } else {
      EXPECT_EQ(own.delivered, mesh.delivered) << "seed " << seed;
    }
  }
  EXPECT_GT(shared, 0);
  EXPECT_LT(shared, 20);
  EXPECT_GT(for_ports, 0U);
}

} // namespace
} // namespace wormcast::zhuang_liberatore
