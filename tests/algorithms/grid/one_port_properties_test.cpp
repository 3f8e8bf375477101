// What holds for the one-port broadcasts on meshes and tori of all sizes.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>

namespace wormcast {
namespace {

using testing::grid;
using ::testing::HasSubstr;
using testing::schedule_of;
using ::testing::ThrowsMessage;

std::uint64_t steps_of_halving(std::span<const std::int64_t> dims)
{
  std::uint64_t steps = 0;
  for (const std::int64_t size : dims) {
    steps += static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(size) - 1));
  }
  return steps;
}

// 1 to 8 dimensions, at most 400 nodes.
std::vector<std::int64_t> any_dims()
{
  std::vector<std::int64_t> dims(*rc::gen::inRange<std::size_t>(1, 9));
  std::int64_t left = 400;
  for (std::int64_t& size : dims) {
    size = *rc::gen::inRange<std::int64_t>(1, std::min<std::int64_t>(left, dims.size() == 1 ? 100 : 17) + 1);
    left /= size;
  }
  return dims;
}

std::unique_ptr<Topology> any_grid(std::vector<std::int64_t> dims)
{
  const auto kind = *rc::gen::element<std::string>("mesh", "torus");
  return make_topology(grid(kind, std::move(dims)), {"", *rc::gen::element<std::string>("no_wrap", "positive")});
}

NodeId any_node(const Topology& topology)
{
  return NodeId{*rc::gen::inRange<std::uint32_t>(0, topology.node_count())};
}

RC_GTEST_PROP(RecursiveDoubling, ServesEverySizeAndSource, ())
{
  const auto dims = any_dims();
  const auto topology = any_grid(dims);
  const CheckReport report =
      check_schedule(*topology, schedule_of("recursive_doubling", *topology, any_node(*topology), 10));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.alpha == steps_of_halving(dims));
  RC_ASSERT(report.costs.beta == Fraction(static_cast<std::int64_t>(report.costs.alpha)));
  RC_ASSERT(report.costs.messages == topology->node_count() - 1);
}

RC_GTEST_PROP(ScatterCollect, ServesEverySizeAndSource, ())
{
  const auto dims = any_dims();
  const auto topology = any_grid(dims);
  const std::uint64_t nodes = topology->node_count();
  const CheckReport report =
      check_schedule(*topology, schedule_of("scatter_collect", *topology, any_node(*topology), nodes));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  std::uint64_t alpha = steps_of_halving(dims);
  for (const std::int64_t size : dims) {
    alpha += static_cast<std::uint64_t>(size - 1);
  }
  RC_ASSERT(report.costs.alpha == alpha);
  if (std::ranges::all_of(dims,
                          [](std::int64_t size) { return std::has_single_bit(static_cast<std::uint64_t>(size)); })) {
    RC_ASSERT(report.costs.beta == Fraction(2) - Fraction(2, static_cast<std::int64_t>(nodes)));
  }
}

RC_GTEST_PROP(RecursionBased, CostsAreThoseOfThePaperFromEverySource, ())
{
  const auto n = *rc::gen::inRange<std::int64_t>(0, 5);
  const auto m = *rc::gen::inRange<std::int64_t>(0, 5);
  const bool ring = *rc::gen::element(true, false);
  const auto topology = make_topology(grid(*rc::gen::element<std::string>("mesh", "torus"), {1 << n, 1 << m}));
  const std::int64_t longer = std::max(n, m);
  const std::int64_t shorter = std::min(n, m);
  const std::int64_t k = longer - shorter;
  const CheckReport report =
      check_schedule(*topology, schedule_of("recursion_based", *topology, any_node(*topology),
                                            std::uint64_t{1} << longer, {{"reduction", ring ? "ring" : "pairwise"}}));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free); // with ties that do not wrap: Lemma 6
  RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(3 * shorter + k + (1 << k) - 1));
  if (shorter >= 1) { // section 6's formula does not hold for a line
    const Fraction pairwise = Fraction(5, 2) + Fraction(k - 2, 1 << (shorter + 1)) - Fraction(1, 1 << longer);
    const Fraction by_ring = Fraction(5, 2) - Fraction(2, 1 << longer);
    RC_ASSERT(report.costs.beta == (ring || k == 0 ? by_ring : pairwise));
  }
}

