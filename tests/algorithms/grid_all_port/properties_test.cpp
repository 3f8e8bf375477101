// The all-port broadcasts from random sources: costs in closed form, the tie rules, and what simulations measure.

#include "tests/algorithms/grid_all_port/networks.hpp"
#include "wormcast/algorithms/grid_all_port/dominating_nodes.hpp"
#include "wormcast/algorithms/grid_all_port/scatter.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace wormcast {
namespace {

using testing::all_port_schedule;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::square;
using ::testing::ThrowsMessage;

NodeId any_node(const Topology& topology)
{
  return NodeId{*rc::gen::inRange<std::uint32_t>(0, topology.node_count())};
}

std::string any_kind()
{
  return *rc::gen::element<std::string>("mesh", "torus");
}

Fraction power_of_half(unsigned exponent)
{
  return {1, std::int64_t{1} << exponent};
}

struct Costs {
  std::uint64_t alpha = 0;
  Fraction beta;

  friend bool operator==(const Costs&, const Costs&) = default;
};

// recursion_based_all_port.hpp
Costs recursion_based_costs(bool torus, unsigned n, const std::vector<std::int64_t>& scatter_sizes)
{
  if (n == 1) {
    return {4, Fraction(9, 8)};
  }
  const std::int64_t segments = std::accumulate(scatter_sizes.begin(), scatter_sizes.end(), std::int64_t{0});
  Costs costs{scatter_sizes.size(), Fraction(segments) * power_of_half(n + 1)};
  if (n % 2 == 0) {
    costs.alpha += 3 * n / 2;
    costs.beta += (torus ? Fraction(1, 2) : Fraction(2, 3)) * (1 - power_of_half(n));
  } else {
    costs.alpha += 3 * (n - 1) / 2 + 1;
    costs.beta +=
        torus ? Fraction(1, 2) - power_of_half(n + 1) : Fraction(17, 24) - Fraction(4, 3) * power_of_half(n + 1);
  }
  return costs;
}

void expect_recursion_based_costs(const Topology& topology, NodeId source)
{
  const auto& grid = dynamic_cast<const Grid&>(topology);
  const std::int64_t side = grid.sizes()[0];
  const auto n = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(side)));
  const std::int64_t centre = side == 4 ? 1 : side / 2;
  const bool torus = is_square_torus(grid);
  const Position from =
      torus ? Position{centre, centre} : Position{grid.coordinate(source, 0), grid.coordinate(source, 1)};
  const CheckReport report = check_schedule(topology, all_port_schedule("rb_allport", topology, source));
  EXPECT_TRUE(report.valid());
  EXPECT_TRUE(report.contention_free);
  EXPECT_EQ((Costs{report.costs.alpha, report.costs.beta}),
            recursion_based_costs(torus, n, diagonal_scatter(side, from).sizes));
}

// With both tie rules: no send is half a ring long, but for one on the 4 x 4 torus.
TEST(RecursionBasedAllPort, FromEverySourceUpTo16x16)
{
  for (const std::string kind : {"mesh", "torus"}) {
    for (unsigned n = 1; n <= 4; ++n) {
      for (const std::string tie : {"no_wrap", "positive"}) {
        const auto topology = square(kind, n, tie);
        for (std::uint32_t source = 0; source < topology->node_count(); ++source) {
          SCOPED_TRACE(kind + " n=" + std::to_string(n) + " " + tie + " source " + std::to_string(source));
          expect_recursion_based_costs(*topology, NodeId{source});
        }
      }
    }
  }
}

RC_GTEST_PROP(RecursionBasedAllPort, LargerFromAnySource, ())
{
  const auto n = *rc::gen::inRange<unsigned>(5, 7);
  const auto topology = square(any_kind(), n, *rc::gen::element<std::string>("no_wrap", "positive"));
  expect_recursion_based_costs(*topology, any_node(*topology));
}

