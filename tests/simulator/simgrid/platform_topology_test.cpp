// SimGrid platforms as topologies: routes, classes of links, runs, and what is wrong with bad files.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/topologies/sample_topologies.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"
#include "wormcast/simulator/simgrid/platform_routes.hpp"
#include "wormcast/simulator/simgrid/platform_topology.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::grid;
using ::testing::HasSubstr;
using testing::plain_schedule;
using testing::small_network;

class PlatformFile : public ::testing::Test {
protected:
  PlatformFile()
  {
    std::string name = (std::filesystem::temp_directory_path() / "wormcast-platform-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    register_platform_topology();
  }
  ~PlatformFile() override { std::filesystem::remove_all(folder_); }

  TopologyDescription description(const std::string& platform) const
  {
    const std::filesystem::path file = folder_ / "platform.xml";
    std::ofstream(file) << "<?xml version=\"1.0\"?>\n"
                           "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                           "<platform version=\"4.1\">\n"
                        << platform << "\n</platform>\n";
    TopologyDescription described{"simgrid", {}};
    described.parameters.set("file", file.string());
    described.parameters.set("shared_links", std::string("one_channel"));
    return described;
  }

  std::unique_ptr<Topology> topology(const std::string& platform) const { return make_topology(description(platform)); }

  std::unique_ptr<Topology> with_two_channels(const std::string& platform) const
  {
    TopologyDescription described = description(platform);
    described.parameters.set("shared_links", std::string("two_channels"));
    return make_topology(described);
  }

  std::string error(const std::string& platform) const
  {
    return input_error([&] { topology(platform); });
  }

  std::filesystem::path folder_;
};

/// Hosts n0, n1, ...; 1.25 GB/s are 800 ps a byte.
std::string cluster(std::uint32_t hosts, const std::string& attributes)
{
  return fmt::format("<cluster id=\"c\" prefix=\"n\" radical=\"0-{}\" suffix=\"\" speed=\"1Gf\" bw=\"1.25GBps\" "
                     "lat=\"50us\" {}/>",
                     hosts - 1, attributes);
}

/// Two hosts at router r and one at router q, with a slow link between the routers.
std::string two_routers(const std::string& routing, const std::string& between = "sharing_policy=\"SPLITDUPLEX\"")
{
  const std::string direction = between.empty() ? "" : "direction=\"UP\"";
  return "<zone id=\"w\" routing=\"" + routing + R"("><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
    <host id="c" speed="1Gf"/><router id="r"/><router id="q"/>
    <link id="la" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>
    <link id="lb" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>
    <link id="lc" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>
    <link id="rq" bandwidth="100MBps" latency="10us" )" +
         between + R"(/>
    <route src="a" dst="r"><link_ctn id="la" direction="UP"/></route>
    <route src="b" dst="r"><link_ctn id="lb" direction="UP"/></route>
    <route src="c" dst="q"><link_ctn id="lc" direction="UP"/></route>
    <route src="r" dst="q"><link_ctn id="rq" )" +
         direction + "/></route></zone>";
}

/// Whether all routes are the same when the channels of one topology are called by those of the other.
void expect_same_routes(const Topology& platform, const Topology& expected)
{
  ASSERT_EQ(platform.host_count(), expected.host_count());
  std::map<ChannelId, ChannelId> forth;
  std::map<ChannelId, ChannelId> back;
  for (std::uint32_t from = 0; from < expected.host_count(); ++from) {
    for (std::uint32_t to = 0; to < expected.host_count(); ++to) {
      std::vector<ChannelId> found;
      std::vector<ChannelId> wanted;
      platform.append_route(NodeId{from}, NodeId{to}, found);
      expected.append_route(NodeId{from}, NodeId{to}, wanted);
      ASSERT_EQ(found.size(), wanted.size()) << from << " to " << to;
      ASSERT_EQ(platform.distance(NodeId{from}, NodeId{to}), wanted.size());
      NodeId here{from};
      for (std::size_t hop = 0; hop < found.size(); ++hop) {
        ASSERT_EQ(platform.channel_source(found[hop]), here);
        here = platform.channel_target(found[hop]);
        ASSERT_EQ(forth.try_emplace(found[hop], wanted[hop]).first->second, wanted[hop]) << from << " to " << to;
        ASSERT_EQ(back.try_emplace(wanted[hop], found[hop]).first->second, found[hop]) << from << " to " << to;
      }
      ASSERT_EQ(here, NodeId{to});
    }
  }
  EXPECT_EQ(forth.size(), platform.channel_count()); // links of no route are left out
}