RC_GTEST_PROP(RecursionBased, CubeCostsAreThoseOfSectionSeven, ())
{
  const auto n = *rc::gen::inRange<std::int64_t>(1, 4);
  const auto topology = make_topology(grid(*rc::gen::element<std::string>("mesh", "torus"), {1 << n, 1 << n, 1 << n}));
  const CheckReport report =
      check_schedule(*topology, schedule_of("recursion_based", *topology, any_node(*topology), std::uint64_t{2} << n));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(4 * n + 1));
  RC_ASSERT(report.costs.beta == Fraction(5, 2) - Fraction(3, 1 << (n + 1)));
}

// Lemma 6 does not hold on a torus that sends ties upwards: H_n has 2^n contended pairs.
TEST(RecursionBased, TiesUpwardsAreContended)
{
  const auto torus = make_topology(grid("torus", {8, 8}), {"", "positive"});
  const CheckReport report = check_schedule(*torus, schedule_of("recursion_based", *torus, NodeId{0}, 8));
  EXPECT_TRUE(report.valid());
  EXPECT_EQ(report.contended_pairs, 8U);
}

RC_GTEST_PROP(NetworkPartitioning, IsValidAndContentionFree, ())
{
  const auto n = *rc::gen::inRange<std::int64_t>(1, 4);
  const auto dimensions = *rc::gen::inRange<std::size_t>(2, n == 3 ? 3 : 4);
  const auto topology = make_topology(
      grid(*rc::gen::element<std::string>("mesh", "torus"), std::vector<std::int64_t>(dimensions, 1 << n)));
  const auto d = *rc::gen::inRange<std::int64_t>(0, n + 1);
  const auto inner = *rc::gen::element<std::string>("recursive_doubling", "scatter_collect");
  const Schedule schedule =
      schedule_of("network_partitioning", *topology, any_node(*topology), 1 << (n * 3), {{"d", d}, {"inner", inner}});
  const CheckReport report = check_schedule(*topology, schedule);
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
}

RC_GTEST_PROP(NetworkPartitioning, WithoutPiecesIsTheInnerAlgorithm, ())
{
  std::vector<std::int64_t> dims(*rc::gen::inRange<std::size_t>(2, 4));
  for (std::int64_t& size : dims) {
    size = 1 << *rc::gen::inRange(0, 4);
  }
  const auto topology = any_grid(dims);
  const NodeId source = any_node(*topology);
  const auto inner = *rc::gen::element<std::string>("recursive_doubling", "scatter_collect");
  const Schedule partitioned =
      schedule_of("network_partitioning", *topology, source, 64, {{"d", std::int64_t{0}}, {"inner", inner}});
  const Schedule alone = schedule_of(inner, *topology, source, 64);
  RC_ASSERT(partitioned.messages.size() == alone.messages.size());
  for (std::size_t i = 0; i < alone.messages.size(); ++i) {
    const Message& a = partitioned.messages[i];
    const Message& b = alone.messages[i];
    RC_ASSERT(a.step == b.step);
    RC_ASSERT(a.source == b.source);
    RC_ASSERT(a.destination == b.destination);
    RC_ASSERT(std::ranges::equal(partitioned.block_sets.ranges(a.blocks), alone.block_sets.ranges(b.blocks)));
  }
}

RC_GTEST_PROP(LinePipeline, CostsAreThoseOfTheoremThree, ())
{
  const auto topology = any_grid(any_dims());
  const auto nodes = static_cast<std::int64_t>(topology->node_count());
  const auto segments = *rc::gen::inRange<std::int64_t>(1, 20);
  const auto order = *rc::gen::element<std::string>("snake", "rows");
  const CheckReport report = check_schedule(*topology, schedule_of("line_pipeline", *topology, any_node(*topology),
                                                                   static_cast<std::uint64_t>(segments),
                                                                   {{"segments", segments}, {"order", order}}));
  RC_ASSERT(report.valid());
  if (nodes > 1) {
    RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(segments + nodes - 2));
    RC_ASSERT(report.costs.beta == Fraction(1) + Fraction(nodes - 2, segments));
  }
}

