// SimGrid's own models beside the worms: equal without contention where a hop takes no time, and the known times.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/algorithms/schedule/ready_messages.hpp"
#include "wormcast/simulator/model/network_warnings.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/simgrid/fluid_simulation.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

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
  const Schedule schedule;
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
  expect_refused([](Network& to, Run&) { to.duplex = Duplex::half; }, "network.duplex");
  expect_refused([](Network& to, Run&) { to.router = &find_router("input_queued"); }, "network.router");
  expect_refused([](Network&, Run& to) { to.engine = EngineChoice::worm; }, "run.engine");
}

TEST(FluidModels, SayWhichKeysTheyIgnore)
{
  NetworkParameters network;
  RunParameters run;
  run.fluid = FluidModel::cm02;
  EXPECT_TRUE(fluid_warnings(network, run).empty());
  network.virtual_channels = 2;
  network.flit_bytes = 4;
  network.hold = Hold::path;
  network.buffer_flits = 8;
  network.switching = Switching::cut_through;
  const std::vector<NetworkWarning> warnings = fluid_warnings(network, run);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().text,
            "run.model = \"fluid\" ignores network.switching, network.virtual_channels, network.hold, "
            "network.flit_bytes, network.buffer_flits: messages of a fluid model share the bandwidth of channels, and "
            "have no flits that wait");
  run.fluid.reset();
  EXPECT_TRUE(fluid_warnings(network, run).empty());
}

// In a process of its own: SimGrid has one model in a process.
template <typename Check> void expect_in_process(const Check& check)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(check() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

Time fluid_latency(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                   const RunParameters& run = {})
{
  return *simulate_fluid(topology, schedule, network, run, FluidModel::cm02).latency;
}

// T_s = 1000 ps, T_c = 10 ps: 100 bytes take 2000.
TEST(FluidModels, RunListsOnePortAfterTheOther)
{
  const auto description = grid("mesh", {4});
  const auto topology = make_topology(description);
  NetworkParameters network = testing::small_network();
  network.per_hop = {};
  network.startup_latency = Time{400};
  Schedule list = testing::plain_schedule(description, {{0, 1, 100}, {0, 1, 100}, {1, 0, 100, 5000, {0}}});
  list.plain[2].compute = Time{30};
  expect_in_process([&] { return fluid_latency(*topology, list, network) == Time{5000 + 2000 + 400 + 30}; });
  // With two ports both messages share the channel: 1000 + 200 bytes.
  list = testing::plain_schedule(description, {{0, 1, 100}, {0, 1, 100}});
  expect_in_process([&] { return fluid_latency(*topology, list, network) == Time{2 * 2000 + 400}; });
  network.ports.count = 2;
  expect_in_process([&] { return fluid_latency(*topology, list, network) == Time{1000 + 2000 + 400}; });
}

TEST(FluidModels, ShareThePortsOfReceivers)
{
  const auto description = grid("torus", {4, 4});
  const auto topology = make_topology(description);
  NetworkParameters network = testing::small_network();
  network.per_hop = {};
  // Three neighbours send 100 bytes each to node 0, over a channel each.
  const Schedule list = testing::plain_schedule(description, {{1, 0, 100}, {3, 0, 100}, {4, 0, 100}});
  for (const auto& [ports, shared] :
       {std::pair(1U, 3000), {2U, 1500}, {3U, 1000}, {4U, 1000}, {PortModel::all, 1000}}) {
    network.ports.count = ports;
    expect_in_process([&] { return fluid_latency(*topology, list, network) == Time{1000 + shared}; });
  }
  // What a node sends does not share its ports with what comes to it.
  network.ports.count = 1;
  const Schedule exchange = testing::plain_schedule(description, {{1, 0, 100}, {0, 1, 100}, {4, 8, 100}, {8, 12, 100}});
  expect_in_process([&] { return fluid_latency(*topology, exchange, network) == Time{2000}; });
}

TEST(FluidModels, RunProgramsAndWhatTheyCompute)
{
  const auto description = grid("mesh", {2});
  const auto topology = make_topology(description);
  NetworkParameters network = testing::small_network();
  network.per_hop = {};
  std::istringstream text("num_ranks 2\nrank 0 {\ns: send 100b to 1 tag 0\n}\nrank 1 {\n"
                          "r: recv 100b from 0 tag 0\nc: calc 7\nc requires r\n}\n");
  Schedule program = program_schedule(read_program(text, "test"), {NodeId{0}, NodeId{1}});
  program.topology = description;
  expect_in_process([&] { return fluid_latency(*topology, program, network) == Time{2000 + 7000}; });
}

TEST(FluidModels, AddAndReportReadiness)
{
  const auto description = grid("mesh", {2});
  const auto topology = make_topology(description);
  NetworkParameters network = testing::small_network();
  network.per_hop = {};
  Schedule exchange;
  exchange.topology = description;
  exchange.operation = Operation::all_reduce;
  exchange.message_bytes = 100;
  const BlockSetId block = exchange.block_sets.intern({0, 1});
  exchange.messages = {{0, NodeId{0}, NodeId{1}, block}, {0, NodeId{1}, NodeId{0}, block}};
  const Schedule ready = with_ready_messages(exchange, 2, 0);
  for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
    RunParameters run;
    run.mode = mode;
    run.computation.reduce = read_time_table("100B 300ps");
    // The reports have no bytes: the start-up alone.
    expect_in_process([&] { return fluid_latency(*topology, ready, network, run) == Time{1000 + 2000 + 300}; });
  }
}

} // namespace
} // namespace wormcast
