// Routes hop by hop as SimGrid's own zones of the same parameters have them. SimGrid's engine is one per process, and
// its fat trees number hosts through all zones of a process, so each test (a process of its own under ctest) makes one
// zone.

#include "tests/topologies/sample_topologies.hpp"
#include "tests/topologies/switched/switched_samples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace wormcast {

namespace {

namespace s4u = simgrid::s4u;

s4u::ClusterCallbacks hosts_alone()
{
  return s4u::ClusterCallbacks([](s4u::NetZone* zone, const std::vector<unsigned long>&, unsigned long id) {
    s4u::Host* host = zone->create_host(fmt::format("h{}", id), 1e9);
    host->seal();
    return std::pair(host->get_netpoint(), static_cast<simgrid::kernel::routing::NetPoint*>(nullptr));
  });
}

std::string hop_text(std::uint32_t from, std::uint32_t to, std::uint32_t copy)
{
  return fmt::format("{}->{}#{}", from, to, copy);
}

/// The hops by their nodes and the number of the channel among those between them; copies only where `counts_copies`.
std::vector<std::string> hops_of(const Topology& topology, std::uint32_t from, std::uint32_t to, bool counts_copies)
{
  std::vector<std::string> hops;
  for (const ChannelId channel : route_between(topology, from, to)) {
    const NodeId source = topology.channel_source(channel);
    const NodeId target = topology.channel_target(channel);
    std::uint32_t copy = 0;
    for (ChannelId other = topology.first_channel(source); counts_copies && other != channel;
         other = ChannelId{index(other) + 1}) {
      copy += topology.channel_target(other) == target ? 1 : 0;
    }
    hops.push_back(hop_text(index(source), index(target), copy));
  }
  return hops;
}

std::vector<std::string> names_between(s4u::Engine& engine, std::uint32_t from, std::uint32_t to)
{
  std::vector<s4u::Link*> links;
  double latency = 0;
  engine.host_by_name(fmt::format("h{}", from))->route_to(engine.host_by_name(fmt::format("h{}", to)), links, &latency);
  std::vector<std::string> names;
  for (const s4u::Link* link : links) {
    names.push_back(link->get_name());
  }
  return names;
}

bool goes_up(const std::string& name)
{
  return name.ends_with("_UP");
}

/// The number that SimGrid gave to the link: the last of its name.
int number_of(const std::string& name)
{
  const std::string cut = name.substr(0, name.rfind('_'));
  return std::stoi(cut.substr(cut.rfind('_') + 1));
}

s4u::Engine& engine()
{
  static int count = 1;
  static char name[] = "simgrid_zones_test";
  static char* arguments[] = {name, nullptr};
  static s4u::Engine engine(&count, arguments);
  return engine;
}

int lowest_number()
{
  int lowest = std::numeric_limits<int>::max();
  for (const s4u::Link* link : engine().get_all_links()) {
    if (link->get_name().find("link_") != std::string::npos) {
      lowest = std::min(lowest, number_of(link->get_name()));
    }
  }
  return lowest;
}

/// A link's nodes, and its number among those between them.
struct Ends {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::uint32_t copy = 0;
};

void expect_fat_tree_of_simgrid(const Numbers& children, const Numbers& parents, const Numbers& links)
{
  const auto topology = make_fat_tree(children, parents, links);
  const auto sizes = [](const Numbers& numbers) { return std::vector<unsigned>(numbers.begin(), numbers.end()); };
  engine();
  auto* zone = s4u::create_fatTree_zone(
      "tree", nullptr,
      s4u::FatTreeParams(static_cast<unsigned>(children.size()), sizes(children), sizes(parents), sizes(links)),
      hosts_alone(), 1e9, 1e-6, s4u::Link::SharingPolicy::SPLITDUPLEX);
  zone->seal();
  // Links are numbered by their lower ends, then by their upper ends, parallel ones one after the other.
  std::vector<Ends> ends;
  for (std::uint32_t node = 0; node < topology->node_count(); ++node) {
    std::map<std::uint32_t, std::uint32_t> parallel; // by upper neighbour
    const std::uint32_t first = index(topology->first_channel(NodeId{node}));
    for (std::uint32_t id = first; id < first + topology->out_degree(NodeId{node}); ++id) {
      const std::uint32_t target = index(topology->channel_target(ChannelId{id}));
      parallel[target] += target > node ? 1 : 0;
    }
    for (const auto& [parent, count] : parallel) {
      for (std::uint32_t copy = 0; copy < count; ++copy) {
        ends.push_back({node, parent, copy});
      }
    }
  }
  // Switches have numbers downwards from twice the number of hosts.
  const auto hosts = static_cast<int>(topology->host_count());
  const auto number_in_simgrid = [&](std::uint32_t node) {
    const auto number = static_cast<int>(node);
    return number < hosts ? number : 3 * hosts - 1 - number;
  };
  const int lowest = lowest_number();
  std::size_t links_of_tree = 0;
  for (const s4u::Link* link : engine().get_all_links()) {
    if (const std::string& name = link->get_name(); name.starts_with("link_from_") && goes_up(name)) {
      const Ends& place = ends.at(static_cast<std::size_t>(number_of(name) - lowest));
      ASSERT_TRUE(name.starts_with(
          fmt::format("link_from_{}_{}_", number_in_simgrid(place.low), number_in_simgrid(place.high))))
          << name << " " << place.low << " " << place.high;
      ++links_of_tree;
    }
  }
  ASSERT_EQ(links_of_tree, ends.size());
  for (std::uint32_t from = 0; from < topology->host_count(); ++from) {
    for (std::uint32_t to = 0; to < topology->host_count(); ++to) {
      if (from == to) {
        continue;
      }
      std::vector<std::string> expected;
      for (const std::string& name : names_between(engine(), from, to)) {
        const auto [low, high, copy] = ends.at(static_cast<std::size_t>(number_of(name) - lowest));
        expected.push_back(goes_up(name) ? hop_text(low, high, copy) : hop_text(high, low, copy));
      }
      ASSERT_EQ(hops_of(*topology, from, to, true), expected) << from << " to " << to;
    }
  }
}

TEST(FatTreeZone, two_levels)
{
  expect_fat_tree_of_simgrid({4, 4}, {1, 2}, {1, 2});
}

TEST(FatTreeZone, three_levels_with_parallel_links)
{
  expect_fat_tree_of_simgrid({3, 4, 2}, {2, 3, 2}, {2, 1, 3});
}

TEST(FatTreeZone, three_levels_of_a_switch_with_four_ports)
{
  expect_fat_tree_of_simgrid({2, 2, 4}, {1, 2, 2}, {1, 1, 1});
}

/// SimGrid 3.32 lists one more link on a route between two routers of one chassis other than the first, or of two such
/// chassis: it goes on from the first chassis. Only routes that hang together are compared.
void expect_dragonfly_of_simgrid(std::uint32_t groups, std::uint32_t chassis, std::uint32_t routers,
                                 std::uint32_t hosts)
{
  const auto topology = make_dragonfly({groups, 1, chassis, 1, routers, 1, hosts});
  engine();
  auto* zone = s4u::create_dragonfly_zone("dragonfly", nullptr,
                                          s4u::DragonflyParams({groups, 1}, {chassis, 1}, {routers, 1}, hosts),
                                          hosts_alone(), 1e9, 1e-6, s4u::Link::SharingPolicy::SPLITDUPLEX);
  zone->seal();
  // Links are numbered in this order.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  const std::uint32_t first = topology->host_count();
  const std::uint32_t group_routers = chassis * routers;
  for (std::uint32_t host = 0; host < first; ++host) {
    ends.emplace_back(host, first + host / hosts);
  }
  for (std::uint32_t i = 0; i < groups * chassis; ++i) {
    for (std::uint32_t j = 0; j < routers; ++j) {
      for (std::uint32_t k = j + 1; k < routers; ++k) {
        ends.emplace_back(first + i * routers + j, first + i * routers + k);
      }
    }
  }
  for (std::uint32_t i = 0; i < groups; ++i) {
    for (std::uint32_t j = 0; j < chassis; ++j) {
      for (std::uint32_t k = j + 1; k < chassis; ++k) {
        for (std::uint32_t l = 0; l < routers; ++l) {
          const std::uint32_t group = first + i * group_routers + l;
          ends.emplace_back(group + j * routers, group + k * routers);
        }
      }
    }
  }
  for (std::uint32_t i = 0; i < groups; ++i) {
    for (std::uint32_t j = i + 1; j < groups; ++j) {
      ends.emplace_back(first + i * group_routers + j, first + j * group_routers + i);
    }
  }
  const int lowest = lowest_number();
  std::size_t compared = 0;
  for (std::uint32_t from = 0; from < topology->host_count(); ++from) {
    for (std::uint32_t to = 0; to < topology->host_count(); ++to) {
      if (from == to) {
        continue;
      }
      std::vector<std::string> expected;
      std::uint32_t at = from;
      bool hangs_together = true;
      for (const std::string& name : names_between(engine(), from, to)) {
        auto [a, b] = ends.at(static_cast<std::size_t>(number_of(name) - lowest));
        if (!goes_up(name)) {
          std::swap(a, b);
        }
        hangs_together = hangs_together && a == at;
        at = b;
        expected.push_back(hop_text(a, b, 0));
      }
      if (hangs_together) {
        ASSERT_EQ(hops_of(*topology, from, to, false), expected) << from << " to " << to;
        ++compared;
      } else {
        const std::uint32_t group_hosts = group_routers * hosts;
        ASSERT_EQ(from / group_hosts, to / group_hosts) << fmt::format("{}", fmt::join(expected, " "));
        ASSERT_NE(from / hosts / routers % chassis, 0);
      }
    }
  }
  EXPECT_GT(compared, topology->host_count() * (topology->host_count() - 1) / 2);
}

TEST(DragonflyZone, three_groups_of_four_chassis)
{
  expect_dragonfly_of_simgrid(3, 4, 5, 2);
}

TEST(DragonflyZone, as_many_groups_as_routers)
{
  expect_dragonfly_of_simgrid(4, 2, 4, 1);
}

} // namespace

} // namespace wormcast
