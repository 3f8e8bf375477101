// SimGrid's own models beside the worms: equal without contention where a hop takes no time, and the known times.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/simgrid/fluid_simulation.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace wormcast {
namespace {

using testing::grid;

struct FluidCase {
  std::string algorithm;
  std::uint64_t bytes;
  FluidModel model;
  double microseconds;
};

// T_s = 150 us, T_c = 0.5 us, on a 32 x 32 mesh.
class FluidTimes : public ::testing::TestWithParam<FluidCase> {};

TEST_P(FluidTimes, AreSimGrids)
{
  const auto topology = make_topology(grid("mesh", {32, 32}));
  ScheduleRequest request;
  request.message_bytes = GetParam().bytes;
  const Schedule schedule = make_schedule(find_algorithm(GetParam().algorithm), *topology, request);
  NetworkParameters network;
  network.startup = Time{150'000'000};
  network.per_byte = Time{500'000};
  const RunParameters run{.mode = Mode::self_timed};
  // A process has one model of SimGrid's: each case is run in a process of its own.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto is_right = [&] {
    const SimulationResult fluid = simulate_fluid(*topology, schedule, network, run, GetParam().model);
    const auto picoseconds = static_cast<double>(fluid.latency->picoseconds);
    const SimulationResult worms = simulate_core(*topology, schedule, network, run);
    const bool same = std::abs(picoseconds - static_cast<double>(worms.latency->picoseconds)) < 1000;
    std::fprintf(stderr, "%f us\n", picoseconds * 1e-6);
    return std::abs(picoseconds * 1e-6 - GetParam().microseconds) < 0.06 &&
           fluid.engine == fluid_model_names.text(GetParam().model) && (same || GetParam().model != FluidModel::cm02);
  };
  EXPECT_EXIT(std::_Exit(is_right() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(On32x32, FluidTimes,
                         ::testing::Values(FluidCase{"recursive_doubling", 1024, FluidModel::cm02, 6620},
                                           FluidCase{"recursive_doubling", 1024, FluidModel::cm02_cross_traffic, 6620},
                                           FluidCase{"recursive_doubling", 1024, FluidModel::lv08, 6778.4},
                                           FluidCase{"recursion_based", 4096, FluidModel::cm02, 7242},
                                           FluidCase{"recursion_based", 4096, FluidModel::cm02_cross_traffic, 7389.2},
                                           FluidCase{"recursion_based", 4096, FluidModel::lv08, 7548.1}));

TEST(FluidModels, RefuseWhatTheyDoNotKnow)
{
  const auto description = grid("mesh", {4});
  const auto topology = make_topology(description);
  const NetworkParameters network = testing::small_network();
  const Schedule list = testing::plain_schedule(description, {{0, 1}});
  EXPECT_THAT(input_error([&] { simulate_fluid(*topology, list, network, {}, FluidModel::cm02); }),
              ::testing::HasSubstr("do not know plain message lists"));
  Schedule schedule;
  NetworkParameters two_ports = network;
  two_ports.ports.count = 2;
  EXPECT_THAT(input_error([&] { simulate_fluid(*topology, schedule, two_ports, {}, FluidModel::cm02); }),
              ::testing::HasSubstr("do not know several ports"));
  const auto expect_refused = [&](auto change, const std::string& key) {
    NetworkParameters changed;
    changed.per_byte = Time{1000};
    RunParameters run;
    change(changed, run);
    EXPECT_THAT(input_error([&] { simulate_fluid(*topology, schedule, changed, run, FluidModel::cm02); }),
                ::testing::HasSubstr(key));
  };
  using Network = NetworkParameters;
  using Run = RunParameters;
  expect_refused([](Network& to, Run&) { to.virtual_channels = 2; }, "network.virtual_channels");
  expect_refused([](Network& to, Run&) { to.hold = Hold::path; }, "network.hold");
  expect_refused([](Network& to, Run&) { to.flit_bytes = 4; }, "network.flit_bytes");
  expect_refused([](Network& to, Run&) { to.buffer_flits = 8; }, "network.buffer_flits");
  expect_refused([](Network&, Run& to) { to.engine = EngineChoice::worm; }, "run.engine");
}

} // namespace
} // namespace wormcast
