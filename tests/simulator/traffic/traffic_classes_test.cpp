#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/traffic/router_work.hpp"
#include "wormcast/simulator/traffic/traffic_classes.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>
#include <vector>

namespace wormcast {
namespace {

using testing::class_of;
using testing::grid_of;
using testing::plain_network;
using testing::traffic_of;

// All nodes of 4 x 4 send uniform traffic, 12 of them transpose.
TrafficParameters two_classes()
{
  TrafficParameters traffic;
  traffic.classes = {class_of(traffic_of("transpose", 20), 1), class_of(traffic_of("uniform", 8), 3)};
  return traffic;
}

TEST(TrafficClasses, SharesTheLoadByWeight)
{
  const auto mesh = grid_of("mesh", {4, 4});
  const TrafficClasses classes(*mesh, two_classes(), 1);
  EXPECT_EQ(classes.sender_count(), 16U);
  EXPECT_DOUBLE_EQ(classes.part_of(NodeId{0}), 0.75); // (0, 0) is its own transpose
  EXPECT_DOUBLE_EQ(classes.part_of(NodeId{1}), 1);
  EXPECT_DOUBLE_EQ(classes.parts(), 12 * 0.25 + 16 * 0.75);
  EXPECT_DOUBLE_EQ(full_load_bytes(plain_network(), classes, 1000), 15);
  EXPECT_DOUBLE_EQ(full_load_bytes(plain_network(), classes.all()[0], 1000), 12);
  const double transposed = 12 * 0.25 / 20; // messages
  const double uniform = 16 * 0.75 / 8;
  EXPECT_DOUBLE_EQ(classes.all()[0].message_share, transposed / (transposed + uniform));
  EXPECT_DOUBLE_EQ(classes.all()[1].message_share, uniform / (transposed + uniform));
}

TEST(TrafficClasses, HaveTheSourcesAndLoadsOfTheirWeights)
{
  const auto mesh = grid_of("mesh", {4, 4});
  const NetworkParameters network = plain_network();
  for (const Arrival arrival : {Arrival::poisson, Arrival::bernoulli, Arrival::periodic}) {
    TrafficParameters traffic = two_classes();
    for (TrafficClass& one : traffic.classes) {
      one.arrival = arrival;
    }
    const TrafficClasses classes(*mesh, traffic, 1);
    constexpr std::int64_t end = 4'000'000'000;
    std::vector<double> bytes(2);
    TrafficSource source(*mesh, network, traffic, classes, 0.4, testing::seeded(3), {});
    std::vector<NewMessage> messages;
    std::map<std::uint32_t, std::vector<std::int64_t>> times; // by class, of node 1
    while (source.next_time() < end) {
      const std::int64_t now = source.next_time();
      messages.clear();
      source.pop(now, messages);
      for (const NewMessage& message : messages) {
        const std::uint32_t of = message.flits == 20 ? 0 : 1; // flits of one byte
        bytes[of] += static_cast<double>(message.flits);
        if (message.source == NodeId{1}) {
          times[of].push_back(now);
        }
      }
    }
    EXPECT_NEAR(bytes[0] / (12 * 0.25 * 0.4 * (end / 1000)), 1, 0.03);
    EXPECT_NEAR(bytes[1] / (16 * 0.75 * 0.4 * (end / 1000)), 1, 0.03);
    EXPECT_NE(times[0], times[1]);
  }
}

// What a class sends does not depend on the others, and no two have the same random numbers.
TEST(TrafficClasses, HaveRandomNumbersOfTheirOwn)
{
  const auto mesh = grid_of("mesh", {4, 4});
  const auto first_times = [&](const std::vector<TrafficClass>& given) {
    TrafficParameters traffic;
    traffic.classes = given;
    const TrafficClasses classes(*mesh, traffic, 1);
    TrafficSource source(*mesh, plain_network(), traffic, classes, 0.01 * static_cast<double>(given.size()),
                         testing::seeded(1), {});
    std::set<std::int64_t> times;
    std::vector<NewMessage> messages;
    while (times.size() < 200) {
      times.insert(source.next_time());
      source.pop(source.next_time(), messages);
    }
    return times;
  };
  const TrafficClass one = class_of(traffic_of("uniform", 8), 1);
  const std::set<std::int64_t> alone = first_times({one});
  const std::set<std::int64_t> both = first_times({one, one});
  std::size_t found = 0;
  for (const std::int64_t time : alone) {
    found += time <= *both.rbegin() && both.contains(time) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(found), 100, 20); // the first class sends half of the 200 messages of both
}

TEST(TrafficClasses, LimitTheLoadByTheirOwnGaps)
{
  TrafficParameters traffic = two_classes();
  EXPECT_EQ(largest_load(plain_network(), traffic), std::numeric_limits<double>::infinity());
  traffic.classes[1].arrival = Arrival::bernoulli;
  EXPECT_DOUBLE_EQ(largest_load(plain_network(), traffic), 8 / 0.75);
}

// A line with only neighbours in one class, and a transposition that nobody sends over the middle.
TEST(TrafficClasses, MakeWorkByTheirWeights)
{
  const auto line = grid_of("mesh", {4});
  TrafficParameters traffic;
  traffic.classes = {class_of(traffic_of("neighbour", 1), 1), class_of(traffic_of("bit_complement", 1), 1)};
  const TrafficClasses classes(*line, traffic, 1);
  const std::vector<std::uint32_t> work = router_work(*line, classes, 1);
  // Neighbours: 16, 24, 24, 16; complements 0 <-> 3 and 1 <-> 2: 16, 32, 32, 16; 32 of 64 each.
  EXPECT_EQ(work, (std::vector<std::uint32_t>{32 * 32, 32 * 56, 32 * 56, 32 * 32}));
}

} // namespace
} // namespace wormcast
