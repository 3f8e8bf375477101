#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/grid/truncated_recursion.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace wormcast {
namespace {

using testing::grid;
using ::testing::HasSubstr;
using testing::schedule_of;
using ::testing::ThrowsMessage;

NodeId any_node(const Topology& topology)
{
  return NodeId{*rc::gen::inRange<std::uint32_t>(0, topology.node_count())};
}

std::unique_ptr<Topology> any_torus_or_mesh(std::vector<std::int64_t> dims)
{
  return make_topology(grid(*rc::gen::element<std::string>("mesh", "torus"), std::move(dims)),
                       {"", *rc::gen::element<std::string>("no_wrap", "positive")});
}

Schedule schedule_of_member(const TruncatedRecursion& member, const Topology& topology, NodeId source,
                            std::uint64_t bytes)
{
  return schedule_of("truncated_recursion", topology, source, bytes,
                     {{"depth", std::int64_t{member.depth}},
                      {"block", std::int64_t{member.block}},
                      {"rounds", std::string(member.lattice ? "lattice" : "pairwise")}});
}

RC_GTEST_PROP(TruncatedRecursion, IsFreeOfContentionAndCostsWhatTheFormulaSays, ())
{
  TruncatedRecursion member;
  member.bits = {*rc::gen::inRange(0U, 6U), *rc::gen::inRange(0U, 6U)};
  const auto topology = any_torus_or_mesh({std::int64_t{1} << member.bits[0], std::int64_t{1} << member.bits[1]});
  member.depth = *rc::gen::inRange(0U, std::ranges::min(member.bits) + 1);
  member.block = *rc::gen::inRange(0U, member.depth + 1);
  member.lattice = *rc::gen::element(true, false);
  const CheckReport report = check_schedule(
      *topology, schedule_of_member(member, *topology, any_node(*topology), std::uint64_t{1} << member.depth));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  const FormulaCosts costs = truncated_recursion_costs(member);
  RC_ASSERT(report.costs.alpha == costs.alpha);
  RC_ASSERT(report.costs.beta == costs.beta);
}

RC_GTEST_PROP(TruncatedRecursion, IsFreeOfContentionInThreeDimensions, ())
{
  TruncatedRecursion member;
  const auto n = *rc::gen::inRange(0U, 4U);
  member.bits = {n, n, n};
  const std::int64_t side = std::int64_t{1} << n;
  const auto topology = any_torus_or_mesh({side, side, side});
  const auto& cube = dynamic_cast<const Grid&>(*topology);
  member.depth = *rc::gen::inRange(0U, n + 1);
  member.lattice = *rc::gen::element(true, false);
  const CheckReport report = check_schedule(
      *topology, schedule_of_member(member, *topology, any_node(*topology), std::uint64_t{2} << member.depth));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free || (cube.wraps() && cube.ties_go_up() && member.depth == n && n >= 2));
  const FormulaCosts costs = truncated_recursion_costs(member);
  RC_ASSERT(report.costs.alpha == costs.alpha);
  RC_ASSERT(report.costs.beta == costs.beta);
}

// Which pairs a torus of 3 dimensions that sends ties upwards contends at is known, not repaired.
TEST(TruncatedRecursion, ContendsInThreeDimensionsWithTiesUpwardsAtFullDepthOnly)
{
  for (const auto& [n, pairs] : std::map<std::int64_t, std::uint64_t>{{2, 24}, {3, 48}}) {
    const std::int64_t side = std::int64_t{1} << n;
    const auto torus = make_topology(grid("torus", {side, side, side}), {"", "positive"});
    const auto contended = [&](std::int64_t depth) {
      return check_schedule(*torus, schedule_of("truncated_recursion", *torus, NodeId{0}, 64, {{"depth", depth}}))
          .contended_pairs;
    };
    EXPECT_EQ(contended(n), pairs);
    EXPECT_EQ(contended(n - 1), 0U);
  }
}

using Sends = std::multiset<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>>;

Sends sends_of(const Schedule& schedule)
{
  Sends sends;
  for (const Message& message : schedule.messages) {
    sends.emplace(message.step, index(message.source), index(message.destination),
                  schedule.block_sets.size(message.blocks));
  }
  return sends;
}

