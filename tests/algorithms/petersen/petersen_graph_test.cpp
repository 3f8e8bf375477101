// The Petersen graph's own broadcasts.

#include "tests/algorithms/petersen/networks.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/petersen/broadcast.hpp"
#include "wormcast/algorithms/verifier/combining_volume.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

using testing::network;
using testing::petersen_golden;
using testing::schedule_of;

TEST(PetersenBroadcast, FollowsTheGoldenTrees)
{
  for (int p = 0; p < 10; ++p) {
    nlohmann::json steps = nlohmann::json::array();
    for (const ModuleStep& step : petersen_broadcast_steps(p, false)) {
      nlohmann::json sends = nlohmann::json::array();
      for (const ModuleSend send : step) {
        sends.push_back({send.from, send.to});
      }
      steps.push_back(sends);
    }
    EXPECT_EQ(steps, petersen_golden()["petersen_trees_sla"][std::to_string(p)]);
  }
}

TEST(PetersenBroadcast, TakesFourStepsWithOnePortAndTwoWithAll)
{
  const auto petersen = network("petersen");
  for (std::uint32_t source = 0; source < 10; ++source) {
    for (const auto& [ports, steps] : {std::pair{1U, 4U}, {2U, 4U}, {3U, 2U}, {PortModel::all, 2U}}) {
      const Schedule schedule = schedule_of("petersen_broadcast", *petersen, ports, source);
      const CheckReport report = check_schedule(*petersen, schedule);
      EXPECT_TRUE(report.valid() && report.contention_free);
      EXPECT_EQ(report.costs.alpha, steps);
      EXPECT_EQ(report.costs.messages, 9U);
      EXPECT_EQ(report.costs.tcd, 9U); // neighbours only
    }
  }
}

struct AllToAllCase {
  std::string golden;
  std::string variant;
  std::uint32_t ports = 1;
};

TEST(PetersenAllToAll, TakesTheGoldenStepsAndVolumes)
{
  const auto petersen = network("petersen");
  const std::vector<AllToAllCase> cases = {
      {"algorithm2 (SLA)", "paper", 1},
      {"algorithm3 (MLA)", "paper", PortModel::all},
      {"algorithm2 with steps 2+3 merged (SLA, full duplex)", "merged", 1},
      {"4-step gossip found by exhaustive search (SLA, full duplex)", "optimal", 1},
      {"flooding (MLA)", "flooding", PortModel::all},
  };
  EXPECT_EQ(cases.size(), petersen_golden()["petersen_all_to_all"].size());
  for (const AllToAllCase& one : cases) {
    SCOPED_TRACE(one.golden);
    const auto& golden = petersen_golden()["petersen_all_to_all"][one.golden];
    const Schedule schedule = schedule_of("petersen_all_to_all", *petersen, one.ports, 0, one.variant);
    const CheckReport report = check_schedule(*petersen, schedule);
    EXPECT_TRUE(report.possession && report.ports && report.contention_free);
    EXPECT_EQ(report.complete, golden["complete"].get<bool>());
    EXPECT_EQ(report.costs.alpha, golden["steps"].get<std::uint64_t>());
    EXPECT_EQ(report.costs.messages, golden["transmissions"].get<std::uint64_t>());
    EXPECT_EQ(report.costs.tcd, report.costs.messages);
    EXPECT_EQ(nlohmann::json(combining_volume(schedule, 10).largest_new), golden["max_volume_new"]);
  }
}

// The schedule of Lemma 6 has to carry 14 packets one after the other; 9 is what a node must receive at least.
TEST(PetersenAllToAll, UnitPacketTimes)
{
  const auto petersen = network("petersen");
  const auto unit_time = [&](const std::string& variant, std::uint32_t ports) {
    return combining_volume(schedule_of("petersen_all_to_all", *petersen, ports, 0, variant), 10).unit_time;
  };
  EXPECT_EQ(unit_time("paper", 1), 14U);
  EXPECT_EQ(unit_time("merged", 1), 9U);
  EXPECT_EQ(unit_time("optimal", 1), 9U);
  EXPECT_EQ(unit_time("paper", PortModel::all), 7U);
  EXPECT_EQ(unit_time("flooding", PortModel::all), 3U);
}

TEST(PetersenAllToAll, FloodingWithOnePortIsRefuted)
{
  const auto petersen = network("petersen");
  const CheckReport report = check_schedule(*petersen, schedule_of("petersen_all_to_all", *petersen, 1, 0, "flooding"));
  EXPECT_FALSE(report.ports);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.ports_needed.count, 3U);
}

TEST(PetersenAlgorithms, NeedThePetersenGraph)
{
  const auto mesh = network("mesh", {4, 4});
  for (const std::string name : {"petersen_broadcast", "petersen_all_to_all"}) {
    EXPECT_EQ(input_error([&] { schedule_of(name, *mesh, 1); }),
              name + " needs the petersen graph; the topology is " + mesh->title());
  }
  for (const std::string name : {"petersen_torus_broadcast", "petersen_torus_all_to_all"}) {
    EXPECT_EQ(input_error([&] { schedule_of(name, *mesh, 1); }),
              name + " needs a petersen_torus; the topology is " + mesh->title());
  }
}

} // namespace
} // namespace wormcast
