// The scatter of MPI libraries, on any number of nodes.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <string>
#include <tuple>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;

Schedule scatter_on(const Topology& topology, NodeId source, const std::string& operation)
{
  const Algorithm& algorithm = find_algorithm("binomial_scatter");
  ScheduleRequest request;
  request.message_bytes = 1;
  request.source = source;
  request.parameters = read_parameters(algorithm.parameters, {{"operation", operation}});
  return make_schedule(algorithm, topology, request);
}

RC_GTEST_PROP(BinomialScatter, GivesEachNodeItsBlock, ())
{
  const auto nodes = *rc::gen::inRange<std::int64_t>(1, 70);
  const auto line = make_topology(testing::grid("mesh", {nodes}));
  const NodeId source{static_cast<std::uint32_t>(*rc::gen::inRange<std::int64_t>(0, nodes))};
  for (const std::string operation : {"scatter", "gather"}) {
    const CheckReport report = check_schedule(*line, scatter_on(*line, source, operation));
    RC_ASSERT(report.valid());
    RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(nodes - 1))));
    RC_ASSERT(report.costs.beta == Fraction(nodes - 1));
  }
}

TEST(BinomialScatter, SendsTheFarHalfFirst)
{
  const auto line = make_topology(testing::grid("mesh", {6}));
  const Schedule schedule = scatter_on(*line, NodeId{4}, "scatter");
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>> sends;
  for (const Message& message : schedule.messages) {
    sends.emplace_back(message.step, index(message.source), index(message.destination),
                       schedule.block_sets.size(message.blocks));
  }
  using Send = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>;
  EXPECT_THAT(sends,
              ElementsAre(Send{0, 4, 2, 2}, Send{1, 4, 0, 2}, Send{2, 4, 5, 1}, Send{2, 0, 1, 1}, Send{2, 2, 3, 1}));
}

TEST(BinomialScatter, RunsBehindSwitches)
{
  TopologyDescription tree{"fat_tree", {}};
  tree.parameters.set("levels", std::int64_t{2});
  tree.parameters.set("children", std::vector<std::int64_t>{4, 3});
  tree.parameters.set("parents", std::vector<std::int64_t>{1, 2});
  tree.parameters.set("links", std::vector<std::int64_t>{1, 1});
  const auto topology = make_topology(tree, {.routing = "d_mod_k"});
  EXPECT_EQ(topology->host_count(), 12U);
  for (const std::string operation : {"scatter", "gather"}) {
    EXPECT_TRUE(check_schedule(*topology, scatter_on(*topology, NodeId{7}, operation)).valid()) << operation;
  }
}

} // namespace
} // namespace wormcast
