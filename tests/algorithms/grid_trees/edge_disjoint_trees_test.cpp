#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/grid_trees/edge_disjoint_trees.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace wormcast {
namespace {

using testing::grid;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::unique_ptr<Topology> any_plane()
{
  return make_topology(grid(*rc::gen::element<std::string>("mesh", "torus"),
                            {*rc::gen::inRange<std::int64_t>(3, 10), *rc::gen::inRange<std::int64_t>(3, 10)}),
                       {"", *rc::gen::element<std::string>("no_wrap", "positive")});
}

Schedule with_all_ports(const Topology& topology, NodeId source, std::int64_t segments)
{
  ScheduleRequest request;
  request.source = source;
  request.message_bytes = static_cast<std::uint64_t>(segments);
  request.ports.count = PortModel::all;
  request.parameters.set("segments", segments);
  return make_schedule(find_algorithm("edge_disjoint_trees"), topology, request);
}

RC_GTEST_PROP(EdgeDisjointTrees, ShareNoChannelAndSpan, ())
{
  const auto topology = any_plane();
  const auto& plane = dynamic_cast<const Grid&>(*topology);
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  const SegmentTrees trees = edge_disjoint_trees(plane, source);
  RC_ASSERT(trees.trees.size() == (plane.wraps() ? 4U : 2U));
  std::set<std::pair<NodeId, NodeId>> channels;
  for (const std::vector<TreeEdge>& edges : trees.trees) {
    std::set<NodeId> reached = {source};
    for (const TreeEdge& edge : edges) {
      RC_ASSERT(topology->distance(edge.from, edge.to) == 1U);
      RC_ASSERT(channels.emplace(edge.from, edge.to).second);
      RC_ASSERT(reached.contains(edge.from));
      RC_ASSERT(reached.insert(edge.to).second);
    }
    RC_ASSERT(reached.size() == topology->node_count());
  }
}

RC_GTEST_PROP(EdgeDisjointTrees, CostWhatTheFormulaSays, ())
{
  const auto topology = any_plane();
  const auto& plane = dynamic_cast<const Grid&>(*topology);
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  const auto segments = *rc::gen::inRange<std::int64_t>(1, 30);
  const CheckReport report = check_schedule(plane, with_all_ports(plane, source, segments));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.beta == Fraction(static_cast<std::int64_t>(report.costs.alpha), segments));
  if (plane.wraps() && segments >= 4) {
    RC_ASSERT(static_cast<std::int64_t>(report.costs.alpha) ==
              (segments + 3) / 4 + plane.sizes()[0] + plane.sizes()[1] - 2);
  } else if (!plane.wraps() && segments % 2 == 0) {
    std::int64_t farthest[2];
    for (std::size_t dimension : {0U, 1U}) {
      const std::int64_t place = plane.coordinate(source, dimension);
      farthest[dimension] = std::max(place, plane.sizes()[dimension] - 1 - place);
    }
    const std::int64_t depth = std::max({farthest[0] + farthest[1], farthest[0] + 2, farthest[1] + 2});
    RC_ASSERT(static_cast<std::int64_t>(report.costs.alpha) == segments / 2 - 1 + depth);
  }
}

RC_GTEST_PROP(EdgeDisjointTrees, AreMeasuredAsPredicted, ())
{
  const auto topology = any_plane();
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  const Schedule schedule = with_all_ports(*topology, source, *rc::gen::inRange<std::int64_t>(1, 20));
  NetworkParameters network;
  network.startup = {100'000};
  network.per_byte = {1000};
  network.per_hop = {7};
  network.ports.count = PortModel::all;
  network.routing = topology->routing();
  const SimulationResult result = simulate_core(*topology, schedule, network, {});
  const ScheduleCosts costs = schedule_costs(*topology, schedule);
  RC_ASSERT(result.contention.none());
  RC_ASSERT(result.latency->picoseconds == static_cast<std::int64_t>(costs.alpha) * (100'000 + 7 + 1000));
}

TEST(EdgeDisjointTrees, ServeMeshesOfTwoNodesASide)
{
  for (const auto& dims : {std::vector<std::int64_t>{2, 2}, {2, 5}, {5, 2}}) {
    const auto mesh = make_topology(grid("mesh", dims));
    for (std::uint32_t source = 0; source < mesh->node_count(); ++source) {
      const CheckReport report = check_schedule(*mesh, with_all_ports(*mesh, NodeId{source}, 6));
      EXPECT_TRUE(report.valid() && report.contention_free) << source;
    }
  }
}

TEST(EdgeDisjointTrees, ErrorsNameTheDimension)
{
  const auto run = [](const std::string& kind, std::vector<std::int64_t> dims) {
    const auto topology = make_topology(grid(kind, std::move(dims)));
    with_all_ports(*topology, NodeId{0}, 4);
  };
  EXPECT_THAT([&] { run("torus", {4, 2}); },
              ThrowsMessage<InputError>("edge_disjoint_trees needs sizes of at least 3 on a torus; the y size of the "
                                        "torus 4 x 2 is 2"));
  EXPECT_THAT([&] { run("mesh", {1, 4}); }, ThrowsMessage<InputError>(HasSubstr("the x size of the mesh 1 x 4 is 1")));
  EXPECT_THAT([&] { run("mesh", {4, 4, 4}); }, ThrowsMessage<InputError>(HasSubstr("runs in 2 dimensions")));
}

} // namespace
} // namespace wormcast
