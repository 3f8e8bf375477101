// What moving and reflecting the source changes, and that a simulation in lockstep measures the prediction where steps
// are free of contention.

#include "tests/algorithms/grids.hpp"
#include "tests/algorithms/rank_order/broadcasts.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/grid.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace wormcast {
namespace {

using testing::CompleteNetwork;
using testing::grid;
using testing::schedule_of;

using Raw = std::map<std::string, RawValue, std::less<>>;

struct Variant {
  std::string name;
  Raw parameters;
};

std::ostream& operator<<(std::ostream& out, const Variant& variant)
{
  return out << variant.name;
}

// Built on flips of coordinate bits. Piece size d = 1 of network partitioning fits all sizes from 2 on.
const std::vector<Variant> bit_flips = {
    {"recursive_doubling", {}},
    {"scatter_collect", {}},
    {"network_partitioning", {{"d", std::int64_t{1}}, {"inner", "recursive_doubling"}}},
    {"network_partitioning", {{"d", std::int64_t{1}}, {"inner", "scatter_collect"}}},
    {"recursion_based", {{"reduction", "pairwise"}}},
    {"recursion_based", {{"reduction", "ring"}}},
};

// Made for an eye or for node 0 of a torus and moved from there to the source.
const std::vector<Variant> moved = {
    {"minimum_tcd", {{"order", "paper"}}},
    {"minimum_tcd", {{"order", "best"}}},
    {"minimum_tcd", {{"order", "naive"}}},
    {"recursive_halving_tcd", {}},
};

// Two dimensions of any powers of two from 2 to 16, or a cube.
std::vector<std::int64_t> any_powers_of_two()
{
  if (*rc::gen::inRange(0, 3) == 0) {
    return std::vector<std::int64_t>(3, *rc::gen::element<std::int64_t>(2, 4));
  }
  return {1 << *rc::gen::inRange(1, 5), 1 << *rc::gen::inRange(1, 5)};
}

NodeId any_node(const Topology& topology)
{
  return NodeId{*rc::gen::inRange<std::uint32_t>(0, topology.node_count())};
}

std::string any_tie()
{
  return *rc::gen::element<std::string>("no_wrap", "positive");
}

NetworkParameters any_network()
{
  NetworkParameters network;
  network.startup = Time{*rc::gen::inRange<std::int64_t>(0, 100000)};
  network.per_byte = Time{*rc::gen::inRange<std::int64_t>(1, 50)};
  network.buffer_flits = 20;
  network.per_hop = Time{*rc::gen::inRange<std::int64_t>(0, 20)};
  return network;
}

struct Measured {
  Time latency;
  std::vector<Time> deliveries; ///< in ascending order

