#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/traffic/expected_load.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace wormcast {
namespace {

using testing::grid_of;
using testing::traffic_of;

/// The same by walking all classes, pairs of nodes, channels and messages to the sender one by one.
ExpectedLoad walked(const Topology& topology, const NetworkParameters& network, const TrafficClasses& classes)
{
  const std::uint32_t nodes = topology.node_count();
  std::vector<double> busy(topology.channel_count() + 2 * nodes);
  ExpectedLoad expected;
  double messages = 0;
  for (const TrafficClasses::Class& one : classes.all()) {
    const Pattern& pattern = one.pattern;
    const double flits = one.generation.lengths.mean_flits(network);
    const double rate = one.generation.weight / one.generation.lengths.mean_bytes(); // messages of a node
    for (std::uint32_t from = 0; from < nodes; ++from) {
      if (!pattern.sends(NodeId{from})) {
        continue;
      }
      messages += rate;
      const auto add = [&](NodeId to, double share) {
        const double count = rate * share;
        const double time = count * flits * static_cast<double>(network.flit_bytes);
        std::vector<ChannelId> route;
        const std::uint64_t draws = std::uint64_t{1} << topology.drawn_bits();
        for (std::uint64_t draw = 0; draw < draws; ++draw) {
          route.clear();
          topology.append_drawn_route(NodeId{from}, to, draw, route);
          for (const ChannelId channel : route) {
            busy[index(channel)] += time / static_cast<double>(draws);
          }
        }
        busy[topology.channel_count() + from] += time;
        busy[topology.channel_count() + nodes + index(to)] += time;
        const auto hops = static_cast<double>(route.size());
        expected.mean_hops += count * hops;
        expected.zero_load_picoseconds += count * empty_network_picoseconds(network, hops, flits);
      };
      for (std::uint32_t to = 0; to < nodes; ++to) {
        if (pattern.includes_self() || to != from) {
          add(NodeId{to}, pattern.even_share(NodeId{from}) / (nodes - (pattern.includes_self() ? 0 : 1)));
        }
      }
      pattern.for_each_chosen(NodeId{from}, add);
    }
  }
  expected.mean_hops /= messages;
  expected.zero_load_picoseconds /= messages;
  expected.capacity = 1 / std::ranges::max(busy);
  return expected;
}

RC_GTEST_PROP(ExpectedLoad, OfLinesIsThatOfAllPairs, ())
{
  const bool wraps = *rc::gen::arbitrary<bool>();
  const auto sizes =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(1, 7)));
  const std::vector<std::int64_t> dims(sizes.begin(), sizes.begin() + std::min<std::ptrdiff_t>(3, std::ssize(sizes)));
  RC_PRE(std::ranges::any_of(dims, [](std::int64_t size) { return size > 1; }));
  const auto grid =
      grid_of(wraps ? "torus" : "mesh", dims, *rc::gen::element<std::string>("positive", "no_wrap", "random"));
  NetworkParameters network = testing::plain_network();
  network.per_hop = Time{700};
  network.switching = *rc::gen::element(Switching::wormhole, Switching::store_and_forward);
  const bool include_self = *rc::gen::arbitrary<bool>();
  const auto drawn_traffic = [&] {
    TrafficParameters traffic = traffic_of(*rc::gen::element("uniform", "hot_spot", "neighbour"), 5);
    traffic.include_self = include_self;
    if (traffic.pattern == "hot_spot") {
      traffic.pattern_parameters.set("hot_spot.nodes", std::vector<std::int64_t>{grid->node_count() - 1});
      traffic.pattern_parameters.set("hot_spot.share", 0.25);
    }
    return traffic;
  };
  TrafficParameters traffic = drawn_traffic();
  for (int count = *rc::gen::inRange(0, 4); count > 0; --count) {
    TrafficClass one = testing::class_of(drawn_traffic(), *rc::gen::inRange(1, 10));
    one.lengths = MessageLengths::fixed(*rc::gen::inRange<std::uint64_t>(1, 40));
    traffic.classes.push_back(std::move(one));
  }
  const TrafficClasses classes(*grid, traffic, 1);
  const ExpectedLoad fast = expected_load(*grid, network, classes);
  const ExpectedLoad slow = walked(*grid, network, classes);
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); };
  RC_ASSERT(near(fast.mean_hops, slow.mean_hops));
  RC_ASSERT(near(fast.zero_load_picoseconds, slow.zero_load_picoseconds));
  RC_ASSERT(near(fast.capacity, slow.capacity));
}

/// On a ring of 8 a message to a random node crosses two channels on average, and with drawn ties all channels alike.
TEST(ExpectedLoad, DrawnTiesLoadAllChannelsOfARingAlike)
{
  NetworkParameters network = testing::plain_network();
  TrafficParameters traffic = traffic_of("uniform", 4);
  traffic.include_self = true;
  const auto capacity = [&](const char* tie) {
    const auto torus = grid_of("torus", {8, 8}, tie);
    return expected_load(*torus, network, TrafficClasses(*torus, traffic, 1)).capacity;
  };
  EXPECT_NEAR(capacity("random"), 1, 1e-12);
  EXPECT_NEAR(capacity("positive"), 0.8, 1e-12); // ten of the 64 pairs of a ring cross a channel upwards, six downwards
  EXPECT_NEAR(capacity("no_wrap"), 0.8, 1e-12);  // the same in the middle of the ring
}

