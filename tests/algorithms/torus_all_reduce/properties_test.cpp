// The all-reduce algorithms of tori on random sizes: complete, every contribution once, costs by their formulas; and
// what they refuse.

#include "tests/algorithms/collective/networks.hpp"
#include "wormcast/algorithms/torus_all_reduce/double_binary_tree.hpp"
#include "wormcast/algorithms/torus_all_reduce/hamiltonian_cycles.hpp"
#include "wormcast/algorithms/torus_all_reduce/swing.hpp"
#include "wormcast/algorithms/verifier/schedule_bounds.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace wormcast {
namespace {

using testing::mesh;
using testing::torus;

using Sizes = std::vector<std::int64_t>;

struct Asked {
  std::string algorithm;
  std::string operation = "all_reduce";
  bool all_ports = true;
  std::string variant = {};
};

Schedule made(const Topology& topology, const Asked& asked)
{
  const Algorithm& algorithm = find_algorithm(asked.algorithm);
  std::map<std::string, RawValue, std::less<>> raw = {{"operation", asked.operation}};
  if (!asked.variant.empty()) {
    raw.emplace("variant", asked.variant);
  }
  ScheduleRequest request;
  request.message_bytes = 1;
  request.ports.count = asked.all_ports ? PortModel::all : 1;
  request.parameters = read_parameters(algorithm.parameters, raw);
  Schedule schedule = make_schedule(algorithm, topology, request);
  schedule.message_bytes = parts_of_message(schedule);
  return schedule;
}

CheckReport checked(const Topology& topology, const Asked& asked)
{
  const CheckReport report = check_schedule(topology, made(topology, asked));
  EXPECT_TRUE(report.complete && report.possession && report.counted_once)
      << asked.algorithm << " " << asked.operation << " " << asked.variant << " on " << topology.title() << ": "
      << (report.violations.empty() ? "" : report.violations[0].text);
  return report;
}

std::int64_t product(const Sizes& sizes)
{
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

/// One to three sizes from a list, at most `most` nodes together.
Sizes some_sizes(const Sizes& choices, std::int64_t most)
{
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, 4);
  Sizes sizes;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::int64_t size = *rc::gen::elementOf(choices);
    if (product(sizes) * size <= most) {
      sizes.push_back(size);
    }
  }
  return sizes.empty() ? Sizes{choices.front()} : sizes;
}

std::string some_operation()
{
  return *rc::gen::element<std::string>("all_reduce", "reduce_scatter", "all_gather");
}

/// In message lengths of the operation: a half is half of an all_reduce, and an all_gather counts in blocks of a node.
Fraction for_operation(Fraction of_all_reduce, const std::string& operation, std::int64_t nodes)
{
  return operation == "all_reduce"       ? of_all_reduce
         : operation == "reduce_scatter" ? of_all_reduce / 2
                                         : of_all_reduce / 2 * nodes;
}

RC_GTEST_PROP(TorusAllReduce, ExchangesServeTotalExchange, ())
{
  const std::string name = *rc::gen::element<std::string>("swing", "torus_doubling", "trivance");
  const Sizes sizes = name == "trivance" ? some_sizes({1, 3, 9}, 81)
                      : name == "swing"  ? some_sizes({2, 4, 6, 8, 10, 12}, 128)
                                         : some_sizes({1, 2, 4, 8, 16}, 128);
  const auto topology = torus(sizes);
  const CheckReport report = checked(*topology, {.algorithm = name, .operation = "total_exchange"});
  const Schedule schedule = made(*topology, {.algorithm = name, .operation = "total_exchange"});
  RC_ASSERT(report.costs.alpha == step_count(schedule));
  const bool powers = std::ranges::all_of(sizes, [](std::int64_t size) { return (size & (size - 1)) == 0; });
  for (const Message& message : schedule.messages) {
    RC_ASSERT(!powers || 2 * schedule.block_sets.size(message.blocks) == topology->node_count());
  }
}

