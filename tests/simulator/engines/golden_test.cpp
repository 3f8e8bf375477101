// Delivery times of random message lists, computed by an independent program under the rules of docs/network-model.md:
// tests/golden/engine/*.json, with times in nanoseconds.

#include "tests/simulator/engines/golden_scenario.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

class GoldenDeliveries : public ::testing::TestWithParam<EngineChoice> {};

TEST_P(GoldenDeliveries, AreReproducedToThePicosecond)
{
  for (const testing::GoldenScenario& scenario : testing::golden_scenarios()) {
    SCOPED_TRACE(scenario.file);
    const auto topology = make_topology(scenario.topology);
    const SimulationResult result =
        simulate_core(*topology, scenario.schedule, scenario.network, {.engine = GetParam()});
    ASSERT_EQ(result.delivered.size(), scenario.delivered.size());
    for (std::size_t i = 0; i < result.delivered.size(); ++i) {
      EXPECT_EQ(result.delivered[i], scenario.delivered[i]) << "message " << i;
    }
    EXPECT_EQ(result.latency, scenario.makespan);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, GoldenDeliveries, ::testing::Values(EngineChoice::worm, EngineChoice::flit),
                         [](const auto& engine) { return engine.param == EngineChoice::worm ? "worm" : "flit"; });

} // namespace
} // namespace wormcast
