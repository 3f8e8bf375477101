#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wormcast {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

NetworkParameters read(const std::map<std::string, RawValue, std::less<>>& raw)
{
  return network_parameters(read_parameters(network_declarations(), raw));
}

TEST(NetworkParameters, DefaultsAreThoseOfTheModel)
{
  const NetworkParameters network = read({{"startup", "150us"}, {"per_byte", "0.5us"}});
  EXPECT_EQ(network.startup, Time{150'000'000});
  EXPECT_EQ(network.per_byte, Time{500'000});
  EXPECT_EQ(network.per_hop, Time{0});
  EXPECT_EQ(network.flit_bytes, 1U);
  EXPECT_EQ(network.buffer_flits, 2U);
  EXPECT_EQ(network.virtual_channels, 1U);
  EXPECT_EQ(network.ports.count, 1U);
  EXPECT_EQ(network.duplex, Duplex::full);
  EXPECT_EQ(network.switching, Switching::wormhole);
  EXPECT_EQ(network.hold, Hold::tail);
  EXPECT_EQ(network.routing.tie, "no_wrap");
}

TEST(NetworkParameters, EveryKeyIsRead)
{
  const NetworkParameters network = read({{"startup", "1us"},
                                          {"per_byte", "2ns"},
                                          {"per_hop", "3ns"},
                                          {"flit_bytes", std::int64_t{4}},
                                          {"buffer_flits", std::int64_t{5}},
                                          {"virtual_channels", std::int64_t{2}},
                                          {"ports", "all"},
                                          {"duplex", "half"},
                                          {"switching", "store_and_forward"},
                                          {"hold", "path"},
                                          {"routing", "dimension_order"},
                                          {"tie", "positive"}});
  EXPECT_EQ(network.per_hop, Time{3000});
  EXPECT_EQ(network.flit_time(), Time{8000});
  EXPECT_EQ(network.buffer_flits, 5U);
  EXPECT_EQ(network.virtual_channels, 2U);
  EXPECT_EQ(network.ports.count, PortModel::all);
  EXPECT_EQ(network.duplex, Duplex::half);
  EXPECT_EQ(network.switching, Switching::store_and_forward);
  EXPECT_EQ(network.hold, Hold::path);
  EXPECT_EQ(network.routing.routing, "dimension_order");
  EXPECT_EQ(network.routing.tie, "positive");
}

TEST(NetworkParameters, AutomaticBuffersCoverTheHopLatency)
{
  const std::map<std::string, RawValue, std::less<>> raw = {
      {"startup", "1us"}, {"per_byte", "10ns"}, {"per_hop", "105ns"}};
  const NetworkParameters network = read(raw);
  EXPECT_EQ(network.buffer_flits, 11U);
  EXPECT_TRUE(closed_form_holds(network));
  std::map<std::string, RawValue, std::less<>> wide = raw;
  wide["flit_bytes"] = std::int64_t{4};
  wide["buffer_flits"] = "auto";
  EXPECT_EQ(read(wide).buffer_flits, 3U); // 105 / 40
  wide["flit_bytes"] = std::int64_t{1000};
  EXPECT_EQ(read(wide).buffer_flits, 2U); // never less
  wide["buffer_flits"] = std::int64_t{1};
  EXPECT_EQ(read(wide).buffer_flits, 1U); // a number stays a number
}

TEST(NetworkParameters, AutomaticBuffersOfPipelinesCoverTheRoundTripOfACredit)
{
  const auto slots = [](const std::string& kind, std::int64_t link_delay, std::int64_t credit_delay) {
    std::map<std::string, RawValue, std::less<>> raw = {
        {"startup", "0ns"}, {"per_byte", "1ns"}, {"credit_delay", credit_delay}};
    if (link_delay > 0) {
      raw["link_delay"] = link_delay;
    }
    TopologyDescription description{kind, {}};
    description.parameters.set("dims", std::vector<std::int64_t>{4, 4});
    const auto topology = make_topology(description);
    const RouterModel& router = find_router("input_queued");
    NetworkParameters network = network_parameters(read_parameters(network_declarations(router), raw), router);
    resolve_for(network, *topology);
    return network.buffer_flits;
  };
  EXPECT_EQ(slots("mesh", 0, 0), 8U); // five cover it, and eight is BookSim2's default
  EXPECT_EQ(slots("torus", 0, 0), 8U);
  EXPECT_EQ(slots("mesh", 10, 0), 23U);
  EXPECT_EQ(slots("torus", 0, 6), 13U);
}

TEST(SlowChannels, SayTheRateThatAMessageReaches)
{
  NetworkParameters network;
  network.per_byte = Time{10};
  network.buffer_flits = 2;
  const auto rate = [&](std::int64_t per_hop) {
    network.per_hop = Time{per_hop};
    const std::string text = slow_channels(network);
    const std::size_t end = text.find(" % of a channel's rate");
    return end == std::string::npos ? text
                                    : text.substr(text.rfind(' ', end - 1) + 1, end - text.rfind(' ', end - 1) - 1);
  };
  EXPECT_EQ(rate(20), "");
  EXPECT_EQ(rate(21), "95");
  EXPECT_EQ(rate(200), "10");
  EXPECT_EQ(rate(3000), "0.67");
  EXPECT_EQ(rate(2'000'000), "0.001");
  EXPECT_THAT(slow_channels(network), HasSubstr("with buffer_flits = 200000 it reaches all of it"));
  network.switching = Switching::cut_through; // whole messages
  EXPECT_EQ(slow_channels(network), "");
}

TEST(NetworkParameters, AChannelNeedsTimeForAByte)
{
  EXPECT_THAT([] { read({{"startup", "1us"}, {"per_byte", "0us"}}); },
              ThrowsMessage<InputError>(HasSubstr("per_byte")));
}

TEST(NetworkParameters, FlitTimeThatOverflowsIsRefused)
{
  EXPECT_THAT([] { read({{"startup", "1us"}, {"per_byte", "1s"}, {"flit_bytes", std::int64_t{1} << 40}}); },
              ThrowsMessage<InputError>(HasSubstr("time of one flit")));
}

TEST(FlitCount, IsRoundedUpAndAtLeastTheHeader)
{
  NetworkParameters network;
  network.flit_bytes = 4;
  EXPECT_EQ(flit_count(network, 0), 1U);
  EXPECT_EQ(flit_count(network, 1), 1U);
  EXPECT_EQ(flit_count(network, 4), 1U);
  EXPECT_EQ(flit_count(network, 5), 2U);
  EXPECT_EQ(flit_count(network, std::uint64_t{1} << 62), std::uint64_t{1} << 60);
}

TEST(ClosedForm, NeedsBuffersThatCoverTheHopLatency)
{
  NetworkParameters network;
  network.per_byte = Time{10};
  network.buffer_flits = 2;
  network.per_hop = Time{20};
  EXPECT_TRUE(closed_form_holds(network));
  network.per_hop = Time{21};
  EXPECT_FALSE(closed_form_holds(network));
  network.switching = Switching::cut_through;
  EXPECT_TRUE(closed_form_holds(network));
}

} // namespace
} // namespace wormcast