RC_GTEST_PROP(TorusAllReduce, ReducesAreBroadcastsBackwards, ())
{
  const std::string name = *rc::gen::element<std::string>("bucket", "swing", "torus_doubling", "trivance");
  const Sizes sizes = name == "trivance" ? some_sizes({1, 3, 9}, 81) : some_sizes({2, 4, 8}, 128);
  const std::string variant = name == "bucket" ? "" : *rc::gen::element<std::string>("bandwidth", "latency");
  const auto topology = torus(sizes);
  const CheckReport reduce = checked(*topology, {.algorithm = name, .operation = "reduce", .variant = variant});
  const CheckReport broadcast = checked(*topology, {.algorithm = name, .operation = "broadcast", .variant = variant});
  RC_ASSERT(reduce.costs.alpha == broadcast.costs.alpha);
  RC_ASSERT(reduce.costs.beta == broadcast.costs.beta);
  RC_ASSERT(reduce.ports_needed.count == broadcast.ports_needed.count);
}

TEST(TorusAllReduce, TotalExchangeIsOfWholeBlocks)
{
  const auto refusal = [](const Topology& topology, std::int64_t shares) {
    const Algorithm& algorithm = find_algorithm("swing");
    ScheduleRequest request;
    request.parameters =
        read_parameters(algorithm.parameters, {{"operation", std::string("all_to_all")}, {"shares", shares}});
    try {
      make_schedule(algorithm, topology, request);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(*torus({4, 4}), 1), "");
  EXPECT_EQ(refusal(*torus({4, 4}), 2),
            "swing: found shares = 2 for total_exchange, expected 1: its blocks are not cut");
  EXPECT_EQ(refusal(*torus({256, 256}), 1),
            "swing needs at most 65535 nodes for a total exchange; the torus 256 x 256 has 65536");
}

RC_GTEST_PROP(TorusAllReduce, BucketServesEverySize, ())
{
  const Sizes sizes = some_sizes({1, 2, 3, 4, 5, 6, 7}, 120);
  const bool wraps = *rc::gen::arbitrary<bool>();
  const auto topology = wraps ? torus(sizes, *rc::gen::element<std::string>("no_wrap", "positive")) : mesh(sizes);
  const std::string operation = some_operation();
  const bool all_ports = *rc::gen::arbitrary<bool>();
  const CheckReport report =
      checked(*topology, {.algorithm = "bucket", .operation = operation, .all_ports = all_ports});
  const std::int64_t nodes = product(sizes);
  std::uint64_t steps = 0;
  std::int64_t longest = 1;
  std::int64_t dimensions = 0;
  for (const std::int64_t size : sizes) {
    steps += static_cast<std::uint64_t>(size - 1);
    longest = std::max(longest, size);
    dimensions += size > 1 ? 1 : 0;
  }
  if (all_ports) {
    steps = static_cast<std::uint64_t>(dimensions * (longest - 1));
  } else {
    RC_ASSERT(report.costs.beta == for_operation(Fraction(2 * (nodes - 1), nodes), operation, nodes));
  }
  RC_ASSERT(report.costs.alpha == (operation == "all_reduce" ? 2 * steps : steps));
  const bool has_side_of_two = std::ranges::find(sizes, 2) != sizes.end();
  const bool equal = std::ranges::all_of(sizes, [&](std::int64_t size) { return size == sizes[0]; });
  if (!all_ports || !has_side_of_two) {
    RC_ASSERT(report.contention_free && report.ports);
  }
  if (all_ports && equal && nodes > 1 && !has_side_of_two) {
    const Fraction bound(nodes - 1, nodes * dimensions);
    RC_ASSERT(report.costs.beta == for_operation(wraps ? bound : 2 * bound, operation, nodes));
    RC_ASSERT(report.costs.fair_beta == report.costs.beta);
  }
}

RC_GTEST_PROP(TorusAllReduce, HamiltonianRingsReachTheBoundOnEveryTorus, ())
{
  const Sizes sizes = some_sizes({3, 4, 5, 6, 7, 8}, 100);
  const auto topology = torus(sizes);
  const std::string operation = some_operation();
  const CheckReport report = checked(*topology, {.algorithm = "hamiltonian_rings", .operation = operation});
  RC_ASSERT(report.ports && report.contention_free);
  const BroadcastBounds bounds = reduction_bounds(*topology, *find_operation(operation), {PortModel::all});
  RC_ASSERT(report.costs.beta == bounds.bytes);
  RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(product(sizes) - 1) * (operation == "all_reduce" ? 2 : 1));
}