// The corner is the worst source of a mesh up to 16 x 16, the centre the best.
TEST(RecursionBasedAllPort, RangeOverTheSources)
{
  struct Range {
    unsigned n = 0;
    Costs best;
    Costs worst;
  };
  for (const Range& expected : {Range{2, {5, {7, 8}}, {6, {9, 8}}}, Range{3, {7, {17, 16}}, {7, {5, 4}}},
                                Range{4, {9, {1, 1}}, {10, {41, 32}}}}) {
    const auto topology = square("mesh", expected.n);
    Costs best{99, 99};
    Costs worst{0, 0};
    for (std::uint32_t source = 0; source < topology->node_count(); ++source) {
      const ScheduleCosts costs = schedule_costs(*topology, all_port_schedule("rb_allport", *topology, NodeId{source}));
      best = {std::min(best.alpha, costs.alpha), std::min(best.beta, costs.beta)};
      worst = {std::max(worst.alpha, costs.alpha), std::max(worst.beta, costs.beta)};
    }
    EXPECT_EQ(best, expected.best) << expected.n;
    EXPECT_EQ(worst, expected.worst) << expected.n;
  }
}

// Only equal sizes have an all-port version.
TEST(RecursionBasedAllPort, OtherSizesKeepTheOnePortSchedule)
{
  const auto topology = make_topology(testing::grid("mesh", {8, 4}));
  const Schedule all = all_port_schedule("rb_allport", *topology, NodeId{5});
  EXPECT_EQ(all.messages.size(), testing::schedule_of("recursion_based", *topology, NodeId{5}, 64).messages.size());
  EXPECT_TRUE(check_schedule(*topology, all).valid());
}

TEST(DominatingNodes, Levels)
{
  EXPECT_THAT(dominating_levels(2), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(dominating_levels(3), ElementsAre(1, 2, 5, 6));
  EXPECT_THAT(dominating_levels(4), ElementsAre(2, 5, 10, 13));
  EXPECT_THAT(dominating_levels(5), ElementsAre(5, 10, 21, 26));
  EXPECT_THAT(dominating_levels(6), ElementsAre(10, 21, 42, 53));
}

void expect_dominating_costs(const Topology& topology, unsigned n, NodeId source)
{
  const auto& grid = dynamic_cast<const Grid&>(topology);
  const CheckReport report = check_schedule(topology, all_port_schedule("dnode", topology, source));
  EXPECT_TRUE(report.valid());
  EXPECT_TRUE(report.contention_free);
  const std::uint64_t steps = is_square_torus(grid) ? n : n == 0 ? 0 : n + 1;
  EXPECT_EQ(report.costs.alpha, steps);
  EXPECT_EQ(report.costs.beta, Fraction(static_cast<std::int64_t>(steps)));
  EXPECT_EQ(report.costs.messages, topology.node_count() - 1);
}

TEST(DominatingNodes, FromEverySourceUpTo32x32)
{
  for (const std::string kind : {"mesh", "torus"}) {
    for (unsigned n = 0; n <= 5; ++n) {
      const auto topology = square(kind, n);
      for (std::uint32_t source = 0; source < topology->node_count(); ++source) {
        SCOPED_TRACE(kind + " n=" + std::to_string(n) + " source " + std::to_string(source));
        expect_dominating_costs(*topology, n, NodeId{source});
      }
    }
  }
}

TEST(DominatingNodes, LargerFromAnySource)
{
  for (const std::string kind : {"mesh", "torus"}) {
    for (unsigned n = 6; n <= 8; ++n) {
      const auto topology = square(kind, n);
      for (const std::uint32_t source : {0U, 77U, topology->node_count() / 3, topology->node_count() - 1}) {
        expect_dominating_costs(*topology, n, NodeId{source});
      }
    }
  }
}

// With ties that do not wrap the half rings must not begin on both sides of the middle.
TEST(DominatingNodes, TiesThatDoNotWrapFitSomeSources)
{
  for (unsigned n = 2; n <= 5; ++n) {
    const auto topology = square("torus", n, "no_wrap");
    std::uint32_t fitting = 0;
    for (std::uint32_t source = 0; source < topology->node_count(); ++source) {
      try {
        expect_dominating_costs(*topology, n, NodeId{source});
        ++fitting;
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(),
                    AllOf(HasSubstr("dominating_nodes on the torus"), HasSubstr("set network.tie = \"positive\"")));
      }
    }
    EXPECT_EQ(fitting, n == 2 ? 8U : topology->node_count() / 2) << "n = " << n;
  }
}