// A schedule of these algorithms has nothing to spare for the last node that a message serves.
RC_GTEST_PROP(Verifier, RejectsABroadcastWithoutOneOfItsMessages, ())
{
  const auto name = *rc::gen::element<std::string>("recursive_doubling", "line_pipeline");
  const auto topology =
      make_topology(grid("mesh", {*rc::gen::inRange<std::int64_t>(2, 6), *rc::gen::inRange<std::int64_t>(2, 6)}));
  Schedule schedule = schedule_of(name, *topology, any_node(*topology), 64);
  const auto dropped = *rc::gen::inRange<std::size_t>(0, schedule.messages.size());
  schedule.messages.erase(schedule.messages.begin() + static_cast<std::ptrdiff_t>(dropped));
  RC_ASSERT(!check_schedule(*topology, schedule).valid());
}

// A scatter-collect or recursion-based broadcast sends some nodes what they already have; the reference is a replay of
// the blocks: what arrives first, and in which step.
RC_GTEST_PROP(Verifier, RejectsTheLossOfAMessageThatBringsSomethingNew, ())
{
  const auto name = *rc::gen::element<std::string>("scatter_collect", "recursion_based");
  const auto topology = make_topology(grid("mesh", {4, 4}));
  Schedule schedule = schedule_of(name, *topology, any_node(*topology), 64);
  const auto dropped = *rc::gen::inRange<std::size_t>(0, schedule.messages.size());
  const Message lost = schedule.messages[dropped];
  std::vector<bool> held(schedule.blocks, lost.destination == schedule.source);
  for (const Message& message : schedule.messages) {
    if (message.destination != lost.destination || message.step >= lost.step) {
      continue;
    }
    for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
      std::fill(held.begin() + range.begin, held.begin() + range.end, true);
    }
  }
  bool brings_something = false;
  for (const BlockRange range : schedule.block_sets.ranges(lost.blocks)) {
    brings_something = brings_something || std::find(held.begin() + range.begin, held.begin() + range.end, false) <
                                               held.begin() + range.end;
  }
  schedule.messages.erase(schedule.messages.begin() + static_cast<std::ptrdiff_t>(dropped));
  RC_ASSERT(check_schedule(*topology, schedule).valid() != brings_something);
}

RC_GTEST_PROP(Verifier, ADuplicatedMessageNeedsASecondPortAndContends, ())
{
  const auto name = *rc::gen::element<std::string>("recursive_doubling", "scatter_collect", "recursion_based");
  const auto topology = make_topology(grid("mesh", {4, 4}));
  Schedule schedule = schedule_of(name, *topology, any_node(*topology), 64);
  schedule.messages.push_back(*rc::gen::elementOf(schedule.messages));
  const CheckReport report = check_schedule(*topology, schedule);
  RC_ASSERT(report.complete);
  RC_ASSERT(report.possession);
  RC_ASSERT(!report.ports);
  RC_ASSERT(report.contended_pairs == 1U);
  RC_ASSERT(report.ports_needed.count == 2U);
}

RC_GTEST_PROP(Verifier, ASecondSendOfANodeNeedsASecondPort, ())
{
  const auto topology = make_topology(grid("mesh", {4, 4}));
  Schedule schedule = schedule_of("recursive_doubling", *topology, any_node(*topology), 64);
  Message second = *rc::gen::elementOf(schedule.messages);
  const auto offset = *rc::gen::inRange<std::uint32_t>(1, 16);
  second.destination = NodeId{(index(second.source) + offset) % 16};
  schedule.messages.push_back(second);
  RC_ASSERT(!check_schedule(*topology, schedule).ports);
}