void expect_edge_disjoint_cycles(const Topology& topology, std::size_t expected)
{
  const auto& grid = dynamic_cast<const Grid&>(topology);
  const std::vector<std::vector<NodeId>> cycles = hamiltonian_cycles(grid, "test");
  ASSERT_EQ(cycles.size(), expected);
  std::set<std::pair<NodeId, NodeId>> links;
  for (const std::vector<NodeId>& cycle : cycles) {
    EXPECT_EQ(std::set<NodeId>(cycle.begin(), cycle.end()).size(), grid.node_count());
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const NodeId from = cycle[i];
      const NodeId to = cycle[(i + 1) % cycle.size()];
      EXPECT_EQ(grid.distance(from, to), 1U);
      EXPECT_TRUE(links.insert(std::minmax(from, to)).second);
    }
  }
}

TEST(TorusAllReduce, HamiltonianCyclesShareNoLink)
{
  for (std::int64_t x = 3; x <= 17; ++x) {
    for (std::int64_t y = 3; y <= 17; ++y) {
      SCOPED_TRACE(x);
      SCOPED_TRACE(y);
      expect_edge_disjoint_cycles(*torus({x, y}), 2);
    }
  }
  for (const Sizes& sizes : std::vector<Sizes>{{64, 64},
                                               {5},
                                               {3, 3, 3},
                                               {4, 4, 4},
                                               {3, 4, 6},
                                               {6, 6, 6},
                                               {8, 8, 8},
                                               {3, 3, 3, 3},
                                               {4, 4, 4, 4},
                                               {3, 4, 5, 3},
                                               {6, 3, 4, 4}}) {
    SCOPED_TRACE(sizes.size());
    expect_edge_disjoint_cycles(*torus(sizes), sizes.size());
  }
  for (const Sizes& sizes : std::vector<Sizes>{{2, 2}, {4, 5}, {5, 4}, {2, 7}, {7, 2}, {6, 6}}) {
    expect_edge_disjoint_cycles(*mesh(sizes), 1);
  }
}

RC_GTEST_PROP(TorusAllReduce, SwingServesEvenSizes, ())
{
  const Sizes sizes = some_sizes({2, 4, 6, 8, 10, 12, 14, 18}, 150);
  const bool wraps = *rc::gen::arbitrary<bool>();
  const auto topology = wraps ? torus(sizes, *rc::gen::element<std::string>("no_wrap", "positive")) : mesh(sizes);
  const std::string operation = some_operation();
  const bool all_ports = *rc::gen::arbitrary<bool>();
  const CheckReport report = checked(*topology, {.algorithm = "swing", .operation = operation, .all_ports = all_ports});
  std::uint64_t steps = 0;
  for (const std::int64_t size : sizes) {
    steps += static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(size - 1)));
  }
  RC_ASSERT(report.costs.alpha == (operation == "all_reduce" ? 2 * steps : steps));
  if (!all_ports) {
    RC_ASSERT(report.ports);
  }
}

TEST(TorusAllReduce, SwingServesEveryRing)
{
  for (std::int64_t size = 1; size <= 70; ++size) {
    for (const bool all_ports : {true, false}) {
      checked(*torus({size}), {.algorithm = "swing", .all_ports = all_ports});
    }
  }
  EXPECT_EQ(swing_distance(0), 1);
  EXPECT_EQ(swing_distance(1), -1);
  EXPECT_EQ(swing_distance(4), 11);
  EXPECT_EQ(swing_distance(5), -21);
}

