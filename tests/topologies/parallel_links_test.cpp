// Networks whose links are there several times.

#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/topologies/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<Topology> with_links(const std::string& kind, const std::vector<std::int64_t>& dims,
                                     const std::vector<std::int64_t>& links, const RoutingChoice& routing = {})
{
  TopologyDescription description;
  description.kind = kind;
  description.parameters.set(kind == "hypercube" ? "dimension" : "dims",
                             kind == "hypercube" ? ParameterValue(dims.front()) : ParameterValue(dims));
  if (!links.empty()) {
    description.parameters.set("parallel_links", links);
  }
  return make_topology(description, routing);
}

std::vector<std::uint32_t> route_of(const Topology& topology, std::uint32_t from, std::uint32_t to)
{
  std::vector<ChannelId> route;
  topology.append_route(NodeId{from}, NodeId{to}, route);
  std::vector<std::uint32_t> channels;
  for (const ChannelId channel : route) {
    channels.push_back(index(channel));
  }
  return channels;
}

// Channels of node 0 of a line of three: two to node 1; of node 1 two to node 0, then two to node 2.
TEST(ParallelLinks, AreTakenByTheSumOfTheDestinationsCoordinates)
{
  const auto line = with_links("mesh", {3}, {2});
  EXPECT_EQ(line->channel_count(), 8U);
  EXPECT_THAT(route_of(*line, 0, 2), ElementsAre(0U, 4U));
  EXPECT_THAT(route_of(*line, 0, 1), ElementsAre(1U));
  EXPECT_THAT(route_of(*line, 1, 0), ElementsAre(2U));
  EXPECT_EQ(line->title(), "mesh 3 with 2 parallel links");
  // Of the columns of a mesh with two links in y, the nodes of each take turns.
  const auto mesh = with_links("mesh", {2, 3}, {1, 2});
  const auto& parallel = dynamic_cast<const ParallelLinks&>(*mesh);
  const auto copy_to = [&](std::uint32_t to) { return parallel.copy_number(ChannelId{route_of(*mesh, 0, to).back()}); };
  EXPECT_EQ(copy_to(2), 1U); // (0, 1)
  EXPECT_EQ(copy_to(4), 0U); // (0, 2)
  EXPECT_EQ(copy_to(3), 0U); // (1, 1)
  EXPECT_EQ(copy_to(5), 1U); // (1, 2)
}

RC_GTEST_PROP(ParallelLinks, have_the_routes_of_single_links, ())
{
  const std::string kind = *rc::gen::element<std::string>("mesh", "torus");
  const auto dimensions = *rc::gen::element<std::size_t>(1, 2, 3);
  const auto size = rc::gen::element<std::int64_t>(1, 2, 3, 4, 5);
  const auto dims = *rc::gen::container<std::vector<std::int64_t>>(dimensions, size);
  const auto links =
      *rc::gen::container<std::vector<std::int64_t>>(dimensions, rc::gen::element<std::int64_t>(1, 2, 3));
  const RoutingChoice routing{.routing = "", .tie = *rc::gen::element<std::string>("no_wrap", "random")};
  const auto topology = with_links(kind, dims, links, routing);
  const auto single = with_links(kind, dims, {}, routing);
  const auto& parallel = dynamic_cast<const ParallelLinks&>(*topology);
  std::vector<std::uint32_t> counted(single->channel_count());
  for (std::uint32_t id = 0; id < topology->channel_count(); ++id) {
    const ChannelId of_single = parallel.single_channel(ChannelId{id});
    RC_ASSERT(parallel.copy_number(ChannelId{id}) == counted[index(of_single)]++);
    RC_ASSERT(topology->channel_source(ChannelId{id}) == single->channel_source(of_single));
    RC_ASSERT(topology->channel_target(ChannelId{id}) == single->channel_target(of_single));
    RC_ASSERT(topology->link_class(ChannelId{id}) == single->link_class(of_single));
  }
  for (std::uint32_t id = 0; id < single->channel_count(); ++id) {
    RC_ASSERT(counted[id] == static_cast<std::uint32_t>(links[single->link_class(ChannelId{id})]));
  }
  const std::uint64_t draw = *rc::gen::arbitrary<std::uint64_t>();
  for (std::uint32_t from = 0; from < topology->host_count(); ++from) {
    for (std::uint32_t to = 0; to < topology->host_count(); ++to) {
      std::vector<ChannelId> route;
      std::vector<ChannelId> expected;
      topology->append_drawn_route(NodeId{from}, NodeId{to}, draw, route);
      single->append_drawn_route(NodeId{from}, NodeId{to}, draw, expected);
      std::vector<std::uint8_t> classes(route.size());
      std::vector<std::uint8_t> expected_classes(expected.size());
      topology->assign_virtual_channel_classes(route, 2, classes);
      single->assign_virtual_channel_classes(expected, 2, expected_classes);
      RC_ASSERT(classes == expected_classes);
      std::ranges::transform(route, route.begin(), [&](ChannelId channel) { return parallel.single_channel(channel); });
      RC_ASSERT(route == expected);
    }
  }
  RC_ASSERT(check_deadlock(channel_dependencies(*topology, 2)).deadlock_free());
  if (topology->node_count() > 1 && topology->node_count() <= most_nodes_for_exact_bisection) {
    RC_ASSERT(measure_topology(*topology) == measure_by_enumeration(*topology));
  }
  RC_ASSERT(draw_topology(*topology).channels.size() == topology->channel_count());
}

TEST(ParallelLinks, AreThereForEveryKindWithoutLinksOfItsOwn)
{
  for (const TopologyKind& kind : topology_kinds()) {
    const bool has_key =
        std::ranges::find(kind.parameters, "parallel_links", &Parameter::name) != kind.parameters.end();
    const bool has_own =
        kind.name == "fat_tree" || kind.name == "dragonfly" || kind.name == "graph" || kind.name == "simgrid";
    EXPECT_NE(has_key, has_own) << kind.name;
  }
  EXPECT_EQ(with_links("hypercube", {3}, {1, 2, 3})->channel_count(), 8U * 6);
  EXPECT_EQ(with_links("petersen_torus", {2, 2, 2}, {3})->title(),
            with_links("petersen_torus", {2, 2, 2}, {})->title() + " with 3 parallel links");
}

TEST(ParallelLinks, LeadAroundDeadLinks)
{
  TopologyDescription description;
  description.kind = "mesh";
  description.parameters.set("dims", std::vector<std::int64_t>{3, 3});
  description.parameters.set("parallel_links", std::vector<std::int64_t>{2});
  description.parameters.set("dead_nodes", std::vector<std::string>{"(1, 1)"});
  const auto survivors = make_topology(description, {.routing = "up_down"});
  EXPECT_EQ(survivors->channel_count(), 2U * 2 * 8);
  EXPECT_EQ(route_of(*survivors, 1, 6).size(), 4U);
}

TEST(ParallelLinks, AreRefusedWhereTheyDoNotFit)
{
  EXPECT_THAT(input_error([] { with_links("torus", {4, 4, 4}, {2, 1}); }),
              HasSubstr("parallel_links: found 2 numbers, expected one, or 3, one for each class of links of the torus "
                        "4 x 4 x 4: x, y, z"));
  EXPECT_THAT(input_error([] { with_links("mesh", {1100, 1100}, {64}); }), HasSubstr("expected at most 268435456"));
}

} // namespace
} // namespace wormcast