// For powers of two every step of recursive doubling flips one bit of a coordinate, from the highest of x on.
RC_GTEST_PROP(RecursiveDoubling, FlipsABitAStepOnPowersOfTwo, ())
{
  const auto n = *rc::gen::inRange(0, 5);
  const auto m = *rc::gen::inRange(0, 5);
  const auto topology = make_topology(grid("mesh", {1 << n, 1 << m}));
  const Schedule schedule = schedule_of("recursive_doubling", *topology, any_node(*topology), 1);
  for (const Message& message : schedule.messages) {
    const auto step = static_cast<int>(message.step);
    const std::uint32_t flipped = step < n ? 1U << (n - 1 - step) : 1U << (n + n + m - 1 - step);
    RC_ASSERT((index(message.source) ^ index(message.destination)) == flipped);
  }
}

// The node at XOR offset z from the source gets block z.
RC_GTEST_PROP(ScatterCollect, BlocksAreNumberedFromTheSource, ())
{
  const auto topology = make_topology(grid("mesh", {8}));
  const NodeId source = any_node(*topology);
  const Schedule schedule = schedule_of("scatter_collect", *topology, source, 8);
  for (const Message& message : schedule.messages) {
    if (message.step == 3) { // the first of the all-gather: every node sends its own block
      const std::uint32_t offset = index(message.source) ^ index(source);
      RC_ASSERT(schedule.block_sets.ranges(message.blocks)[0] == (BlockRange{offset, offset + 1}));
    }
  }
}

RC_GTEST_PROP(OnePortBroadcasts, MessagesAreOrderedByStepAndSender, ())
{
  const auto name = *rc::gen::element<std::string>("recursive_doubling", "scatter_collect", "recursion_based",
                                                   "network_partitioning", "line_pipeline");
  const auto topology = make_topology(grid("mesh", {4, 4}));
  const Schedule schedule = schedule_of(name, *topology, any_node(*topology), 64);
  RC_ASSERT(std::ranges::is_sorted(schedule.messages, {},
                                   [](const Message& message) { return std::pair(message.step, message.source); }));
}

TEST(OnePortBroadcasts, OneNodeNeedsNoMessages)
{
  const auto topology = make_topology(grid("mesh", {1, 1}));
  for (const std::string name : {"recursive_doubling", "scatter_collect", "recursion_based", "line_pipeline"}) {
    const Schedule schedule = schedule_of(name, *topology, NodeId{0}, 5);
    EXPECT_TRUE(schedule.messages.empty()) << name;
    EXPECT_TRUE(check_schedule(*topology, schedule).valid()) << name;
  }
}

TEST(AlgorithmErrors, NameTheAlgorithmAndTheDimension)
{
  const auto run = [](const std::string& name, std::vector<std::int64_t> dims,
                      const std::map<std::string, RawValue, std::less<>>& raw = {}) {
    const auto topology = make_topology(grid("mesh", std::move(dims)));
    schedule_of(name, *topology, NodeId{0}, 1, raw);
  };
  EXPECT_THAT([&] { run("recursion_based", {8, 6}); },
              ThrowsMessage<InputError>(HasSubstr("recursion_based needs sizes that are powers of two; the y size")));
  EXPECT_THAT([&] { run("recursion_based", {8}); },
              ThrowsMessage<InputError>(HasSubstr("recursion_based runs in 2 or 3 dimensions")));
  EXPECT_THAT([&] { run("recursion_based", {8, 8, 4}); },
              ThrowsMessage<InputError>(HasSubstr("needs equal sizes in 3 dimensions")));
  EXPECT_THAT([&] { run("network_partitioning", {8, 4}, {{"d", std::int64_t{3}}}); },
              ThrowsMessage<InputError>(HasSubstr("needs d of at most 2 for the y size")));
  EXPECT_THAT([] { find_algorithm("recursive_dubling"); },
              ThrowsMessage<InputError>(HasSubstr("did you mean \"recursive_doubling\"?")));
}

} // namespace
} // namespace wormcast