RC_GTEST_PROP(TorusAllReduce, ExchangesKeepTheirFormulas, ())
{
  const std::string algorithm = *rc::gen::element<std::string>("swing", "torus_doubling", "trivance");
  const bool three = algorithm == "trivance";
  const Sizes sizes = three ? some_sizes({3, 9, 27}, 250) : some_sizes({2, 4, 8, 16}, 256);
  const auto topology = three || *rc::gen::arbitrary<bool>() ? torus(sizes) : mesh(sizes);
  const bool all_ports = three || *rc::gen::arbitrary<bool>();
  const auto dimensions = static_cast<std::int64_t>(sizes.size());
  const std::int64_t nodes = product(sizes);
  std::int64_t steps = 0;
  for (std::int64_t reached = 1; reached < nodes; reached *= three ? 3 : 2) {
    ++steps;
  }
  const std::int64_t collectives = !all_ports ? 1 : three ? dimensions : 2 * dimensions;
  const std::string operation = some_operation();
  const CheckReport blocks = checked(
      *topology, {.algorithm = algorithm, .operation = operation, .all_ports = all_ports, .variant = "bandwidth"});
  RC_ASSERT(blocks.costs.alpha == static_cast<std::uint64_t>(operation == "all_reduce" ? 2 * steps : steps));
  // Trivance sends half of what is left each way.
  const Fraction share(three ? nodes - 1 : 2 * (nodes - 1), nodes * collectives);
  RC_ASSERT(blocks.costs.beta == for_operation(share, operation, nodes));
  RC_ASSERT(blocks.costs.messages == static_cast<std::uint64_t>((operation == "all_reduce" ? 2 : 1) * collectives *
                                                                nodes * steps * (three ? 2 : 1)));
  const CheckReport results =
      checked(*topology, {.algorithm = algorithm, .all_ports = all_ports, .variant = "latency"});
  RC_ASSERT(results.costs.alpha == static_cast<std::uint64_t>(steps));
  RC_ASSERT(results.costs.beta == Fraction(steps, collectives));
  const auto is_free = [&](std::int64_t size) { return size == (three ? 3 : 4); };
  if (algorithm != "torus_doubling" && std::ranges::all_of(sizes, is_free) && topology->description().kind == "torus") {
    RC_ASSERT(blocks.contention_free && results.contention_free && blocks.ports);
    RC_ASSERT(blocks.costs.beta ==
              reduction_bounds(*topology, *find_operation(operation), {all_ports ? PortModel::all : 1}).bytes);
  }
}

TEST(TorusAllReduce, DoubleBinaryTreesAskForOnePort)
{
  const std::map<std::uint32_t, std::uint32_t> depths = {{4, 4},    {8, 5},    {16, 8},    {32, 9}, {64, 12}, {128, 13},
                                                         {256, 16}, {512, 17}, {1024, 20}, {25, 9}, {100, 14}};
  for (std::uint32_t ranks = 1; ranks <= 1030; ++ranks) {
    const SegmentTrees trees = double_binary_trees(ranks);
    std::uint32_t depth = 0;
    std::set<std::pair<NodeId, std::uint32_t>> sends; // with the parity of the step
    std::set<std::pair<NodeId, std::uint32_t>> receives;
    for (const std::vector<TreeEdge>& edges : trees.trees) {
      ASSERT_EQ(edges.size(), ranks - 1);
      for (const TreeEdge& edge : edges) {
        depth = std::max(depth, edge.start + 1);
        ASSERT_TRUE(sends.insert({edge.from, edge.start % 2}).second) << ranks;
        ASSERT_TRUE(receives.insert({edge.to, edge.start % 2}).second) << ranks;
      }
    }
    if (depths.contains(ranks)) {
      EXPECT_EQ(depth, depths.at(ranks)) << ranks;
    }
  }
}

RC_GTEST_PROP(TorusAllReduce, DoubleBinaryTreeServesEverySize, ())
{
  const Sizes sizes = some_sizes({1, 2, 3, 4, 5, 6, 7}, 120);
  const auto topology = *rc::gen::arbitrary<bool>() ? torus(sizes) : mesh(sizes);
  const auto segments = *rc::gen::inRange<std::int64_t>(1, 9);
  const Schedule schedule =
      testing::schedule_of("double_binary_tree", *topology, NodeId{0}, 1 << 20,
                           {{"segments", segments}, {"map", *rc::gen::element<std::string>("rows", "snake")}});
  const CheckReport report = check_schedule(*topology, schedule);
  RC_ASSERT(report.valid());
  RC_ASSERT(report.costs.messages == static_cast<std::uint64_t>(4 * segments * (product(sizes) - 1)));
}

