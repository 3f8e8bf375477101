#pragma once

#include "tests/simulator/engines/plain_schedule.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <vector>

namespace wormcast::testing {

/// A file of tests/golden/engine: what goes in and what must come out.
struct GoldenScenario {
  std::filesystem::path file;
  TopologyDescription topology;
  NetworkParameters network;
  Schedule schedule;
  std::vector<Time> delivered; ///< by message
  Time makespan;
};

inline GoldenScenario read_golden_scenario(const std::filesystem::path& file)
{
  constexpr std::int64_t nanosecond = 1000;
  const nlohmann::json golden = nlohmann::json::parse(std::ifstream(file));
  GoldenScenario scenario;
  scenario.file = file;
  scenario.topology = grid(golden["topology"]["kind"], golden["topology"]["dims"].get<std::vector<std::int64_t>>());
  NetworkParameters& network = scenario.network;
  network.startup = Time{golden["startup_ns"].get<std::int64_t>() * nanosecond};
  network.per_hop = Time{golden["hop_ns"].get<std::int64_t>() * nanosecond};
  network.per_byte = Time{golden["byte_ns"].get<std::int64_t>() * nanosecond};
  network.flit_bytes = golden["flit_bytes"];
  network.buffer_flits = golden["buffer_flits"];
  network.ports.count = golden["ports"];
  std::vector<Send> sends;
  for (const auto& message : golden["messages"]) {
    sends.push_back(
        {message["src"], message["dst"], message["bytes"], message["start_ns"].get<std::int64_t>() * nanosecond, {}});
  }
  scenario.schedule = plain_schedule(scenario.topology, sends);
  for (const auto& time : golden["delivered_ns"]) {
    scenario.delivered.push_back(Time{time.get<std::int64_t>() * nanosecond});
  }
  scenario.makespan = Time{golden["makespan_ns"].get<std::int64_t>() * nanosecond};
  return scenario;
}

/// All of them.
inline std::vector<GoldenScenario> golden_scenarios()
{
  std::vector<GoldenScenario> scenarios;
  for (const auto& entry : std::filesystem::directory_iterator(WORMCAST_TEST_DATA "/golden/engine")) {
    scenarios.push_back(read_golden_scenario(entry.path()));
  }
  EXPECT_EQ(scenarios.size(), 8U);
  return scenarios;
}

} // namespace wormcast::testing
