// The all-reduce algorithms of tori on worms: closed forms where nothing contends, golden latencies where something
// does.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <numeric>

namespace wormcast {
namespace {

using nlohmann::json;

Schedule schedule_of(const Algorithm& algorithm, const Topology& topology, PortModel ports,
                     const std::map<std::string, RawValue, std::less<>>& raw)
{
  ScheduleRequest request;
  request.message_bytes = std::uint64_t{1} << 20;
  request.ports = ports;
  request.parameters = read_parameters(algorithm.parameters, raw);
  return make_schedule(algorithm, topology, request);
}

/// startups*T_s + hops*T_f + vectors*n*T_c, to the picosecond.
TEST(TorusAllReduceMeasured, LastsAsLongAsTheClosedFormWhereNothingContends)
{
  int measured = 0;
  const json golden = json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/torus-all-reduce.json"));
  for (const json& given : golden["entries"]) {
    const json closed = given.value("closed_latency", json());
    if (closed.is_null() || !closed["exact_with_hops"].get<bool>() || given["algorithm"] == "double_binary_tree" ||
        given["messages"].get<int>() > 6000) {
      continue;
    }
    SCOPED_TRACE(given["name"].get<std::string>());
    const auto topology =
        make_topology(testing::grid(given["topology"], given["dims"].get<std::vector<std::int64_t>>()),
                      {.routing = {}, .tie = given["tie"]});
    const std::string name = given["algorithm"];
    std::map<std::string, RawValue, std::less<>> raw = {{"operation", given["operation"].get<std::string>()}};
    for (const auto& [key, value] : given["params"].items()) {
      raw.emplace(key, value.get<std::string>());
    }
    const PortModel ports{given["ports"] == "all" ? PortModel::all : given["ports"].get<std::uint32_t>()};
    Schedule schedule =
        schedule_of(find_algorithm(name == "recursive_doubling" ? "torus_doubling" : name), *topology, ports, raw);
    schedule.message_bytes = parts_of_message(schedule) * 64;
    NetworkParameters network;
    network.startup = Time{3'000'000};
    network.per_hop = Time{70'000};
    network.per_byte = Time{20};
    network.flit_bytes = 1;
    network.buffer_flits = 5'000;
    network.virtual_channels = given["topology"] == "mesh" ? 1 : 2;
    network.ports = ports;
    const std::string text = closed["vectors"];
    const std::size_t slash = text.find('/');
    const Fraction vectors(std::stoll(text), slash == std::string::npos ? 1 : std::stoll(text.substr(slash + 1)));
    const Fraction bytes = vectors * static_cast<std::int64_t>(schedule.message_bytes);
    ASSERT_EQ(bytes.denominator(), 1);
    const std::int64_t expected = closed["startups"].get<std::int64_t>() * 3'000'000 +
                                  closed["hops"].get<std::int64_t>() * 70'000 + bytes.numerator() * 20;
    EXPECT_EQ(simulate_core(*topology, schedule, network, {}).latency, Time{expected});
    ++measured;
  }
  EXPECT_GE(measured, 25);
}

/// The latency of Swing in units of n*T_c/D at T_s = T_f = 0, n = so many KiB for each node, or "deadlock".
std::string swing_on_worms(const std::vector<std::int64_t>& sizes, std::uint32_t virtual_channels,
                           std::uint64_t kib = 4)
{
  const auto topology = make_topology(testing::grid("torus", sizes));
  Schedule schedule = schedule_of(find_algorithm("swing"), *topology, {PortModel::all}, {});
  schedule.message_bytes = 1024 * kib * topology->node_count();
  NetworkParameters network;
  network.startup = Time{0};
  network.per_hop = Time{0};
  network.per_byte = Time{20};
  network.flit_bytes = 64;
  network.buffer_flits = 8;
  network.virtual_channels = virtual_channels;
  network.ports.count = PortModel::all;
  const SimulationResult result = simulate_core(*topology, schedule, network, {});
  if (!result.latency) {
    return "deadlock";
  }
  return fmt::format("{:.4f}", static_cast<double>(result.latency->picoseconds) * static_cast<double>(sizes.size()) /
                                   (static_cast<double>(schedule.message_bytes) * 20));
}

/// Independent measurements, in lockstep with ties by ids; the last value of each row is the load of the channels.
TEST(TorusAllReduceMeasured, SwingContendsOnWorms)
{
  EXPECT_EQ(swing_on_worms({4, 4}, 1), "0.9375");
  EXPECT_EQ(swing_on_worms({8, 8}, 1), "deadlock");
  EXPECT_EQ(swing_on_worms({8, 8}, 2), "1.3281");
  EXPECT_EQ(swing_on_worms({8, 8}, 4), "1.1963");
  EXPECT_EQ(swing_on_worms({8, 8}, 6), "1.0781");
  EXPECT_EQ(swing_on_worms({4, 8}, 2), "1.4531");
  EXPECT_EQ(swing_on_worms({4, 8}, 4), "1.2402");
  EXPECT_EQ(swing_on_worms({4, 8}, 8), "1.1250");
  EXPECT_EQ(swing_on_worms({16}, 2, 2), "3.8125");
  EXPECT_EQ(swing_on_worms({16}, 4, 2), "2.6250");
  EXPECT_EQ(swing_on_worms({16}, 8, 2), "1.4883");
  EXPECT_EQ(swing_on_worms({16}, 10, 2), "1.4375");
}

} // namespace
} // namespace wormcast
