#include "wormcast/simulator/network.hpp"
#include "wormcast/topologies/input_error.hpp"

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
