// Lower bounds: the numbers of the literature, and that no schedule is below them.

#include "tests/algorithms/grid_all_port/networks.hpp"
#include "wormcast/algorithms/verifier/broadcast_bounds.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <fstream>

namespace wormcast {
namespace {

using testing::square;

constexpr PortModel all_ports{PortModel::all};

TEST(GrowthBound, AllPortsOfATorusGrowByFive)
{
  const std::vector<std::uint32_t> expected{2, 3, 4, 5, 6, 7, 7};
  for (unsigned n = 2; n <= 8; ++n) {
    const auto torus = square("torus", n);
    EXPECT_EQ(growth_bound_steps(*torus, NodeId{5}, all_ports), expected[n - 2]);
    EXPECT_EQ(broadcast_bounds(*torus, NodeId{5}, all_ports).steps, expected[n - 2]);
  }
}

TEST(GrowthBound, OnePortDoubles)
{
  const auto mesh = make_topology(testing::grid("mesh", {5, 7}));
  EXPECT_EQ(growth_bound_steps(*mesh, NodeId{3}, {1}), 6U); // 2^5 < 35 <= 2^6
  EXPECT_EQ(broadcast_bounds(*mesh, NodeId{3}, {1}).steps, 6U);
  EXPECT_EQ(growth_bound_steps(*make_topology(testing::grid("mesh", {1})), NodeId{0}, {1}), 0U);
}

// From a corner 1, 3, 12, 54, 230 (16 rows), 1134 (32 rows).
TEST(GrowthBound, MeshCorner)
{
  const std::vector<std::uint32_t> expected{3, 4, 5, 5, 6};
  for (unsigned n = 2; n <= 6; ++n) {
    EXPECT_EQ(column_growth_bound_steps(*square("mesh", n), NodeId{0}, all_ports), expected[n - 2]);
  }
  const auto steps = [](std::vector<std::int64_t> dims) {
    return column_growth_bound_steps(*make_topology(testing::grid("mesh", std::move(dims))), NodeId{0}, all_ports);
  };
  // As many columns as rows of 32 reach just, and one more.
  EXPECT_EQ(steps({35, 32}), 5U); // 1120 <= 1134
  EXPECT_EQ(steps({36, 32}), 6U); // 1152
  EXPECT_EQ(steps({14, 16}), 4U); // 224 <= 230
  EXPECT_EQ(steps({15, 16}), 5U); // 240
}

TEST(GrowthBound, AsInTheGoldenValues)
{
  const nlohmann::json file = nlohmann::json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/all-port.json"));
  for (const nlohmann::json& given : file["cases"]) {
    const auto topology = square(given["kind"], given["n"].get<unsigned>());
    const NodeId source = topology->node_at(given["source"].get<std::vector<std::int64_t>>());
    const BroadcastBounds bounds = broadcast_bounds(*topology, source, all_ports);
    EXPECT_EQ(bounds.steps, given["lower_bound_alpha"].get<std::uint32_t>()) << given;
    EXPECT_LE(bounds.steps, given["alpha"].get<std::uint32_t>()) << given;
  }
}

TEST(GrowthBound, OfColumnsIsForPlanes)
{
  EXPECT_THROW(column_growth_bound_steps(*make_topology(testing::grid("mesh", {4, 4, 4})), NodeId{0}, all_ports),
               InputError);
  EXPECT_EQ(broadcast_bounds(*make_topology(testing::grid("torus", {4, 4, 4})), NodeId{0}, all_ports).steps, 3U);
}

TEST(ChannelBound, ByPortsAndChannels)
{
  const auto mesh = square("mesh", 3);
  const auto torus = square("torus", 3);
  EXPECT_EQ(channel_bound_bytes(*mesh, NodeId{27}, all_ports), Fraction(1, 2));
  EXPECT_EQ(channel_bound_bytes(*mesh, NodeId{0}, all_ports), Fraction(1, 2));
  EXPECT_EQ(channel_bound_bytes(*torus, NodeId{27}, all_ports), Fraction(1, 4));
  EXPECT_EQ(channel_bound_bytes(*torus, NodeId{27}, {3}), Fraction(1, 3));
  EXPECT_EQ(channel_bound_bytes(*mesh, NodeId{27}, {1}), Fraction(1));
  EXPECT_EQ(channel_bound_bytes(*square("mesh", 0), NodeId{0}, all_ports), Fraction(0));
}

TEST(ScatterBound, ByThePortsOfTheSource)
{
  const auto mesh = square("mesh", 3);
  EXPECT_EQ(scatter_bound_bytes(*mesh, NodeId{0}, all_ports, 16), Fraction(15, 32));
  EXPECT_EQ(scatter_bound_bytes(*mesh, NodeId{1}, all_ports, 16), Fraction(15, 48));
  EXPECT_EQ(scatter_bound_bytes(*mesh, NodeId{9}, all_ports, 16), Fraction(15, 64));
  EXPECT_EQ(scatter_bound_bytes(*mesh, NodeId{9}, {1}, 1), Fraction(0));
}

RC_GTEST_PROP(BroadcastBounds, HoldForAllSchedules, ())
{
  const auto n = *rc::gen::inRange<unsigned>(0, 5);
  const auto topology = square(*rc::gen::element<std::string>("mesh", "torus"), n);
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  const bool all = *rc::gen::arbitrary<bool>();
  const auto name = *rc::gen::element<std::string>("rb_allport", "dnode", "np_d", "np_d_split");
  const auto one_port = *rc::gen::element<std::string>("recursion_based", "recursive_doubling", "scatter_collect");
  const ScheduleCosts costs =
      schedule_costs(*topology, all ? testing::all_port_schedule(name, *topology, source,
                                                                 *rc::gen::inRange(0, static_cast<int>(n) + 1))
                                    : testing::schedule_of(one_port, *topology, source, topology->node_count()));
  const BroadcastBounds bounds = broadcast_bounds(*topology, source, {all ? PortModel::all : 1U});
  RC_ASSERT(costs.alpha >= bounds.steps);
  RC_ASSERT(costs.beta >= bounds.bytes);
}

} // namespace
} // namespace wormcast
