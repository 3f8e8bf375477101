// Broadcasts, scatters and all-gathers turned into reductions.

#include "tests/algorithms/collective/networks.hpp"
#include "wormcast/algorithms/collective/reversal.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace wormcast {
namespace {

using testing::expect_costs;
using testing::hypercube_of;
using testing::mesh;
using testing::schedule_for;
using testing::torus;

std::int64_t power_of_two(int exponent)
{
  return std::int64_t{1} << exponent;
}

TEST(Reversal, KeepsTheCostsOfTheBroadcast)
{
  for (const std::string name : {"recursive_doubling", "scatter_collect", "network_partitioning", "recursion_based",
                                 "minimum_tcd", "recursive_halving_tcd", "line_pipeline"}) {
    const auto topology = mesh({8, 8});
    for (const std::uint32_t root : {0U, 9U, 36U, 63U}) {
      SCOPED_TRACE(name + " " + std::to_string(root));
      const ScheduleCosts broadcast =
          schedule_costs(*topology, testing::schedule_of(name, *topology, NodeId{root}, 1U << 20));
      const Schedule reduce = schedule_for("reduce", name, *topology, root);
      EXPECT_EQ(reduce.operation, Operation::reduce);
      expect_costs(*topology, reduce, broadcast.alpha, broadcast.beta);
    }
  }
}

// The sums of the design: 2^n x 2^n.
TEST(Reversal, AllReduceKeepsTheStepsThatSpreadEachBlockFromOneNode)
{
  for (int n = 1; n <= 4; ++n) {
    SCOPED_TRACE(n);
    const std::int64_t side = power_of_two(n);
    for (const std::uint32_t source : {0U, static_cast<std::uint32_t>(side * side - 1), 1U}) {
      const auto topology = mesh({side, side});
      const auto steps = static_cast<std::uint64_t>(side);
      expect_costs(*topology, schedule_for("all_reduce", "scatter_collect", *topology, source), 4 * steps - 4,
                   Fraction(2) - Fraction(2, side * side));
      expect_costs(*topology, schedule_for("all_reduce", "recursion_based", *topology, source),
                   4 * static_cast<std::uint64_t>(n), Fraction(3) - Fraction(2, side));
      expect_costs(*topology, schedule_for("all_reduce", "recursive_doubling", *topology, source),
                   4 * static_cast<std::uint64_t>(n), Fraction(4 * n));
    }
  }
}

TEST(Reversal, ScatterAllGatherIsRabenseifnersAllReduce)
{
  for (int n = 1; n <= 6; ++n) {
    const auto cube = hypercube_of(n);
    expect_costs(*cube, schedule_for("all_reduce", "scatter_all_gather", *cube), 2 * static_cast<std::uint64_t>(n),
                 Fraction(2) - Fraction(2, power_of_two(n)));
  }
}

TEST(Reversal, OfAHypercubesScatterAndMultinodeBroadcast)
{
  const auto cube = hypercube_of(4);
  expect_costs(*cube, schedule_for("gather", "single_node_scatter", *cube, 5), 15, Fraction(15));
  expect_costs(*cube, schedule_for("reduce_scatter", "multinode_broadcast", *cube), 15, Fraction(15, 16));
  expect_costs(*cube, schedule_for("all_reduce", "multinode_broadcast", *cube), 30, Fraction(30, 16));
  expect_costs(*cube, schedule_for("reduce", "single_node_broadcast", *cube, 9), 4, Fraction(4));
}

TEST(Reversal, PrunesBlocksThatTheReceiverHas)
{
  const auto topology = mesh({4, 4});
  const Schedule broadcast = testing::schedule_of("recursion_based", *topology, NodeId{0}, 1024);
  const Schedule pruned = without_repeats(broadcast, 16);
  const auto carried = [](const Schedule& schedule) {
    std::uint64_t blocks = 0;
    for (const Message& message : schedule.messages) {
      blocks += schedule.block_sets.size(message.blocks);
    }
    return blocks;
  };
  EXPECT_EQ(carried(pruned), 15 * broadcast.blocks) << "each block once to each other node";
  EXPECT_GT(carried(broadcast), carried(pruned));
  EXPECT_TRUE(check_schedule(*topology, pruned).valid());
}

TEST(Reversal, NamesTheOperationsThatAnAlgorithmServes)
{
  const auto topology = mesh({4, 4});
  ScheduleRequest request;
  request.parameters.set("operation", std::string("gather"));
  try {
    make_schedule(find_algorithm("recursion_based"), *topology, request);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "recursion_based does not serve the operation \"gather\", only broadcast, reduce, all_reduce, "
                 "multicast");
  }
}