TEST(TruncatedRecursion, HasKnownAlgorithmsAtItsEnds)
{
  const auto mesh = make_topology(grid("mesh", {8, 8}));
  const NodeId source{19};
  EXPECT_EQ(sends_of(schedule_of("truncated_recursion", *mesh, source, 64)),
            sends_of(schedule_of("recursion_based", *mesh, source, 64)));
  EXPECT_EQ(sends_of(schedule_of("truncated_recursion", *mesh, source, 64, {{"depth", std::int64_t{0}}})),
            sends_of(schedule_of("recursive_doubling", *mesh, source, 64)));
  EXPECT_EQ(sends_of(schedule_of("truncated_recursion", *mesh, source, 64,
                                 {{"depth", std::int64_t{2}}, {"block", std::int64_t{2}}})),
            sends_of(schedule_of("network_partitioning", *mesh, source, 64, {{"d", std::int64_t{2}}})));
}

ScheduleRequest request_for(std::uint64_t bytes, std::int64_t startup, std::int64_t per_byte)
{
  ScheduleRequest request;
  request.message_bytes = bytes;
  request.costs = MessageCosts{.startup = {startup}, .per_byte = {per_byte}, .per_hop = {0}};
  return request;
}

// The lower envelopes of 32 x 32 with T_s = 150 us, T_c = 0.5 us/byte.
TEST(TruncatedRecursion, BestIsTheLowerEnvelope)
{
  const auto mesh = make_topology(grid("mesh", {32, 32}));
  const Algorithm& algorithm = find_algorithm("truncated_recursion");
  const auto best = [&](std::uint64_t bytes, const std::string& rounds) {
    ScheduleRequest request = request_for(bytes, 150'000'000, 500'000);
    request.parameters.set("depth", std::string(best_value));
    request.parameters.set("block", std::string(best_value));
    request.parameters.set("rounds", rounds);
    const ParameterValues values = chosen_parameters(algorithm, *mesh, request);
    return std::pair(values.integer("depth"), values.integer("block"));
  };
  using Member = std::pair<std::int64_t, std::int64_t>;
  const std::vector<std::tuple<std::string, std::uint64_t, Member>> expected = {
      {"pairwise", 66, {0, 0}},    {"pairwise", 67, {1, 0}},    {"pairwise", 151, {2, 0}},
      {"pairwise", 401, {3, 0}},   {"pairwise", 1201, {4, 0}},  {"pairwise", 2399, {4, 0}},
      {"pairwise", 2401, {4, 2}},  {"pairwise", 4801, {5, 2}},  {"pairwise", 7201, {5, 3}},
      {"pairwise", 22399, {5, 3}}, {"pairwise", 22401, {5, 4}}, {"pairwise", 144197, {5, 4}},
      {"lattice", 342, {2, 0}},    {"lattice", 343, {3, 0}},    {"lattice", 961, {4, 0}},
      {"lattice", 3201, {5, 0}},   {"lattice", 19199, {5, 0}},  {"lattice", 19201, {5, 3}},
      {"lattice", 33599, {5, 3}},  {"lattice", 33601, {5, 4}},
  };
  for (const auto& [rounds, bytes, member] : expected) {
    EXPECT_EQ(best(bytes, rounds), member) << rounds << " " << bytes;
  }
}

RC_GTEST_PROP(TruncatedRecursion, BestIsNoSlowerThanAnyMember, ())
{
  const auto n = *rc::gen::inRange<std::int64_t>(0, 6);
  const auto m = *rc::gen::inRange<std::int64_t>(0, 6);
  const auto mesh = make_topology(grid("mesh", {1 << n, 1 << m}));
  ScheduleRequest request = request_for(*rc::gen::inRange<std::uint64_t>(1, 100'000), *rc::gen::inRange(0, 100'000'000),
                                        *rc::gen::inRange(1, 1'000'000));
  const auto lattice = *rc::gen::element<std::string>("pairwise", "lattice");
  request.parameters.set("rounds", lattice);
  request.parameters.set("depth", std::string(best_value));
  request.parameters.set("block", std::string(best_value));
  const Schedule best = make_schedule(find_algorithm("truncated_recursion"), *mesh, request);
  RC_ASSERT(best.chosen.all().size() == 2U);
  TruncatedRecursion member{{static_cast<unsigned>(n), static_cast<unsigned>(m)}, 0, 0, lattice == "lattice"};
  member.depth = static_cast<unsigned>(best.chosen.integer("depth"));
  member.block = static_cast<unsigned>(best.chosen.integer("block"));
  const ExactTime least = formula_time(truncated_recursion_costs(member), request);
  for (member.depth = 0; member.depth <= static_cast<unsigned>(std::min(n, m)); ++member.depth) {
    for (member.block = 0; member.block <= member.depth; ++member.block) {
      RC_ASSERT(least <= formula_time(truncated_recursion_costs(member), request));
    }
  }
}

RC_GTEST_PROP(TruncatedRecursion, IsMeasuredAsPredicted, ())
{
  const std::int64_t side = *rc::gen::element<std::int64_t>(4, 8);
  const auto topology = any_torus_or_mesh({side, *rc::gen::element<std::int64_t>(4, 8, 16)});
  const Schedule schedule =
      schedule_of("truncated_recursion", *topology, any_node(*topology), 960,
                  {{"depth", *rc::gen::inRange<std::int64_t>(0, 3)}, {"rounds", std::string("lattice")}});
  NetworkParameters network;
  network.startup = {150'000'000};
  network.per_byte = {500'000};
  network.routing = topology->routing();
  const SimulationResult result = simulate_core(*topology, schedule, network, {});
  const ScheduleCosts costs = schedule_costs(*topology, schedule);
  RC_ASSERT(result.contention.none());
  RC_ASSERT(result.latency->picoseconds == static_cast<std::int64_t>(costs.alpha) * 150'000'000 +
                                               static_cast<std::int64_t>(costs.beta_bytes) * 500'000);
}

TEST(TruncatedRecursion, ErrorsNameTheKeyAndTheDimension)
{
  using Raw = std::map<std::string, RawValue, std::less<>>;
  const auto run = [](std::vector<std::int64_t> dims, const Raw& raw = {}) {
    const auto topology = make_topology(grid("mesh", std::move(dims)));
    schedule_of("truncated_recursion", *topology, NodeId{0}, 64, raw);
  };
  EXPECT_THAT([&] { run({8, 6}); },
              ThrowsMessage<InputError>("truncated_recursion needs sizes that are powers of two; the y size of the "
                                        "mesh 8 x 6 is 6, between 4 and 8"));
  EXPECT_THAT([&] { run({8}); }, ThrowsMessage<InputError>(HasSubstr("runs in 2 or 3 dimensions")));
  EXPECT_THAT([&] { run({8, 8, 4}); },
              ThrowsMessage<InputError>(HasSubstr("the z size of the mesh 8 x 8 x 4 is 4, that of x is 8")));
  EXPECT_THAT([&] { run({8, 4}, {{"depth", std::int64_t{3}}}); },
              ThrowsMessage<InputError>(HasSubstr("needs a depth of at most 2 for the y size")));
  EXPECT_THAT([&] { run({8, 8}, {{"depth", std::int64_t{2}}, {"block", std::int64_t{3}}}); },
              ThrowsMessage<InputError>(HasSubstr("needs a block of at most its depth, 2; block is 3")));
  EXPECT_THAT([&] { run({8, 8, 8}, {{"block", std::int64_t{1}}}); },
              ThrowsMessage<InputError>(HasSubstr("a block of 0 in 3 dimensions")));
  EXPECT_THAT([&] { run({8, 8}, {{"depth", std::string("best")}}); },
              ThrowsMessage<InputError>(HasSubstr("needs to know what a message costs")));
  EXPECT_THAT([&] { run({8, 8}, {{"depth", std::string("deep")}}); },
              ThrowsMessage<InputError>(HasSubstr("expected a whole number from 0 to 20, or \"best\"")));
}

} // namespace
} // namespace wormcast
