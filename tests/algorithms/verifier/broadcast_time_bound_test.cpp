#include "tests/algorithms/grids.hpp"
#include "tests/algorithms/verifier/copies_program.hpp"
#include "wormcast/algorithms/grid/truncated_recursion.hpp"
#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <fstream>

namespace wormcast {
namespace {

using testing::grid;

// Each entry, solved again; a solution of the dual program is a proof.
TEST(OnePortBetaTable, IsWhatTheLinearProgramsGive)
{
  for (const std::uint32_t doublings : {2U, 3U, 4U, 5U, 6U, 8U, 10U}) {
    std::size_t proved = 0;
    for (const BetaForSteps entry : one_port_beta_table(doublings)) {
      if (entry.steps <= 40) {
        EXPECT_GE(testing::least_beta(doublings, entry.steps) * 10'000 + 0.01, entry.ten_thousandths)
            << doublings << " " << entry.steps;
        ++proved;
      }
    }
    EXPECT_GT(proved, 10U) << doublings;
  }
}

TEST(OnePortBetaTable, FallsFromTheNumberOfDoublings)
{
  for (std::uint32_t doublings = 2; doublings <= 20; ++doublings) {
    const auto table = one_port_beta_table(doublings);
    EXPECT_EQ(table.front().steps, doublings);
    EXPECT_NEAR(table.front().ten_thousandths, 10'000.0 * doublings, 1.0);
    for (std::size_t i = 1; i < table.size(); ++i) {
      EXPECT_GT(table[i].steps, table[i - 1].steps);
      EXPECT_LT(table[i].ten_thousandths, table[i - 1].ten_thousandths);
    }
  }
  EXPECT_TRUE(one_port_beta_table(0).empty());
  EXPECT_TRUE(one_port_beta_table(21).empty());
}

// The reference solves a program with more variables: its bounds are at least as high, and not much.
TEST(OnePortBetaTable, IsNearTheReference)
{
  const auto golden = nlohmann::json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/comparators.json"));
  std::size_t compared = 0;
  for (const auto& [doublings, bounds] : golden["lower_bound"].items()) {
    const std::int64_t side = std::int64_t{1} << (std::stoi(doublings) / 2);
    const auto mesh = make_topology(grid("mesh", {side, side}));
    for (const auto& [steps, beta] : bounds.items()) {
      const Fraction bound = least_beta(*mesh, NodeId{0}, {1}, std::stoul(steps));
      const double ours = boost::rational_cast<double>(bound);
      EXPECT_LE(ours, beta.get<double>() + 0.0003) << doublings << " " << steps;
      EXPECT_GE(ours, 0.83 * beta.get<double>()) << doublings << " " << steps;
      ++compared;
    }
  }
  EXPECT_GT(compared, 50U);
}

TEST(LeastBeta, HasTwoWindowsInFewSteps)
{
  const auto mesh = make_topology(grid("mesh", {5, 7}));
  EXPECT_EQ(least_beta(*mesh, NodeId{0}, {1}, 10), Fraction(2)); // S = 6
  EXPECT_EQ(least_beta(*mesh, NodeId{0}, {1}, 11), Fraction(1));
  const auto torus = make_topology(grid("torus", {32, 32}));
  const PortModel all{PortModel::all};
  EXPECT_EQ(least_beta(*torus, NodeId{0}, all, 8), Fraction(1, 2)); // S = 5: 1/4 + 1/4
  EXPECT_EQ(least_beta(*torus, NodeId{0}, all, 9), Fraction(1, 4));
  EXPECT_EQ(least_beta(*make_topology(grid("mesh", {32, 32})), NodeId{0}, all, 6), Fraction(3, 4)); // from a corner
  const auto one = make_topology(grid("mesh", {1}));
  EXPECT_EQ(broadcast_time_bound(*one, NodeId{0}, {1}, 100, {5}, {7}).latency, Time{0});
}

// What the best algorithms on 32 x 32 lack to the bound, in percent.
TEST(TimeBound, IsNearTheBestAlgorithmsForShortMessages)
{
  const auto mesh = make_topology(grid("mesh", {32, 32}));
  ScheduleRequest request;
  request.costs = MessageCosts{.startup = {150'000'000}, .per_byte = {500'000}, .per_hop = {0}};
  for (const auto& [bytes, percent] :
       std::vector<std::pair<std::uint64_t, double>>{{200, 0.9}, {512, 1.5}, {1024, 2.7}, {4096, 12.0}}) {
    request.message_bytes = bytes;
    double least = 1e300;
    for (unsigned depth = 0; depth <= 5; ++depth) {
      for (unsigned block = 0; block <= depth; ++block) {
        const ExactTime time = formula_time(truncated_recursion_costs({{5, 5}, depth, block, true}), request);
        least = std::min(least, time.convert_to<double>());
      }
    }
    const BroadcastTimeBound bound =
        broadcast_time_bound(*mesh, NodeId{0}, {1}, bytes, request.costs->startup, request.costs->per_byte);
    const auto ours = static_cast<double>(bound.latency.picoseconds);
    EXPECT_LE(ours, least);
    EXPECT_LE(100 * (least / ours - 1), percent) << bytes;
  }
}

RC_GTEST_PROP(TimeBound, NoAlgorithmIsBelowIt, ())
{
  const auto n = *rc::gen::inRange<std::int64_t>(1, 5);
  const auto m = *rc::gen::inRange<std::int64_t>(1, 5);
  const auto mesh = make_topology(grid(*rc::gen::element<std::string>("mesh", "torus"), {1 << n, 1 << m}));
  ScheduleRequest request;
  request.source = NodeId{*rc::gen::inRange<std::uint32_t>(0, mesh->node_count())};
  request.message_bytes = *rc::gen::inRange<std::uint64_t>(1, 100'000);
  request.costs = MessageCosts{.startup = {*rc::gen::inRange(0, 100'000'000)}, .per_byte = {1'000'000}, .per_hop = {0}};
  const bool all_ports = *rc::gen::element(true, false);
  request.ports.count = all_ports ? PortModel::all : 1;
  const auto name = all_ports
                        ? *rc::gen::element<std::string>("edge_disjoint_trees", "recursive_doubling")
                        : *rc::gen::element<std::string>("recursive_doubling", "scatter_collect", "recursion_based",
                                                         "truncated_recursion", "intercom", "two_combs", "two_trees");
  try {
    const Schedule schedule = make_schedule(find_algorithm(name), *mesh, request);
    const CheckReport report = check_schedule(*mesh, schedule);
    RC_PRE(report.contention_free && report.valid());
    const BroadcastTimeBound bound = broadcast_time_bound(*mesh, request.source, request.ports, request.message_bytes,
                                                          request.costs->startup, request.costs->per_byte);
    RC_ASSERT(bound.latency.picoseconds <=
              static_cast<std::int64_t>(report.costs.alpha) * request.costs->startup.picoseconds +
                  static_cast<std::int64_t>(report.costs.beta_bytes) * request.costs->per_byte.picoseconds());
    RC_ASSERT(least_beta(*mesh, request.source, request.ports, report.costs.alpha) <= report.costs.beta);
  } catch (const InputError&) { // sizes that it does not serve
  }
}

} // namespace
} // namespace wormcast