  friend bool operator==(const Measured&, const Measured&) = default;
};

Measured measure(const Topology& topology, const Schedule& schedule, const NetworkParameters& network)
{
  const SimulationResult result = simulate_core(topology, schedule, network, {.mode = Mode::lockstep});
  Measured measured{result.latency.value(), {}};
  for (const std::optional<Time>& delivered : result.delivered) {
    measured.deliveries.push_back(delivered.value());
  }
  std::ranges::sort(measured.deliveries);
  return measured;
}

Measured measure(const Variant& variant, const Topology& topology, NodeId source, const NetworkParameters& network)
{
  return measure(topology, schedule_of(variant.name, topology, source, 4096, variant.parameters), network);
}

// Step, sender, receiver, bytes; nodes as seen from `origin`.
using RelativeMessage = std::tuple<std::uint32_t, std::vector<std::int64_t>, std::vector<std::int64_t>, std::uint64_t>;

std::multiset<RelativeMessage> seen_from(const Grid& torus, const Schedule& schedule, NodeId origin)
{
  const std::vector<std::int64_t> bytes_of_set = [&] {
    const std::vector<std::uint64_t> bytes = block_set_bytes(schedule);
    return std::vector<std::int64_t>(bytes.begin(), bytes.end());
  }();
  const auto relative = [&](NodeId node) {
    std::vector<std::int64_t> coordinates = torus.coordinates(node);
    for (std::size_t axis = 0; axis < coordinates.size(); ++axis) {
      const std::int64_t size = torus.sizes()[axis];
      coordinates[axis] = (coordinates[axis] - torus.coordinate(origin, axis) + size) % size;
    }
    return coordinates;
  };
  std::multiset<RelativeMessage> result;
  for (const Message& message : schedule.messages) {
    result.emplace(message.step, relative(message.source), relative(message.destination),
                   bytes_of_set[static_cast<std::uint32_t>(message.blocks)]);
  }
  return result;
}

// The nodes at the same XOR offsets from another source do the same, at other distances; but in every step the
// distances of all messages together are the same.
RC_GTEST_PROP(TorusTranslation, ChangesNoTimeOfBitFlips, ())
{
  const auto torus = make_topology(grid("torus", any_powers_of_two()), {"", any_tie()});
  const Variant variant = *rc::gen::elementOf(bit_flips);
  const NetworkParameters network = any_network();
  RC_ASSERT(measure(variant, *torus, any_node(*torus), network) == measure(variant, *torus, any_node(*torus), network));
}

RC_GTEST_PROP(TorusTranslation, MovesEveryMessageOfTcdBroadcasts, ())
{
  const Variant variant = *rc::gen::elementOf(moved);
  std::vector<std::int64_t> dims = any_powers_of_two();
  if (variant.name == "minimum_tcd") {
    std::ranges::fill(dims, dims[0]);
  }
  const auto torus = make_topology(grid("torus", dims), {"", any_tie()});
  const auto& on_grid = dynamic_cast<const Grid&>(*torus);
  const NodeId a = any_node(*torus);
  const NodeId b = any_node(*torus);
  RC_ASSERT(seen_from(on_grid, schedule_of(variant.name, *torus, a, 64, variant.parameters), a) ==
            seen_from(on_grid, schedule_of(variant.name, *torus, b, 64, variant.parameters), b));
  const NetworkParameters network = any_network();
  RC_ASSERT(measure(variant, *torus, a, network) == measure(variant, *torus, b, network));
}

// With an even number of rows in the last dimension the snake's end is a neighbour of its begin.
RC_GTEST_PROP(TorusTranslation, ChangesNoTimeOfAClosedSnake, ())
{
  std::vector<std::int64_t> dims = {*rc::gen::inRange<std::int64_t>(1, 9)};
  while (dims.size() < 3 && *rc::gen::element(true, false)) {
    dims.push_back(*rc::gen::inRange<std::int64_t>(1, 5));
  }
  dims.push_back(2 * *rc::gen::inRange<std::int64_t>(1, 4));
  const auto torus = make_topology(grid("torus", dims), {"", any_tie()});
  const Variant snake = {"line_pipeline", {{"order", "snake"}, {"segments", *rc::gen::inRange<std::int64_t>(1, 9)}}};
  const NetworkParameters network = any_network();
  RC_ASSERT(measure(snake, *torus, any_node(*torus), network) == measure(snake, *torus, any_node(*torus), network));
}

// Why the others do not have it: a closed line has hops of different lengths, the source is at one place or another of
// halves of different sizes, ranks go round in the order of the ids and not of the rings.
TEST(TorusTranslation, ChangesTimesOfTheOthers)
{
  NetworkParameters network;
  network.startup = Time{1000};
  network.per_byte = Time{1};
  network.per_hop = Time{10};
  network.buffer_flits = 10;
  network.virtual_channels = 2; // worms that wait for each other round a ring would not arrive
  const auto latencies = [&](const Variant& variant, std::vector<std::int64_t> dims) {
    const auto torus = make_topology(grid("torus", std::move(dims)));
    std::set<Time> different;
    for (std::uint32_t source = 0; source < torus->node_count(); ++source) {
      const Schedule schedule = schedule_of(variant.name, *torus, NodeId{source}, 64, variant.parameters);
      different.insert(measure(*torus, schedule, network).latency);
    }
    return different.size();
  };
  EXPECT_GT(latencies({"line_pipeline", {{"order", "rows"}, {"segments", std::int64_t{3}}}}, {4, 4}), 1U);
  EXPECT_GT(latencies({"line_pipeline", {{"order", "snake"}, {"segments", std::int64_t{3}}}}, {4, 5}), 1U);
  EXPECT_GT(latencies({"recursive_doubling", {}}, {5, 4}), 1U);
  EXPECT_GT(latencies({"scatter_collect", {}}, {5, 4}), 1U);
  for (const std::string name :
       {"binomial_tree", "scatter_all_gather", "segmented_chain", "bine_tree", "round_optimal"}) {
    EXPECT_GT(latencies({name, {}}, {8, 8}), 1U) << name;
  }
}

NodeId reflected(const Grid& mesh, NodeId node, const std::vector<bool>& axes)
{
  std::vector<std::int64_t> coordinates = mesh.coordinates(node);
  for (std::size_t axis = 0; axis < coordinates.size(); ++axis) {
    if (axes[axis]) {
      coordinates[axis] = mesh.sizes()[axis] - 1 - coordinates[axis];
    }
  }
  return mesh.node_at(coordinates);
}

// A reflection complements all bits of a coordinate. (tcd_broadcast_test.cpp has the TCD broadcasts.)
RC_GTEST_PROP(MeshReflection, ChangesNoTcdAndNoTimeOfBitFlips, ())
{
  const auto mesh = make_topology(grid("mesh", any_powers_of_two()));
  const auto& on_grid = dynamic_cast<const Grid&>(*mesh);
  const Variant variant = *rc::gen::elementOf(bit_flips);
  const NodeId source = any_node(*mesh);
  const NodeId mirrored = reflected(
      on_grid, source, *rc::gen::container<std::vector<bool>>(on_grid.sizes().size(), rc::gen::arbitrary<bool>()));
  const auto tcd = [&](NodeId from) {
    return schedule_costs(*mesh, schedule_of(variant.name, *mesh, from, 4096, variant.parameters)).tcd;
  };
  RC_ASSERT(tcd(source) == tcd(mirrored));
  const NetworkParameters network = any_network();
  RC_ASSERT(measure(variant, *mesh, source, network).latency == measure(variant, *mesh, mirrored, network).latency);
}

// Halves of different sizes are not symmetric (the lower one is the larger), nor is a line cut before the source.
TEST(MeshReflection, ChangesTheTcdOfTheOthers)
{
  const auto tcd = [](const std::string& name, std::vector<std::int64_t> dims, NodeId source) {
    const auto mesh = make_topology(grid("mesh", std::move(dims)));
    return schedule_costs(*mesh, schedule_of(name, *mesh, source, 4096)).tcd;
  };
  EXPECT_NE(tcd("recursive_doubling", {5}, NodeId{0}), tcd("recursive_doubling", {5}, NodeId{4}));
  EXPECT_NE(tcd("scatter_collect", {5}, NodeId{0}), tcd("scatter_collect", {5}, NodeId{4}));
  EXPECT_NE(tcd("line_pipeline", {4, 4}, NodeId{0}), tcd("line_pipeline", {4, 4}, NodeId{3}));
}

void expect_the_prediction(const Topology& topology, const Schedule& schedule)
{
  NetworkParameters network = any_network();
  network.per_hop = Time{0};
  const SimulationResult result = simulate_core(topology, schedule, network, {.mode = Mode::lockstep});
  const ScheduleCosts costs = schedule_costs(topology, schedule);
  RC_ASSERT(result.contention.none());
  RC_ASSERT(result.latency == static_cast<std::int64_t>(costs.alpha) * network.startup +
                                  time_of_bytes(network.per_byte, costs.beta_bytes).value());
}

// At least a byte a block: a message without bytes still has a header.
std::uint64_t any_length(std::uint64_t blocks)
{
  return blocks + *rc::gen::inRange<std::uint64_t>(0, 5000);
}

RC_GTEST_PROP(Lockstep, MeasuresThePredictionOnPowersOfTwo, ())
{
  const auto topology = make_topology(grid(*rc::gen::element<std::string>("mesh", "torus"), any_powers_of_two()));
  const Variant variant = *rc::gen::elementOf(bit_flips);
  expect_the_prediction(*topology,
                        schedule_of(variant.name, *topology, any_node(*topology),
                                    any_length(2 * std::uint64_t{topology->node_count()}), variant.parameters));
}

RC_GTEST_PROP(Lockstep, MeasuresThePredictionOnAllSizes, ())
{
  const std::vector<std::int64_t> dims = {*rc::gen::inRange<std::int64_t>(1, 10),
                                          *rc::gen::inRange<std::int64_t>(1, 10)};
  const auto topology = make_topology(grid(*rc::gen::element<std::string>("mesh", "torus"), dims));
  const Variant variant =
      *rc::gen::element(Variant{"recursive_doubling", {}}, Variant{"scatter_collect", {}},
                        Variant{"line_pipeline", {{"order", "snake"}}}, Variant{"line_pipeline", {{"order", "rows"}}});
  expect_the_prediction(*topology, schedule_of(variant.name, *topology, any_node(*topology),
                                               any_length(topology->node_count() + 16), variant.parameters));
}

RC_GTEST_PROP(Lockstep, MeasuresThePredictionInRankOrderOnACompleteNetwork, ())
{
  const auto name = *rc::gen::element<std::string>("binomial_tree", "scatter_all_gather", "segmented_chain",
                                                   "bine_tree", "round_optimal");
  const bool power_of_two = name == "scatter_all_gather" || name == "bine_tree";
  const CompleteNetwork network(power_of_two ? 1U << *rc::gen::inRange(0, 6) : *rc::gen::inRange(1U, 40U));
  expect_the_prediction(network, schedule_of(name, network, any_node(network), any_length(network.node_count() + 16)));
}

} // namespace
} // namespace wormcast