TEST(AllPortErrors, NameTheAlgorithmAndTheSizes)
{
  const auto run = [](const std::string& name, std::vector<std::int64_t> dims, int d = 0) {
    const auto topology = make_topology(testing::grid("mesh", std::move(dims)));
    all_port_schedule(name, *topology, NodeId{0}, d);
  };
  EXPECT_THAT(([&] { run("dnode", {8, 6}); }),
              ThrowsMessage<InputError>(HasSubstr("dominating_nodes needs sizes that are powers of two; the y size")));
  EXPECT_THAT(([&] { run("dnode", {8, 4}); }),
              ThrowsMessage<InputError>(HasSubstr("dominating_nodes needs equal sizes")));
  EXPECT_THAT(([&] { run("dnode", {8, 8, 8}); }),
              ThrowsMessage<InputError>(HasSubstr("dominating_nodes runs in 2 dimensions")));
  EXPECT_THAT(([&] { run("np_d", {8, 4}); }), ThrowsMessage<InputError>(HasSubstr("needs two equal sizes")));
  EXPECT_THAT(([&] { run("np_d", {12, 12}, 1); }), ThrowsMessage<InputError>(HasSubstr("powers of two")));
  EXPECT_THAT(([&] { run("np_d", {8, 8}, 4); }),
              ThrowsMessage<InputError>(HasSubstr("needs d of 0 to 3 for the mesh 8 x 8; d is 4")));
}

// Phases 2 and 3 of network partitioning, in steps.
std::uint64_t steps_after_the_scatter(bool torus, unsigned n, unsigned d)
{
  const std::uint64_t h = std::uint64_t{1} << d;
  std::uint64_t spread = 0;
  for (std::uint64_t reached = 1; reached < (torus && d == n ? h : 2 * h - 1); reached *= 3) {
    ++spread;
  }
  const unsigned rest = n - d;
  const unsigned broadcast = torus && rest >= 2 ? rest : rest == 0 ? 0 : rest + 1;
  return broadcast + spread + h - 1;
}

RC_GTEST_PROP(NetworkPartitioningAllPort, IsValidAndContentionFree, ())
{
  const auto n = *rc::gen::inRange<unsigned>(0, 6);
  const auto d = *rc::gen::inRange<unsigned>(0, n + 1);
  const auto topology = square(any_kind(), n);
  const NodeId source = any_node(*topology);
  const bool torus = is_square_torus(dynamic_cast<const Grid&>(*topology));
  const CheckReport whole =
      check_schedule(*topology, all_port_schedule("np_d", *topology, source, static_cast<int>(d)));
  const CheckReport split =
      check_schedule(*topology, all_port_schedule("np_d_split", *topology, source, static_cast<int>(d)));
  RC_ASSERT(whole.valid());
  RC_ASSERT(whole.contention_free);
  RC_ASSERT(split.valid());
  RC_ASSERT(split.contention_free);
  const std::uint64_t later = steps_after_the_scatter(torus, n, d);
  RC_ASSERT(whole.costs.alpha >= later);
  RC_ASSERT(whole.costs.alpha <= later + 4);
  RC_ASSERT(whole.costs.alpha == split.costs.alpha);
  // The split variant halves the steps of the collect phase, each 1/h.
  const std::uint64_t collect = later - (d == n ? 0 : torus && n - d >= 2 ? n - d : n - d + 1);
  RC_ASSERT(whole.costs.beta - split.costs.beta == Fraction(static_cast<std::int64_t>(collect), std::int64_t{2} << d));
}

// Ties that do not wrap: refused with the reason, or served as well as any.
RC_GTEST_PROP(NetworkPartitioningAllPort, TiesThatDoNotWrap, ())
{
  const auto n = *rc::gen::inRange<unsigned>(2, 6);
  const auto d = *rc::gen::inRange<unsigned>(0, n + 1);
  const auto topology = square("torus", n, "no_wrap");
  const NodeId source = any_node(*topology);
  try {
    const CheckReport report =
        check_schedule(*topology, all_port_schedule("np_d_split", *topology, source, static_cast<int>(d)));
    RC_ASSERT(report.valid());
    RC_ASSERT(report.contention_free);
  } catch (const InputError& error) {
    RC_ASSERT(n - d >= 2); // only the broadcast in the DDNs needs the rule
    RC_ASSERT(std::string(error.what()).find("network.tie = \"positive\"") != std::string::npos);
  }
}

