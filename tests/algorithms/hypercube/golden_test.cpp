// Whole schedules on hypercubes against those of an independent program.

#include "tests/algorithms/hypercube/hypercubes.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

using testing::hypercube;
using testing::hypercube_golden;
using testing::packet_hash;
using testing::schedule_of;

class HypercubeGolden : public ::testing::TestWithParam<int> {
protected:
  std::unique_ptr<Topology> cube_ = hypercube(GetParam());
  const nlohmann::json& golden_ = hypercube_golden()[std::to_string(GetParam())];

  // Time, transmissions, and a schedule that the verifier proves; its hash.
  nlohmann::json hash(const std::string& algorithm, bool all_ports, const std::string& form, std::uint32_t root = 0,
                      const std::string& choice = {})
  {
    const Schedule schedule = schedule_of(algorithm, *cube_, all_ports ? PortModel::all : 1, root, choice);
    const CheckReport report = check_schedule(*cube_, schedule);
    EXPECT_TRUE(report.valid() && report.contention_free) << algorithm;
    const auto& closed_form = golden_["closed_form"][form + (all_ports ? "_mla" : "_sla")];
    EXPECT_EQ(report.costs.alpha, closed_form["time"].get<std::uint64_t>()) << algorithm;
    EXPECT_EQ(report.costs.messages, closed_form["transmissions"].get<std::uint64_t>()) << algorithm;
    EXPECT_EQ(report.costs.tcd, report.costs.messages) << algorithm; // neighbours only
    EXPECT_EQ(report.costs.largest_message, Fraction(1)) << algorithm;
    return packet_hash(schedule, cube_->node_count());
  }
};

INSTANTIATE_TEST_SUITE_P(Dimensions, HypercubeGolden, ::testing::Values(1, 2, 3, 4, 5, 6, 8),
                         ::testing::PrintToStringParamName());

TEST_P(HypercubeGolden, SingleNodeBroadcast)
{
  for (const auto& [root, expected] : golden_["single_node_broadcast_sla"]["hash_by_root"].items()) {
    const auto source = static_cast<std::uint32_t>(std::stoul(root));
    EXPECT_EQ(hash("single_node_broadcast", false, "single_node_broadcast", source), expected);
    hash("single_node_broadcast", true, "single_node_broadcast", source);
  }
}

TEST_P(HypercubeGolden, MultinodeBroadcast)
{
  EXPECT_EQ(hash("multinode_broadcast", true, "multinode_broadcast"), golden_["multinode_broadcast_mla"]["hash"]);
  EXPECT_EQ(hash("multinode_broadcast", false, "multinode_broadcast"), golden_["multinode_broadcast_sla"]["hash"]);
}

TEST_P(HypercubeGolden, Scatter)
{
  for (const bool all_ports : {true, false}) {
    const auto& by_root = golden_[all_ports ? "scatter_mla" : "scatter_sla"]["hash_by_root"];
    for (const auto& [root, expected] : by_root.items()) {
      const auto source = static_cast<std::uint32_t>(std::stoul(root));
      EXPECT_EQ(hash("single_node_scatter", all_ports, "scatter", source, "balanced"), expected);
    }
  }
  EXPECT_EQ(hash("single_node_scatter", true, "scatter", 0, "from_multinode"), golden_["scatter_mla"]["from_mnb_hash"]);
  hash("single_node_scatter", false, "scatter", 0, "from_multinode");
}

TEST_P(HypercubeGolden, ScatterSendsAsManyPacketsInEachStep)
{
  const Schedule schedule = schedule_of("single_node_scatter", *cube_, PortModel::all, 0, "balanced");
  std::vector<std::uint32_t> per_step(step_count(schedule), 0);
  for (const Message& message : schedule.messages) {
    ++per_step[message.step];
  }
  const auto& expected = golden_["scatter_mla"]["per_step"]; // null: not computed
  EXPECT_TRUE(expected.is_null() || nlohmann::json(per_step) == expected);
}

TEST_P(HypercubeGolden, TotalExchange)
{
  EXPECT_EQ(hash("total_exchange", true, "total_exchange"), golden_["total_exchange_mla"]["hash"]);
  EXPECT_EQ(hash("total_exchange", false, "total_exchange"), golden_["total_exchange_sla"]["hash"]);
}

TEST_P(HypercubeGolden, JourneysInTheTotalExchange)
{
  const Schedule schedule = schedule_of("total_exchange", *cube_, PortModel::all);
  for (const auto& journey : golden_["total_exchange_mla"]["journeys"]) {
    const std::uint32_t block =
        journey["origin"].get<std::uint32_t>() * cube_->node_count() + journey["dest"].get<std::uint32_t>();
    nlohmann::json hops = nlohmann::json::array();
    for (const Message& message : schedule.messages) {
      if (testing::packet(schedule, message) == block) {
        hops.push_back({message.step + 1, index(message.source), index(message.destination)});
      }
    }
    EXPECT_EQ(hops, journey["hops"]);
  }
}

TEST_P(HypercubeGolden, TotalExchangeKeepsAllLinksBusy)
{
  const Schedule schedule = schedule_of("total_exchange", *cube_, PortModel::all);
  const double used = static_cast<double>(schedule.messages.size()) / step_count(schedule) / cube_->channel_count();
  EXPECT_EQ(used, golden_["total_exchange_mla"]["link_utilization"].get<double>());
}

} // namespace
} // namespace wormcast