// Contention of a reduce is that of the broadcast, on every grid and for every root.
RC_GTEST_PROP(ReversalProperty, ReducesAreRightAndFreeOfContention, ())
{
  const bool wraps = *rc::gen::arbitrary<bool>();
  const std::string tie = *rc::gen::element<std::string>("no_wrap", "positive");
  const auto dimensions = *rc::gen::inRange(1, 4);
  std::vector<std::int64_t> powers;
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < dimensions; ++i) {
    powers.push_back(power_of_two(*rc::gen::inRange(0, 4)));
    sizes.push_back(*rc::gen::inRange(1, 8));
  }
  const std::string name = *rc::gen::element<std::string>("recursive_doubling", "scatter_collect", "line_pipeline",
                                                          "binomial_tree", "segmented_chain", "round_optimal");
  const std::vector<std::int64_t>& dims = name == "recursive_doubling" ? powers : sizes;
  const auto topology = wraps ? torus(dims, tie) : mesh(dims);
  const std::uint32_t root = *rc::gen::inRange<std::uint32_t>(0, topology->node_count());
  RC_LOG() << name << " on " << topology->title() << " to " << root << " tie " << tie << std::endl;
  const Schedule reduce = schedule_for("reduce", name, *topology, root);
  const CheckReport report = check_schedule(*topology, reduce);
  RC_ASSERT(report.valid());
  const bool is_free = name != "binomial_tree" && name != "segmented_chain" && name != "round_optimal";
  RC_ASSERT(!is_free || report.contention_free);
  const CheckReport all = check_schedule(*topology, schedule_for("all_reduce", name, *topology, root));
  RC_ASSERT(all.valid());
}

// Trees of segments and cut-off recursion, from the transposed network: contention of a reduce is that of the
// broadcast.
RC_GTEST_PROP(ReversalProperty, ReducesByTreesAndTruncatedRecursionAreFreeOfContention, ())
{
  const std::string name = *rc::gen::element<std::string>("two_combs", "two_trees", "truncated_recursion", "msbt");
  std::unique_ptr<Topology> topology;
  std::map<std::string, RawValue, std::less<>> parameters;
  if (name == "two_combs") {
    topology = mesh({*rc::gen::inRange(2, 8), *rc::gen::inRange(2, 8)});
    parameters["segments"] = std::int64_t{*rc::gen::inRange(1, 9)};
  } else if (name == "two_trees") {
    const std::int64_t side = *rc::gen::element<std::int64_t>(4, 8);
    topology = mesh({side, side});
    parameters["segments"] = std::int64_t{*rc::gen::inRange(1, 9)};
  } else if (name == "msbt") {
    topology = hypercube_of(*rc::gen::inRange(2, 6));
    parameters["segments"] = std::int64_t{*rc::gen::inRange(1, 9)};
  } else {
    const int n = *rc::gen::inRange(1, 5);
    const int m = *rc::gen::inRange(1, 4);
    topology = *rc::gen::arbitrary<bool>()
                   ? mesh({power_of_two(n), power_of_two(m)})
                   : torus({power_of_two(n), power_of_two(m)}, *rc::gen::element<std::string>("no_wrap", "positive"));
    const std::int64_t depth = *rc::gen::inRange(0, std::min(n, m) + 1);
    parameters["depth"] = depth;
    parameters["block"] = std::int64_t{*rc::gen::inRange<std::int64_t>(0, depth + 1)};
    parameters["rounds"] = *rc::gen::element<std::string>("pairwise", "lattice");
  }
  const auto root = *rc::gen::inRange<std::uint32_t>(0, topology->node_count());
  RC_LOG() << name << " on " << topology->title() << " to " << root << std::endl;
  const CheckReport report = check_schedule(*topology, schedule_for("reduce", name, *topology, root, parameters));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
}

