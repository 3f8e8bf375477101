#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/grid/intercom.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace wormcast {
namespace {

using testing::grid;
using ::testing::HasSubstr;
using testing::schedule_of;
using ::testing::ThrowsMessage;

std::unique_ptr<Topology> any_small_grid()
{
  std::vector<std::int64_t> dims(*rc::gen::inRange<std::size_t>(1, 4));
  for (std::int64_t& size : dims) {
    size = *rc::gen::inRange<std::int64_t>(1, dims.size() == 3 ? 7 : 17);
  }
  return make_topology(grid(*rc::gen::element<std::string>("mesh", "torus"), std::move(dims)),
                       {"", *rc::gen::element<std::string>("no_wrap", "positive")});
}

std::uint64_t blocks_of(const std::vector<HybridStage>& stages)
{
  std::uint64_t blocks = 1;
  for (const HybridStage& stage : stages) {
    blocks *= stage.scatters ? static_cast<std::uint64_t>(stage.group) : 1;
  }
  return blocks;
}

RC_GTEST_PROP(Intercom, IsFreeOfContentionAndCostsWhatTheFormulaSays, ())
{
  const auto topology = any_small_grid();
  const auto& nodes = dynamic_cast<const Grid&>(*topology);
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  const auto stages = *rc::gen::elementOf(hybrids_without_contention(nodes));
  const std::string text = format_stages(stages);
  RC_ASSERT(parse_stages(nodes, text) == stages);
  const CheckReport report =
      check_schedule(*topology, schedule_of("intercom", *topology, source, blocks_of(stages), {{"stages", text}}));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  const FormulaCosts costs = hybrid_costs(nodes, source, stages);
  RC_ASSERT(report.costs.alpha == costs.alpha);
  RC_ASSERT(report.costs.beta == costs.beta);
}

TEST(Intercom, ContendsWhereItScattersALineFirst)
{
  const auto mesh = make_topology(grid("mesh", {8, 8}));
  const CheckReport report =
      check_schedule(*mesh, schedule_of("intercom", *mesh, NodeId{0}, 64, {{"stages", std::string("Sx4 Mx4 My1")}}));
  EXPECT_TRUE(report.valid());
  EXPECT_FALSE(report.contention_free);
}

TEST(Intercom, HasKnownAlgorithmsAmongItsHybrids)
{
  const auto mesh = make_topology(grid("mesh", {6, 5}));
  const auto costs = [&](const std::string& name, const std::map<std::string, RawValue, std::less<>>& raw = {}) {
    const ScheduleCosts all = schedule_costs(*mesh, schedule_of(name, *mesh, NodeId{7}, 30, raw));
    return std::tuple(all.alpha, all.beta, all.tcd, all.messages);
  };
  EXPECT_EQ(costs("intercom", {{"stages", std::string("Mx1 My1")}}), costs("recursive_doubling"));
  EXPECT_EQ(costs("intercom", {{"stages", std::string("Sx6 Sy5")}}), costs("scatter_collect"));
}

// The least beta for each alpha on 15 x 30 from (0, 0).
TEST(Intercom, FamilyIsTheFrontier)
{
  const auto mesh = make_topology(grid("mesh", {15, 30}));
  const auto& nodes = dynamic_cast<const Grid&>(*mesh);
  std::vector<std::string> frontier;
  for (const ParameterValues& values : find_algorithm("intercom").family(*mesh)) {
    const FormulaCosts costs = hybrid_costs(nodes, NodeId{0}, parse_stages(nodes, values.text("stages")));
    frontier.push_back(std::to_string(costs.alpha) + " " + format_fraction(costs.beta));
  }
  EXPECT_EQ(frontier, (std::vector<std::string>{"9 9", "10 7", "12 6", "14 23/5", "19 21/5", "23 11/5", "28 163/75",
                                                "33 53/25", "37 463/225", "43 154/75", "52 449/225"}));
}

RC_GTEST_PROP(Intercom, BestIsNoSlowerThanAnyHybridAndMeasuredAsPredicted, ())
{
  const auto topology = any_small_grid();
  const auto& nodes = dynamic_cast<const Grid&>(*topology);
  ScheduleRequest request;
  request.source = NodeId{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  request.message_bytes = *rc::gen::inRange<std::uint64_t>(1, 5000);
  request.costs = MessageCosts{.startup = {*rc::gen::inRange(0, 1'000'000)}, .per_byte = {1000}, .per_hop = {0}};
  const Schedule best = make_schedule(find_algorithm("intercom"), *topology, request);
  const ExactTime least =
      formula_time(hybrid_costs(nodes, request.source, parse_stages(nodes, best.chosen.text("stages"))), request);
  for (const auto& stages : hybrids_without_contention(nodes)) {
    RC_ASSERT(least <= formula_time(hybrid_costs(nodes, request.source, stages), request));
  }
  NetworkParameters network;
  network.startup = request.costs->startup;
  network.per_byte = request.costs->per_byte;
  network.routing = topology->routing();
  const ScheduleCosts costs = schedule_costs(*topology, best);
  const SimulationResult result = simulate_core(*topology, best, network, {});
  RC_ASSERT(result.contention.none());
  RC_ASSERT(result.latency->picoseconds ==
            static_cast<std::int64_t>(costs.alpha) * network.startup.picoseconds +
                static_cast<std::int64_t>(costs.beta_bytes) * network.per_byte.picoseconds());
}

TEST(Intercom, ErrorsNameTheStageAndTheDimension)
{
  const auto mesh = make_topology(grid("mesh", {8, 6}));
  const auto run = [&](const std::string& stages) {
    schedule_of("intercom", *mesh, NodeId{0}, 48, {{"stages", stages}});
  };
  EXPECT_THAT([&] { run("Mx1 Sy4"); },
              ThrowsMessage<InputError>("intercom: found the stage Sy4, but 4 does not divide the y size of the mesh "
                                        "8 x 6, 6; next to it does 3 and 6"));
  EXPECT_THAT([&] { run("Mx1"); },
              ThrowsMessage<InputError>("intercom: the stages along y, none, reach 1 of 6 nodes of the mesh 8 x 6; "
                                        "expected My1, Sy6, or both M and S with the same group"));
  EXPECT_THAT([&] { run("Mx2 My1"); }, ThrowsMessage<InputError>(HasSubstr("along x, Mx2, reach 4 of 8 nodes")));
  EXPECT_THAT([&] { run("Sx4 My1"); }, ThrowsMessage<InputError>(HasSubstr("along x, Sx4, reach 4 of 8 nodes")));
  EXPECT_THAT([&] { run("Mx2 Sx4 My1"); },
              ThrowsMessage<InputError>("intercom: found Mx2 and Sx4, expected groups of the same size"));
  EXPECT_THAT([&] { run("Mx1 Mx2 My1"); },
              ThrowsMessage<InputError>(HasSubstr("found Mx2 after Mx1, expected one M along x at most")));
  EXPECT_THAT([&] { run("Mx1 My1 Mz1"); }, ThrowsMessage<InputError>(HasSubstr("the mesh 8 x 6 has no z")));
  for (const char* malformed : {"x", "Mx", "Mq4", "Lx4", "Mx0", "Mx4x", "Mx-1", "Mx99999999999999999999"}) {
    EXPECT_THAT([&] { run(malformed); }, ThrowsMessage<InputError>(HasSubstr("expected M or S, a dimension and")))
        << malformed;
  }
  const auto four = make_topology(grid("mesh", {2, 2, 2, 2}));
  EXPECT_THAT([&] { schedule_of("intercom", *four, NodeId{0}, 16, {{"stages", std::string("Mx1")}}); },
              ThrowsMessage<InputError>(HasSubstr("runs in 1 to 3 dimensions")));
}

} // namespace
} // namespace wormcast