TEST(NetworkPartitioningAllPort, WithoutPiecesIsTheBroadcastThroughDominatingNodes)
{
  const auto topology = square("torus", 3);
  const Schedule partitioned = all_port_schedule("np_d", *topology, NodeId{13}, 0);
  const Schedule alone = all_port_schedule("dnode", *topology, NodeId{13});
  ASSERT_EQ(partitioned.messages.size(), alone.messages.size());
  for (std::size_t i = 0; i < alone.messages.size(); ++i) {
    EXPECT_EQ(partitioned.messages[i].step, alone.messages[i].step);
    EXPECT_EQ(partitioned.messages[i].source, alone.messages[i].source);
    EXPECT_EQ(partitioned.messages[i].destination, alone.messages[i].destination);
  }
}

RC_GTEST_PROP(AllPort, NoMessageIsSuperfluous, ())
{
  const auto name = *rc::gen::element<std::string>("dnode", "np_d");
  const auto n = *rc::gen::inRange<unsigned>(1, 5);
  const auto topology = square(any_kind(), n);
  Schedule schedule =
      all_port_schedule(name, *topology, any_node(*topology), *rc::gen::inRange(0, static_cast<int>(n)));
  const auto dropped = *rc::gen::inRange<std::size_t>(0, schedule.messages.size());
  schedule.messages.erase(schedule.messages.begin() + static_cast<std::ptrdiff_t>(dropped));
  RC_ASSERT(!check_schedule(*topology, schedule).valid());
}

RC_GTEST_PROP(AllPort, MeasuredAsPredictedByBothEngines, ())
{
  const auto name = *rc::gen::element<std::string>("rb_allport", "dnode", "np_d", "np_d_split");
  const auto n = *rc::gen::inRange<unsigned>(1, 4);
  NetworkParameters network;
  network.startup = Time{*rc::gen::inRange(0, 1000)};
  network.per_byte = Time{*rc::gen::inRange(1, 10)};
  network.buffer_flits = *rc::gen::inRange<std::uint64_t>(1, 4);
  network.ports.count = PortModel::all;
  network.routing.tie = "positive";
  const auto topology = square(any_kind(), n);
  const Schedule schedule =
      all_port_schedule(name, *topology, any_node(*topology), *rc::gen::inRange(0, static_cast<int>(n) + 1));
  const ScheduleCosts costs = schedule_costs(*topology, schedule);
  const auto run = [&](EngineChoice engine) { return simulate_core(*topology, schedule, network, {.engine = engine}); };
  const SimulationResult worm = run(EngineChoice::worm);
  const SimulationResult flit = run(EngineChoice::flit);
  RC_ASSERT(worm.delivered == flit.delivered);
  RC_ASSERT(worm.latency == flit.latency);
  RC_ASSERT(worm.contention == flit.contention);
  RC_ASSERT(worm.latency == static_cast<std::int64_t>(costs.alpha) * network.startup +
                                time_of_bytes(network.per_byte, costs.beta_bytes).value());
}

// With fewer ports the messages of a step queue; the check says so.
TEST(AllPort, FewerPortsTakeLongerButDeliver)
{
  const auto topology = square("mesh", 3);
  for (const std::string name : {"rb_allport", "dnode", "np_d"}) {
    Schedule schedule = all_port_schedule(name, *topology, NodeId{9}, 1);
    NetworkParameters network;
    network.startup = Time{100};
    network.per_byte = Time{1};
    std::int64_t before = 0;
    for (const std::uint32_t ports : {PortModel::all, 3U, 2U, 1U}) {
      network.ports.count = ports;
      const SimulationResult result = simulate_core(*topology, schedule, network, {});
      EXPECT_FALSE(result.deadlock);
      EXPECT_GE(result.latency.value().picoseconds, before) << name << " with " << ports << " ports";
      before = result.latency.value().picoseconds;
    }
    schedule.ports = {1};
    EXPECT_FALSE(check_schedule(*topology, schedule).ports);
  }
}

} // namespace
} // namespace wormcast