/// The faster one where links are shared fairly: partial results for short messages, blocks for long ones.
TEST(TorusAllReduce, TheBestVariantDependsOnTheLength)
{
  const Algorithm& swing = find_algorithm("swing");
  const auto topology = torus({8, 8});
  ScheduleRequest request;
  request.ports.count = PortModel::all;
  request.parameters = read_parameters(swing.parameters, {{"variant", std::string("best")}});
  request.costs = MessageCosts{Time{1'000'000}, Time{20}, Time{0}};
  const auto best_for = [&](std::uint64_t bytes) {
    request.message_bytes = bytes;
    return make_schedule(swing, *topology, request).chosen.text("variant");
  };
  // 6 T_s + 5/2 L T_c against 12 T_s + 69/128 L T_c.
  const std::uint64_t crossing = 6 * 1'000'000 * 128 / (251 * 20);
  EXPECT_EQ(best_for(crossing - 1), "latency");
  EXPECT_EQ(best_for(crossing + 1), "bandwidth");
  request.parameters.set("operation", std::string("reduce_scatter"));
  EXPECT_EQ(best_for(1), "bandwidth");
}

void expect_error(const Topology& topology, const Asked& asked, const std::string& text)
{
  try {
    made(topology, asked);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), text);
  }
}

TEST(TorusAllReduce, RefusesSizesThatItCannotServe)
{
  expect_error(
      *torus({4, 2}), {.algorithm = "hamiltonian_rings"},
      "hamiltonian_rings needs sizes of at least 3 on a torus; the y size of the torus 4 x 2 is 2, whose rings "
      "have one link only");
  expect_error(*mesh({3, 5}), {.algorithm = "hamiltonian_rings"},
               "hamiltonian_rings needs an even number of rows or columns on a mesh; the mesh 3 x 5 has no closed path "
               "through all nodes; the nearest size is 3 x 6");
  expect_error(*mesh({4, 4, 4}), {.algorithm = "hamiltonian_rings"},
               "hamiltonian_rings needs a torus or a mesh of 2 dimensions; the mesh 4 x 4 x 4 has 3");
  expect_error(*torus({3, 3, 3, 3, 3}), {.algorithm = "hamiltonian_rings"},
               "hamiltonian_rings needs a torus of at most 4 dimensions; the torus 3 x 3 x 3 x 3 x 3 has 5");
  expect_error(
      *torus({4, 7}), {.algorithm = "swing"},
      "swing needs even sizes with more than one dimension; the y size of the torus 4 x 7 is 7; the nearest are "
      "6 and 8");
  expect_error(*torus({4, 6}), {.algorithm = "swing", .variant = "latency"},
               "swing with variant = \"latency\" needs sizes that are powers of 2; the y size of the torus 4 x 6 is 6; "
               "the nearest is 4");
  expect_error(*torus({7, 4}), {.algorithm = "torus_doubling"},
               "torus_doubling needs sizes that are powers of 2; the x size of the torus 7 x 4 is 7; the nearest is 8");
  expect_error(*torus({3, 8}), {.algorithm = "trivance"},
               "trivance needs sizes that are powers of 3; the y size of the torus 3 x 8 is 8; the nearest is 9");
  expect_error(*mesh({3, 3}), {.algorithm = "trivance"}, "trivance runs on a torus, not on a mesh 3 x 3");
  expect_error(*torus({3, 3}), {.algorithm = "trivance", .all_ports = false},
               "trivance: found ports = 1, expected \"all\": every node sends both ways at once");
  expect_error(*torus({4, 4}), {.algorithm = "swing", .operation = "all_gather", .variant = "latency"},
               "swing: found variant = \"latency\" for multinode_broadcast, expected \"bandwidth\": only all_reduce, "
               "broadcast and reduce have both");
}

} // namespace
} // namespace wormcast
