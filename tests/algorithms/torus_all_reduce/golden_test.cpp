// The all-reduce algorithms of tori against tests/golden/torus-all-reduce.json, which an independent program computed.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/verifier/schedule_bounds.hpp"
#include "wormcast/algorithms/verifier/schedule_dependencies.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace wormcast {
namespace {

using nlohmann::json;

json golden_entries()
{
  return json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/torus-all-reduce.json"))["entries"];
}

std::unique_ptr<Topology> topology_of(const json& given)
{
  return make_topology(testing::grid(given["topology"], given["dims"].get<std::vector<std::int64_t>>()),
                       {.routing = {}, .tie = given["tie"]});
}

/// The golden values call the exchanges of torus_doubling by the name of their paper.
std::string algorithm_of(const json& given)
{
  const std::string name = given["algorithm"];
  return name == "recursive_doubling" ? "torus_doubling" : name;
}

Schedule schedule_of(const json& given, const Topology& topology)
{
  std::map<std::string, RawValue, std::less<>> raw;
  if (algorithm_of(given) != "double_binary_tree") {
    raw.emplace("operation", given["operation"].get<std::string>());
  }
  for (const auto& [key, value] : given["params"].items()) {
    raw.emplace(key, value.is_string() ? RawValue(value.get<std::string>()) : RawValue(value.get<std::int64_t>()));
  }
  const Algorithm& algorithm = find_algorithm(algorithm_of(given));
  ScheduleRequest request;
  request.message_bytes = std::uint64_t{1} << 20;
  request.ports.count = given["ports"] == "all" ? PortModel::all : given["ports"].get<std::uint32_t>();
  request.parameters = read_parameters(algorithm.parameters, raw);
  Schedule schedule = make_schedule(algorithm, topology, request);
  schedule.message_bytes = parts_of_message(schedule);
  return schedule;
}

TEST(TorusAllReduceGolden, CostsLoadsAndVerdicts)
{
  const json entries = golden_entries();
  ASSERT_EQ(entries.size(), 94U);
  for (const json& given : entries) {
    SCOPED_TRACE(given["name"].get<std::string>());
    const auto topology = topology_of(given);
    const Schedule schedule = schedule_of(given, *topology);
    const CheckReport report = check_schedule(*topology, schedule);
    EXPECT_TRUE(report.complete && report.possession && report.counted_once)
        << (report.violations.empty() ? "" : report.violations[0].text);
    EXPECT_EQ(report.ports, given["ports_ok"].get<bool>());
    EXPECT_EQ(schedule.blocks, given["blocks"].get<std::uint64_t>());
    EXPECT_EQ(report.costs.alpha, given["alpha"].get<std::uint64_t>());
    EXPECT_EQ(format_fraction(report.costs.beta), given["beta"].get<std::string>());
    EXPECT_EQ(report.costs.messages, given["messages"].get<std::uint64_t>());
    EXPECT_EQ(report.costs.tcd, given["tcd"].get<std::uint64_t>());
    EXPECT_EQ(report.costs.step_hops, given["hops_by_step"].get<std::uint64_t>());
    EXPECT_EQ(report.costs.max_channel_load > 0, !schedule.messages.empty());
    EXPECT_EQ(report.contention_free, given["contention_free"].get<bool>());
    EXPECT_EQ(report.contended_pairs, given["contended_pairs"].get<std::uint64_t>());
    EXPECT_EQ(format_fraction(report.costs.fair_beta), given["time_sum"].get<std::string>());
    EXPECT_EQ(format_fraction(report.costs.busiest_channel), given["busiest_channel"].get<std::string>());
    const BroadcastBounds bounds = reduction_bounds(*topology, schedule.operation, schedule.ports);
    EXPECT_EQ(format_fraction(bounds.bytes), given["bound"].get<std::string>());
    EXPECT_EQ(format_fraction(congestion_deficiency(bounds, report.costs)), given["xi"].get<std::string>());
    EXPECT_GE(report.costs.alpha, bounds.steps);
    const std::optional<DeadlockFreedom> freedom = deadlock_freedom(*topology, schedule);
    ASSERT_TRUE(freedom);
    EXPECT_EQ(freedom->by_step == 1U, given["v1_acyclic_by_step"].get<bool>());
    EXPECT_EQ(freedom->at_once == 1U, given["v1_acyclic"].get<bool>());
    EXPECT_LE(freedom->at_once, 2U); // a dateline breaks the cycles of all of them
  }
}

/// Messages are numbered by step, sender, collective and receiver: ids decide ties where worms contend.
TEST(TorusAllReduceGolden, MessagesAreNumberedByStepSenderAndCollective)
{
  for (const json& given : golden_entries()) {
    SCOPED_TRACE(given["name"].get<std::string>());
    const auto topology = topology_of(given);
    const Schedule schedule = schedule_of(given, *topology);
    const bool by_tree = given["algorithm"] == "double_binary_tree";
    const bool by_share = !by_tree && schedule.blocks >= topology->node_count();
    const auto key = [&](const Message& message) {
      const std::uint32_t block = schedule.block_sets.ranges(message.blocks).front().begin;
      return std::tuple(message.step, message.source,
                        by_tree    ? block % 2
                        : by_share ? block / topology->node_count()
                                   : block,
                        message.destination);
    };
    for (std::size_t id = 1; id < schedule.messages.size(); ++id) {
      ASSERT_LE(key(schedule.messages[id - 1]), key(schedule.messages[id])) << id;
    }
  }
}

} // namespace
} // namespace wormcast