TEST_F(PlatformFile, ZonesOfSimGridHaveTheRoutesOfTheirKinds)
{
  using Numbers = std::vector<std::int64_t>;
  TopologyDescription tree{"fat_tree", {}};
  tree.parameters.set("levels", std::int64_t{2});
  tree.parameters.set("children", Numbers{4, 4});
  tree.parameters.set("parents", Numbers{1, 2});
  tree.parameters.set("links", Numbers{1, 2});
  expect_same_routes(*topology(cluster(16, R"(topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,2")")),
                     *make_topology(tree));
  TopologyDescription dragonfly{"dragonfly", {}};
  std::size_t i = 0;
  constexpr std::array<std::int64_t, 7> sizes = {2, 1, 1, 1, 3, 1, 2};
  for (const char* key : {"groups", "group_links", "chassis", "chassis_links", "routers", "router_links", "hosts"}) {
    dragonfly.parameters.set(key, sizes.at(i++));
  }
  expect_same_routes(*topology(cluster(12, R"(topology="DRAGONFLY" topo_parameters="2,1;1,1;3,1;2")")),
                     *make_topology(dragonfly));
  expect_same_routes(*topology(cluster(15, R"(topology="TORUS" topo_parameters="5,3")")),
                     *make_topology(grid("torus", {5, 3})));
}

TEST_F(PlatformFile, RoutersAreWhereLinksMeet)
{
  for (const char* routing : {"Floyd", "Dijkstra"}) {
    const auto net = topology(two_routers(routing));
    EXPECT_EQ(net->title(), "platform platform.xml");
    EXPECT_EQ(net->host_count(), 3U);
    EXPECT_EQ(net->node_count(), 5U);
    EXPECT_EQ(net->channel_count(), 8U);
    EXPECT_EQ(net->node_name(NodeId{2}), "c");
    EXPECT_EQ(net->node_name(NodeId{3}), "s0");
    EXPECT_EQ(net->longest_route(), 3U);
    EXPECT_THAT(net->link_classes(), ElementsAre("link 1ns/B 1us", "link 10ns/B 10us"));
    EXPECT_TRUE(check_deadlock(channel_dependencies(*net, 1)).deadlock_free());
  }
}

TEST_F(PlatformFile, HostsAreInTheOrderOfTheNumbersInTheirNames)
{
  const auto net = topology(cluster(12, ""));
  EXPECT_EQ(net->node_count(), 13U);
  EXPECT_EQ(net->node_name(NodeId{2}), "n2");
  EXPECT_EQ(net->node_name(NodeId{11}), "n11");
}

// SimGrid keeps engines that are gone among those that a loaded platform is reported to.
TEST_F(PlatformFile, IsLoadedWhereAnEngineWasBefore)
{
  for (int engine = 0; engine < 2; ++engine) {
    const auto mesh = make_topology(grid("mesh", {2}));
    const SimGridPlatform before(*mesh, small_network());
  }
  EXPECT_EQ(topology(cluster(4, ""))->host_count(), 4U);
}

// A backbone is one channel, which all messages share.
TEST_F(PlatformFile, MessagesTakeTheTimesOfTheLinks)
{
  const TopologyDescription described =
      description(cluster(4, R"(bb_bw="2.5GBps" bb_lat="100us" bb_sharing_policy="SHARED")"));
  const auto net = make_topology(described);
  EXPECT_EQ(net->channel_count(), 9U);
  NetworkParameters network = small_network(); // ports of 10 ps a byte, T_s = 1000 ps
  network.automatic_buffers = true;
  const auto latency = [&](const std::vector<testing::Send>& sends) {
    return simulate_core(*net, plain_schedule(described, sends), network, {}).latency.value().picoseconds;
  };
  // One port, then 800, 400, 800 and 10 ps a byte: the bytes at 800, the rest of each faster channel behind a slower.
  constexpr std::int64_t hops = 200'000'000;
  const std::int64_t alone = latency({{0, 1, 1000}});
  EXPECT_EQ(alone, 1000 + hops + (800 - 400) + (800 - 10) + std::int64_t{999} * 800 + 10);
  EXPECT_EQ(latency({{0, 1, 1000}, {1, 0, 1000}}) > alone, true);
  network.link_per_byte = {Time{10}, Time{10}}; // the network's own lists win
  network.link_per_hop = {Time{5}, Time{5}};
  EXPECT_EQ(latency({{0, 1, 1000}}), 1000 + 3 * 5 + 1000 * 10);
}

TEST_F(PlatformFile, LinksThatAreNoChannelsAreRefused)
{
  EXPECT_THAT(error(cluster(4, R"(bb_bw="2GBps" bb_lat="1us" bb_sharing_policy="FATPIPE")")),
              HasSubstr("platform.xml: found link c_backbone with sharing policy FATPIPE in the route from host n0 to "
                        "host n1, expected SHARED or SPLITDUPLEX"));
  EXPECT_THAT(error(cluster(4, R"(sharing_policy="SHARED")")),
              HasSubstr("link c_link_1 in the route from host n1 to host n0 leads elsewhere than in other routes, "
                        "expected links that routes cross in one direction, or with sharing_policy=\"SPLITDUPLEX\" in "
                        "both; topology.shared_links = \"two_channels\" makes two channels of each SHARED link"));
  EXPECT_THAT(error(two_routers("Floyd", "")), HasSubstr("link rq in the route from host c to host b leads elsewhere"));
}

TEST_F(PlatformFile, SharedLinksCanBeTwoChannels)
{
  expect_same_routes(*with_two_channels(cluster(5, R"(sharing_policy="SHARED")")), *topology(cluster(5, "")));
  const auto shared = with_two_channels(two_routers("Floyd", ""));
  expect_same_routes(*shared, *topology(two_routers("Floyd")));
  EXPECT_EQ(shared->channel_count(), 8U);
  // What routes cross in one direction stays one channel.
  const std::string backbone = R"(bb_bw="2.5GBps" bb_lat="100us" bb_sharing_policy="SHARED")";
  expect_same_routes(*with_two_channels(cluster(4, backbone)), *topology(cluster(4, backbone)));
  // A backbone that each pair of hosts would cross in the same direction, behind links of both, has no two ends.
  EXPECT_THAT(input_error([&] { with_two_channels(cluster(4, R"(sharing_policy="SHARED" )" + backbone)); }),
              HasSubstr(" leads elsewhere than in other routes, expected links whose ends are the same in all routes"));
}

/// Four hosts: a at one end of the link p, c and z at the other, d behind it from c; the other pairs have links of
/// their own.
std::string hosts_around_a_link(const std::string& from_c_to_z)
{
  std::string platform = "<zone id=\"w\" routing=\"Full\">";
  for (const char* host : {"a", "c", "d", "z"}) {
    platform += fmt::format("<host id=\"{}\" speed=\"1Gf\"/>", host);
  }
  for (const char* link : {"la", "lc", "ld", "lz", "p", "ac", "ad", "dz", "cz"}) {
    platform += fmt::format("<link id=\"{}\" bandwidth=\"1GBps\" latency=\"1us\"/>", link);
  }
  const auto route = [&](const char* from, const char* to, const std::string& links) {
    platform += fmt::format("<route src=\"{}\" dst=\"{}\">{}</route>", from, to, links);
  };
  const auto link = [](const char* name) { return fmt::format("<link_ctn id=\"{}\"/>", name); };
  route("a", "z", link("la") + link("p") + link("lz"));
  route("c", "d", link("lc") + link("p") + link("ld"));
  route("c", "z", from_c_to_z);
  route("a", "c", link("ac"));
  route("a", "d", link("ad"));
  route("d", "z", link("dz"));
  return platform + "</zone>";
}

// The route from c to d comes before the one that shows at which end of p they are.
TEST_F(PlatformFile, DirectionsOfSharedLinksFollowFromAllRoutes)
{
  const auto net = with_two_channels(hosts_around_a_link(R"(<link_ctn id="lc"/><link_ctn id="lz"/>)"));
  EXPECT_EQ(net->node_count(), 6U);
  EXPECT_EQ(net->channel_count(), 16U);
  EXPECT_THAT(nodes_between(*net, 0, 3), ElementsAre(0U, 4U, 5U, 3U));
  EXPECT_THAT(nodes_between(*net, 1, 3), ElementsAre(1U, 5U, 3U));
  EXPECT_THAT(nodes_between(*net, 1, 2), ElementsAre(1U, 5U, 4U, 2U));
  EXPECT_THAT(nodes_between(*net, 2, 1), ElementsAre(2U, 4U, 5U, 1U));
  // Where no route shows it, either will do.
  const auto guessed = with_two_channels(hosts_around_a_link(R"(<link_ctn id="cz"/>)"));
  EXPECT_EQ(guessed->node_count(), 6U);
  EXPECT_EQ(guessed->channel_count(), 18U);
  EXPECT_EQ(guessed->distance(NodeId{2}, NodeId{1}), 3U);
}

// Routes around a triangle of switches deadlock with one virtual channel, not with two.
TEST_F(PlatformFile, VirtualChannelsAreDividedByTurns)
{
  std::string platform = "<zone id=\"w\" routing=\"Full\">";
  for (const char* host : {"a", "b", "c"}) {
    platform += fmt::format("<host id=\"{0}\" speed=\"1Gf\"/>"
                            "<link id=\"l{0}\" bandwidth=\"1GBps\" latency=\"1us\"/>"
                            "<link id=\"m{0}\" bandwidth=\"1GBps\" latency=\"1us\"/>"
                            "<link id=\"from_{0}\" bandwidth=\"1GBps\" latency=\"1us\"/>",
                            host);
  }
  const std::string ring = "abcabc";
  for (std::size_t from = 0; from < 3; ++from) {
    for (std::size_t hops = 1; hops <= 2; ++hops) {
      platform += fmt::format("<route src=\"{}\" dst=\"{}\" symmetrical=\"NO\"><link_ctn id=\"l{}\"/>", ring[from],
                              ring[from + hops], ring[from]);
      for (std::size_t hop = 0; hop < hops; ++hop) {
        platform += fmt::format("<link_ctn id=\"from_{}\"/>", ring[from + hop]);
      }
      platform += fmt::format("<link_ctn id=\"m{}\"/></route>", ring[from + hops]);
    }
  }
  const auto net = topology(platform + "</zone>");
  EXPECT_EQ(net->virtual_channel_classes(1), 1U);
  EXPECT_EQ(net->virtual_channel_classes(4), 2U);
  EXPECT_FALSE(check_deadlock(channel_dependencies(*net, 1)).deadlock_free());
  EXPECT_TRUE(check_deadlock(channel_dependencies(*net, 2)).deadlock_free());
}

TEST_F(PlatformFile, BadFilesAreNamed)
{
  EXPECT_THAT(error("<zone"), HasSubstr("platform.xml: Parse error at "));
  EXPECT_THAT(error("<zone id=\"w\" routing=\"Full\"/>"), EndsWith("found no hosts, expected one at least"));
  EXPECT_THAT(
      error("<zone id=\"w\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/></zone>"),
      HasSubstr("found no route, or one without links, from host a to host b"));
  EXPECT_THAT(error(cluster(2, "") + cluster(2, "")), HasSubstr("platform.xml: ")); // names twice
  TopologyDescription missing{"simgrid", {}};
  missing.parameters.set("file", (folder_ / "none.xml").string());
  missing.parameters.set("shared_links", std::string("one_channel"));
  EXPECT_THAT(input_error([&] { make_topology(missing); }), HasSubstr("none.xml: cannot be read, expected a SimGrid"));
  const auto mesh = make_topology(grid("mesh", {2}));
  const SimGridPlatform running(*mesh, small_network());
  EXPECT_THAT(error(cluster(2, "")), HasSubstr("platform.xml: SimGrid runs in this process already"));
}

TEST_F(PlatformFile, RoutesAreGivenToAProcessInWhichSimGridRuns)
{
  const std::string file = description(cluster(3, "")).parameters.text("file");
  const PlatformRoutes read = read_platform_routes(file);
  const std::string packed = packed_platform_routes(file);
  const auto mesh = make_topology(grid("mesh", {2}));
  const SimGridPlatform running(*mesh, small_network());
  give_platform_routes(packed);
  const PlatformRoutes given = read_platform_routes("whatever.xml");
  EXPECT_EQ(given.hosts, read.hosts);
  EXPECT_EQ(given.route_links, read.route_links);
  EXPECT_EQ(given.ends, read.ends);
  EXPECT_EQ(given.links.back().name, read.links.back().name);
  EXPECT_EQ(given.links.back().bandwidth, read.links.back().bandwidth);
  for (std::size_t length = 0; length < packed.size(); ++length) {
    give_platform_routes(packed.substr(0, length));
    EXPECT_THAT(input_error([] { read_platform_routes("whatever.xml"); }), HasSubstr("end too early"));
  }
  give_platform_routes(std::nullopt);
  EXPECT_THAT(input_error([&] { read_platform_routes(file); }), HasSubstr("SimGrid runs in this process already"));
}

} // namespace
} // namespace wormcast
