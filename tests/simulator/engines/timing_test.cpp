// Times that follow from the rules by hand.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wormcast {
namespace {

using testing::grid;
using ::testing::HasSubstr;
using testing::plain_schedule;
using ::testing::Property;
using testing::Send;
using testing::small_network;
using ::testing::ThrowsMessage;

class Timing : public ::testing::TestWithParam<EngineChoice> {
protected:
  std::vector<std::int64_t> deliveries(const TopologyDescription& description, const std::vector<Send>& sends,
                                       const NetworkParameters& network)
  {
    const auto topology = make_topology(description, network.routing);
    const Schedule schedule = plain_schedule(description, sends);
    const SimulationResult result = simulate_core(*topology, schedule, network, {.engine = GetParam()});
    std::vector<std::int64_t> times;
    for (const std::optional<Time>& time : result.delivered) {
      times.push_back(time ? time->picoseconds : -1);
    }
    return times;
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, Timing, ::testing::Values(EngineChoice::worm, EngineChoice::flit),
                         [](const auto& engine) { return engine.param == EngineChoice::worm ? "worm" : "flit"; });

// T_s + d*T_f + ceil(L/b)*tau on an empty network.
TEST_P(Timing, EmptyNetworkFollowsTheFormula)
{
  NetworkParameters network = small_network();
  network.flit_bytes = 4;
  const std::int64_t tau = 40;
  EXPECT_EQ(deliveries(grid("mesh", {8, 8}), {{0, 63, 10}}, network),
            std::vector<std::int64_t>{1000 + 14 * 5 + 3 * tau});
  EXPECT_EQ(deliveries(grid("torus", {8, 8}), {{0, 63, 10}}, network),
            std::vector<std::int64_t>{1000 + 2 * 5 + 3 * tau});
}

TEST_P(Timing, StoreAndForwardPaysTheWholeMessageOnEveryHop)
{
  NetworkParameters network = small_network();
  network.switching = Switching::store_and_forward;
  EXPECT_EQ(deliveries(grid("mesh", {8}), {{0, 1, 100}}, network), std::vector<std::int64_t>{1000 + 5 + 1000});
  EXPECT_EQ(deliveries(grid("mesh", {8}), {{0, 6, 100}}, network), std::vector<std::int64_t>{1000 + 6 * (5 + 1000)});
}

// The second message waits at its source until the tail of the first has left the injection channel's buffer.
TEST_P(Timing, OnePortSendsOneAfterTheOther)
{
  const NetworkParameters network = small_network();
  // Channel c_0 of the first is released at s_1(F-1) + tau = 1000 + 99*10 + 10 = 2000.
  EXPECT_EQ(deliveries(grid("mesh", {3, 3}), {{4, 5, 100}, {4, 3, 100}}, network),
            (std::vector<std::int64_t>{2005, 2000 + 1000 + 5 + 1000}));
}

TEST_P(Timing, TwoPortsAndAllPortsSendAtOnce)
{
  NetworkParameters network = small_network();
  network.ports.count = 2;
  EXPECT_EQ(deliveries(grid("mesh", {3, 3}), {{4, 5, 100}, {4, 3, 100}}, network),
            (std::vector<std::int64_t>{2005, 2005}));
  network.ports.count = PortModel::all;
  EXPECT_EQ(deliveries(grid("mesh", {3, 3}), {{4, 5, 100}, {4, 3, 100}, {4, 1, 100}, {4, 7, 100}}, network),
            (std::vector<std::int64_t>{2005, 2005, 2005, 2005}));
}

// Message 1 asks for 1->2 at 2007. Message 0 is on it from 1005 on; its tail is out of the buffer behind it at
// h_3 + F*tau = 2010, and it is delivered at h_4 + F*tau = 2015.
TEST_P(Timing, HoldDecidesWhenAChannelIsFree)
{
  NetworkParameters network = small_network();
  const std::vector<Send> sends = {{0, 3, 100, 0}, {1, 2, 100, 1007}};
  EXPECT_EQ(deliveries(grid("mesh", {4}), sends, network), (std::vector<std::int64_t>{2015, 2010 + 5 + 1000}));
  network.hold = Hold::path;
  EXPECT_EQ(deliveries(grid("mesh", {4}), sends, network), (std::vector<std::int64_t>{2015, 2015 + 5 + 1000}));
}

// Message 1 takes 1->2 at 1000 and gives it back at s_2(F-1) + tau = 1005 + 1000. Message 0, whose header is there at
// 1305, goes on at 2005; all its flits but the first B behind each channel still lie at their source.
TEST_P(Timing, ABlockedWormWaitsInPlace)
{
  const NetworkParameters network = small_network();
  EXPECT_EQ(deliveries(grid("mesh", {4}), {{0, 3, 100, 300}, {1, 2, 100, 0}}, network),
            (std::vector<std::int64_t>{2005 + 5 + 5 + 1000, 2005}));
}

// A buffer of two flits: message 0 is blocked behind message 1 on 2->3 from 310 after its start, so its own injection
// channel stays taken until its tail has moved on.
TEST_P(Timing, ABlockedWormKeepsItsPort)
{
  NetworkParameters network = small_network();
  // Message 1: 2->3 from 1000 to 1005 + 10000. Message 0: header at 2->3 at 1010, granted at 11005, ejection at 11010.
  // Its 5 flits: flit 4 leaves the buffer behind c_0 when it starts on c_1: after flit 4-B = 2 started on c_2, and so
  // on: s_1(4) = max(h_1+40, h_2+20, h_3+0) = h_3 = 11005; c_0 is free at 11015. Message 2 follows from node 0.
  EXPECT_EQ(deliveries(grid("mesh", {4}), {{0, 3, 5}, {2, 3, 1000}, {0, 1, 1}}, network),
            (std::vector<std::int64_t>{11010 + 50, 11005, 11015 + 1000 + 5 + 10}));
}

TEST_P(Timing, DependentMessageStartsAtTheDelivery)
{
  const NetworkParameters network = small_network();
  EXPECT_EQ(deliveries(grid("mesh", {4}), {{0, 1, 1}, {1, 2, 1, 0, {0}}}, network),
            (std::vector<std::int64_t>{1015, 1015 + 1015}));
}

TEST(TimingErrors, TimesThatPassTheLimitAreRefused)
{
  NetworkParameters network = small_network();
  network.per_byte = Time{1'000'000'000'000}; // a second a byte
  const auto description = grid("mesh", {2});
  const auto topology = make_topology(description);
  const auto run = [&](const std::vector<Send>& sends) {
    simulate_core(*topology, plain_schedule(description, sends), network, {});
  };
  EXPECT_THAT([&] { run({{0, 1, std::uint64_t{1} << 40}}); },
              ThrowsMessage<InputError>(HasSubstr("takes longer than")));
  const std::int64_t late = std::int64_t{1} << 61;
  EXPECT_THAT([&] { run({{0, 1, 2'000'000, late}, {1, 0, 2'000'000, 0, {0}}}); },
              ThrowsMessage<InputError>(HasSubstr("exceeds")));
}

TEST(TimingErrors, WormRefusesBuffersThatDoNotCoverTheHop)
{
  NetworkParameters network = small_network();
  network.per_hop = Time{21}; // B * tau = 20
  const auto description = grid("mesh", {4});
  const auto topology = make_topology(description);
  const Schedule schedule = plain_schedule(description, {{0, 3, 50}});
  EXPECT_THAT([&] { simulate_core(*topology, schedule, network, {.engine = EngineChoice::worm}); },
              ThrowsMessage<InputError>(HasSubstr("buffers do not cover the hop latency")));
  const SimulationResult result = simulate_core(*topology, schedule, network, {});
  EXPECT_EQ(result.engine, "flit");
  EXPECT_THAT(result.engine_reason, HasSubstr("20ps < per_hop = 21ps"));
}

} // namespace
} // namespace wormcast
