// Delivery times of random message lists, computed by an independent program under the rules of docs/network-model.md:
// tests/golden/engine/*.json, with times in nanoseconds.

#include "plain_schedule.hpp"
#include "simulator/simulation.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace wormcast {
namespace {

constexpr std::int64_t nanosecond = 1000;

class GoldenDeliveries : public ::testing::TestWithParam<EngineChoice> {};

TEST_P(GoldenDeliveries, AreReproducedToThePicosecond)
{
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WORMCAST_TEST_DATA "/golden/engine")) {
    SCOPED_TRACE(entry.path());
    const nlohmann::json golden = nlohmann::json::parse(std::ifstream(entry.path()));
    const auto description =
        testing::grid(golden["topology"]["kind"], golden["topology"]["dims"].get<std::vector<std::int64_t>>());
    NetworkParameters network;
    network.startup = Time{golden["startup_ns"].get<std::int64_t>() * nanosecond};
    network.per_hop = Time{golden["hop_ns"].get<std::int64_t>() * nanosecond};
    network.per_byte = Time{golden["byte_ns"].get<std::int64_t>() * nanosecond};
    network.flit_bytes = golden["flit_bytes"];
    network.buffer_flits = golden["buffer_flits"];
    network.ports.count = golden["ports"];
    std::vector<testing::Send> sends;
    for (const auto& message : golden["messages"]) {
      sends.push_back(
          {message["src"], message["dst"], message["bytes"], message["start_ns"].get<std::int64_t>() * nanosecond, {}});
    }
    const auto topology = make_topology(description);
    const Schedule schedule = testing::plain_schedule(description, sends);
    const SimulationResult result = simulate_core(*topology, schedule, network, {.engine = GetParam()});
    ASSERT_EQ(result.delivered.size(), golden["delivered_ns"].size());
    for (std::size_t i = 0; i < result.delivered.size(); ++i) {
      const Time expected{golden["delivered_ns"][i].get<std::int64_t>() * nanosecond};
      EXPECT_EQ(result.delivered[i], expected) << "message " << i;
    }
    EXPECT_EQ(result.latency, Time{golden["makespan_ns"].get<std::int64_t>() * nanosecond});
    ++files;
  }
  EXPECT_EQ(files, 8U);
}

INSTANTIATE_TEST_SUITE_P(Engines, GoldenDeliveries, ::testing::Values(EngineChoice::worm, EngineChoice::flit),
                         [](const auto& engine) { return engine.param == EngineChoice::worm ? "worm" : "flit"; });

} // namespace
} // namespace wormcast