/// On a mesh 2 x 2 every channel carries two thirds of a node's messages.
TEST(ExpectedLoad, CountsTheTimesOfEachChannel)
{
  const auto mesh = grid_of("mesh", {2, 2});
  NetworkParameters network = testing::plain_network();
  const TrafficParameters traffic = traffic_of("uniform", 4);
  const auto expected = [&] { return expected_load(*mesh, network, TrafficClasses(*mesh, traffic, 1)); };
  network.link_per_byte = {Time{1000}, Time{2000}};
  network.link_per_hop = {Time{70}, Time{5}};
  EXPECT_NEAR(expected().capacity, 0.75, 1e-12); // links in y are busy 4/3 of the time
  // To (1, 0), (0, 1) and (1, 1): 4 flits of 1 ns; or of 2 ns, of which the last one also crosses the port faster.
  EXPECT_NEAR(expected().zero_load_picoseconds, (4070 + (5 + 1000 + 6000 + 1000) + (75 + 1000 + 6000 + 1000)) / 3.0,
              1e-9);
  network.link_per_byte = {Time{1000}, Time{1000}};
  network.port_per_byte = Time{4000};
  EXPECT_NEAR(expected().capacity, 0.25, 1e-12); // ports
}

/// By a random node, all pairs of sources and destinations and all nodes between them one by one.
TEST(ExpectedLoad, OfRandomNodesIsThatOfAllPaths)
{
  const auto mesh = grid_of("mesh", {4, 3});
  NetworkParameters network = testing::booksim_network(2, false, false);
  network.pipeline.routing = GridRouting::valiant;
  resolve_for(network, *mesh);
  for (const char* name : {"uniform", "permutation", "hot_spot"}) {
    for (const bool include_self : {false, true}) {
      TrafficParameters traffic = traffic_of(name, 5);
      if (traffic.pattern == "hot_spot") {
        traffic.pattern_parameters.set("hot_spot.nodes", std::vector<std::int64_t>{5});
        traffic.pattern_parameters.set("hot_spot.share", 0.5);
      }
      traffic.include_self = include_self;
      const TrafficClasses classes(*mesh, traffic, 1);
      const Pattern& pattern = classes.all().front().pattern;
      std::vector<double> busy(mesh->channel_count() + 2 * mesh->node_count());
      double hops = 0;
      const auto go = [&](NodeId from, NodeId to, double share) {
        std::vector<ChannelId> route;
        mesh->append_route(from, to, route);
        for (const ChannelId channel : route) {
          busy[index(channel)] += share;
        }
        hops += share * static_cast<double>(route.size());
      };
      for (std::uint32_t from = 0; from < mesh->node_count(); ++from) {
        const auto add = [&](NodeId to, double share) {
          busy[mesh->channel_count() + from] += share;
          busy[mesh->channel_count() + mesh->node_count() + index(to)] += share;
          for (std::uint32_t by = 0; by < mesh->node_count() && to != NodeId{from}; ++by) {
            go(NodeId{from}, NodeId{by}, share / mesh->node_count());
            go(NodeId{by}, to, share / mesh->node_count());
          }
        };
        for (std::uint32_t to = 0; pattern.sends(NodeId{from}) && to < mesh->node_count(); ++to) {
          if (include_self || to != from) {
            add(NodeId{to}, pattern.even_share(NodeId{from}) / (mesh->node_count() - (include_self ? 0 : 1)));
          }
        }
        if (pattern.sends(NodeId{from})) {
          pattern.for_each_chosen(NodeId{from}, add);
        }
      }
      const ExpectedLoad expected = expected_load(*mesh, network, classes);
      EXPECT_NEAR(expected.capacity, 1 / std::ranges::max(busy), 1e-9) << name << include_self;
      EXPECT_NEAR(expected.mean_hops, hops / pattern.sender_count(), 1e-9) << name << include_self;
    }
  }
}

// Uniform traffic over all pairs: mean distance of an n x n mesh 2(n^2 - 1)/(3n), and n/4 a channel of the bisection at
// load 1 (Dally & Towles, 3.3.1), so that 4/n can be carried.
TEST(ExpectedLoad, UniformTrafficOnAMeshHasItsClosedForm)
{
  const auto mesh = grid_of("mesh", {8, 8});
  TrafficParameters traffic = traffic_of("uniform", 16);
  traffic.include_self = true;
  NetworkParameters network = testing::plain_network();
  network.startup = Time{5000};
  network.per_hop = Time{200};
  const ExpectedLoad expected = expected_load(*mesh, network, TrafficClasses(*mesh, traffic, 1));
  EXPECT_NEAR(expected.mean_hops, 2.0 * 63 / 24, 1e-9);
  EXPECT_NEAR(expected.capacity, 0.5, 1e-9);
  EXPECT_NEAR(expected.zero_load_picoseconds, 5000 + 5.25 * 200 + 16000, 1e-6);
}

} // namespace
} // namespace wormcast