TEST(Reversal, TunesForTheBroadcastThatIsReversed)
{
  // Combs on 3 x 12 take 24 steps and on 12 x 3 15 steps more than segments: the reduce on the one is the broadcast on
  // the other.
  const Algorithm& combs = find_algorithm("two_combs");
  const auto tuned = [&](std::vector<std::int64_t> dims, const std::string& operation) {
    const auto topology = mesh(std::move(dims));
    ScheduleRequest request;
    request.message_bytes = 100'000;
    request.costs = MessageCosts{.startup = Time{150'000'000}, .per_byte = Time{500'000}, .per_hop = Time{}};
    request.parameters.set("segments", std::string("best"));
    request.parameters.set("operation", operation);
    const Schedule schedule = make_schedule(combs, *topology, request);
    EXPECT_TRUE(check_schedule(*topology, schedule).valid());
    return schedule.chosen.integer("segments");
  };
  EXPECT_EQ(tuned({3, 12}, "reduce"), tuned({12, 3}, "broadcast"));
  EXPECT_EQ(tuned({12, 3}, "reduce"), tuned({3, 12}, "broadcast"));
  EXPECT_NE(tuned({3, 12}, "broadcast"), tuned({12, 3}, "broadcast"));
}

// Two trees of depth D: 2(k + D) steps for k segments, from a root from which D is least.
TEST(Reversal, AllReduceInSegmentsGoesThroughARoot)
{
  struct Case {
    std::string name;
    std::vector<std::int64_t> dims;
    std::uint64_t depth; // alpha - k of each half
  };
  for (const auto& [name, dims, depth] : {Case{"two_trees", {4, 4}, 5}, Case{"two_trees", {64, 64}, 22},
                                          Case{"two_trees", {128, 128}, 26}, Case{"two_combs", {5, 5}, 12}}) {
    const auto topology = mesh(dims);
    expect_costs(*topology, schedule_for("all_reduce", name, *topology, 0, {{"segments", std::int64_t{6}}}),
                 2 * (6 + depth), Fraction(static_cast<std::int64_t>(6 + depth), 3));
  }
  for (const auto& kind : {"mesh", "torus"}) { // all ports
    const auto topology = kind == std::string("mesh") ? mesh({5, 4}) : torus({5, 4});
    ScheduleRequest request;
    request.message_bytes = 8;
    request.ports.count = PortModel::all;
    request.parameters.set("segments", std::int64_t{8});
    request.parameters.set("operation", std::string("all_reduce"));
    const CheckReport report =
        check_schedule(*topology, make_schedule(find_algorithm("edge_disjoint_trees"), *topology, request));
    EXPECT_TRUE(report.valid() && report.contention_free) << kind;
  }
}

TEST(Reversal, AllReduceInSegmentsHasTheBestNumber)
{
  const Algorithm& trees = find_algorithm("two_trees");
  const auto topology = mesh({16, 16});
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{40}, std::uint64_t{1} << 14U}) {
    ScheduleRequest request;
    request.message_bytes = bytes;
    request.costs = MessageCosts{.startup = Time{150'000'000}, .per_byte = Time{500'000}, .per_hop = Time{1'000'000}};
    request.parameters.set("segments", std::string("best"));
    request.parameters.set("operation", std::string("all_reduce"));
    const auto costs_of = segment_costs_of(trees, *topology, request);
    const auto time = [&](std::int64_t k) {
      const SegmentCosts costs = costs_of(static_cast<std::uint64_t>(k));
      const auto alpha = static_cast<std::int64_t>(costs.alpha);
      return Fraction(alpha * 150) + Fraction(alpha * static_cast<std::int64_t>(bytes), 2 * k) +
             Fraction(static_cast<std::int64_t>(costs.hops));
    };
    const Schedule schedule = make_schedule(trees, *topology, request);
    const std::int64_t best = schedule.chosen.integer("segments");
    for (std::int64_t k = 1; k <= std::min<std::int64_t>(static_cast<std::int64_t>(bytes), 200); ++k) {
      EXPECT_GE(time(k), time(best)) << k << " segments of " << bytes << " bytes";
    }
    const ScheduleCosts costs = schedule_costs(*topology, schedule);
    EXPECT_EQ(costs.alpha, costs_of(static_cast<std::uint64_t>(best)).alpha);
    EXPECT_EQ(costs.step_hops, costs_of(static_cast<std::uint64_t>(best)).hops);
  }
}

TEST(Reversal, HasNoBestValuesForAnAllReduce)
{
  const auto topology = mesh({4, 4});
  ScheduleRequest request;
  request.costs = MessageCosts{.startup = Time{150'000'000}, .per_byte = Time{500'000}, .per_hop = Time{}};
  request.parameters.set("depth", std::string("best"));
  request.parameters.set("operation", std::string("all_reduce"));
  try {
    make_schedule(find_algorithm("truncated_recursion"), *topology, request);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "truncated_recursion: found depth = \"best\" for all_reduce, expected a value: the best "
                               "one is known for broadcast and reduce");
  }
}

RC_GTEST_PROP(ReversalProperty, ChangedReducesAreRefuted, ())
{
  const auto topology = mesh({4, 4});
  const std::uint32_t root = *rc::gen::inRange<std::uint32_t>(0, 16);
  const std::string name = *rc::gen::element<std::string>("recursive_doubling", "scatter_collect", "recursion_based");
  Schedule reduce = schedule_for("reduce", name, *topology, root);
  const auto place = *rc::gen::inRange<std::size_t>(0, reduce.messages.size());
  switch (*rc::gen::inRange(0, 3)) {
  case 0: // one message less: its contributions are missing
    reduce.messages.erase(reduce.messages.begin() + static_cast<std::ptrdiff_t>(place));
    break;
  case 1: // one message twice: what it brings is counted twice
    reduce.messages.push_back(reduce.messages[place]);
    break;
  default: // another root
    reduce.source = NodeId{(root + 1 + static_cast<std::uint32_t>(place) % 15) % 16};
  }
  RC_ASSERT(!check_schedule(*topology, reduce).valid());
  RC_ASSERT(!check_schedule(*topology, reduce, {.max_violations = 1, .most_contributor_bits = 0}).valid());
}

} // namespace
} // namespace wormcast
