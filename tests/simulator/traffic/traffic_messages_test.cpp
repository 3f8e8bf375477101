// The messages of traffic as a list.

#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/simulator/traffic/traffic_messages.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

namespace wormcast {
namespace {

struct Case {
  NetworkParameters network;
  Arrival arrival = Arrival::poisson;
};

std::vector<Case> cases()
{
  NetworkParameters wormhole = testing::plain_network();
  wormhole.startup = Time{50'000};
  wormhole.per_hop = Time{2'000};
  NetworkParameters with_channels = wormhole;
  with_channels.virtual_channels = 2;
  with_channels.buffer_flits = 4;
  return {{wormhole, Arrival::poisson},
          {with_channels, Arrival::periodic},
          {testing::booksim_network(2, true, false), Arrival::bernoulli}};
}

// Deliveries before the end of the list do not know of messages after it.
TEST(TrafficMessages, ArriveAsThoseOfTheTraffic)
{
  const auto mesh = testing::grid_of("mesh", {4, 4});
  constexpr Time until{3'000'000};
  for (const auto& [network, arrival] : cases()) {
    const TrafficParameters traffic = testing::traffic_of("uniform", 20, arrival);
    RunParameters run = testing::seeded(7);
    run.tie_break = TieBreak::seeded;
    run.noise = Noise::exponential(0.3);
    const Schedule list = traffic_messages(*mesh, network, traffic, 0.2, run, until);
    const SimulationResult result = simulate_core(*mesh, list, network, run);
    ASSERT_FALSE(result.deadlock);

    NetworkParameters suited = network;
    resolve_for(suited, *mesh);
    const TrafficClasses classes(*mesh, traffic, run.seed);
    std::size_t created = 0;
    TrafficSource source(*mesh, suited, traffic, classes, 0.2, run,
                         {.created = [&](const TrafficMessage& message, MessageId id) {
                           if (message.created < until.picoseconds) {
                             ASSERT_EQ(index(id), created++);
                             EXPECT_EQ(list.messages[index(id)].source, message.source);
                             EXPECT_EQ(list.messages[index(id)].destination, message.destination);
                             EXPECT_EQ(list.plain[index(id)].start, Time{message.created});
                           }
                         }});
    const RecordSinks no_sinks;
    const auto engine = make_engine(engine_for_online_messages(suited, run.engine), {*mesh, suited, no_sinks, source});
    std::size_t delivered = 0;
    for (auto arrived = engine->advance(until.picoseconds); !arrived.empty();
         arrived = engine->advance(until.picoseconds)) {
      for (const Delivery& delivery : arrived) {
        EXPECT_EQ(result.delivered[index(delivery.message)], Time{engine->now()});
        ++delivered;
      }
    }
    EXPECT_EQ(created, list.messages.size());
    EXPECT_GT(delivered, 200U);
  }
}

TEST(TrafficMessages, HaveNoneToTheirOwnSender)
{
  const auto mesh = testing::grid_of("mesh", {4, 4});
  TrafficParameters traffic = testing::traffic_of("uniform", 20);
  traffic.include_self = true;
  EXPECT_THROW(traffic_messages(*mesh, testing::plain_network(), traffic, 0.1, {}, Time{1'000'000}), InputError);
}

} // namespace
} // namespace wormcast
