#include "tests/algorithms/petersen/networks.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/petersen/torus_all_to_all.hpp"
#include "wormcast/algorithms/verifier/combining_volume.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

namespace wormcast {
namespace {

using testing::network;
using testing::petersen_golden;
using testing::schedule_of;

constexpr const char* all_to_all_name = "petersen_torus_all_to_all";

// By node: how many blocks it lacks at the end, according to the verifier.
std::vector<std::uint64_t> missing(const Topology& topology, const CheckReport& report)
{
  std::vector<std::uint64_t> result(topology.node_count(), 0);
  for (const Violation& violation : report.violations) {
    if (violation.kind == ViolationKind::coverage) {
      for (const BlockRange range : violation.blocks) {
        result[index(violation.nodes.front())] += range.end - range.begin;
      }
    }
  }
  return result;
}

CheckReport check(const Topology& topology, const Schedule& schedule)
{
  return check_schedule(topology, schedule, {.max_violations = topology.node_count()});
}

struct Case {
  std::string golden;
  std::string variant;
  std::uint32_t ports = 1;
};

const std::vector<Case>& cases()
{
  static const std::vector<Case> all = {{"alg4_literal", "literal", 1},
                                        {"alg4_fixed", "fixed", 1},
                                        {"alg5_literal", "literal", PortModel::all},
                                        {"alg5_fixed", "fixed", PortModel::all},
                                        {"alg5_fixed2", "fixed2", PortModel::all}};
  return all;
}

struct Claims {
  std::int64_t one_port = 0;
  std::int64_t all_port = 0;
};

// Theorems 7 and 8; the latter's odd and even forms are one expression.
Claims claims(const PetersenTorusSize& size)
{
  return {3 * size.m + 3 * size.n + 2 * size.l + 2, 3 * (size.m / 2) + 3 * (size.n / 2) + 2 * (size.l / 2) + 4};
}

TEST(PetersenTorusAllToAll, IsTheGoldenOne)
{
  for (const auto& row : petersen_golden()["all_to_all"]) {
    const auto torus = network("petersen_torus", {row["l"], row["m"], row["n"]});
    EXPECT_EQ(claims({row["l"], row["m"], row["n"]}).one_port, row["claim_sla"]);
    EXPECT_EQ(claims({row["l"], row["m"], row["n"]}).all_port, row["claim_mla"]);
    for (const Case& one : cases()) {
      SCOPED_TRACE(one.golden + " " + torus->title());
      const auto& golden = row[one.golden];
      const Schedule schedule = schedule_of(all_to_all_name, *torus, one.ports, 0, one.variant);
      const CheckReport report = check(*torus, schedule);
      EXPECT_TRUE(report.possession && report.ports && report.contention_free);
      EXPECT_EQ(report.complete, golden["complete"].get<bool>());
      EXPECT_EQ(report.costs.alpha, golden["steps"].get<std::uint64_t>());
      EXPECT_EQ(step_count(schedule), golden["steps"]);
      EXPECT_EQ(report.costs.messages, golden["transmissions"].get<std::uint64_t>());
      EXPECT_EQ(report.costs.tcd, report.costs.messages);
      const std::vector<std::uint64_t> lacks = missing(*torus, report);
      EXPECT_EQ(std::ranges::max(lacks), golden["missing_max"]);
      EXPECT_EQ(std::ranges::min(lacks), golden["missing_min"]);
      const CombiningVolume volume = combining_volume(schedule, torus->node_count());
      EXPECT_EQ(nlohmann::json(volume.largest_new), golden["max_volume_new"]);
      EXPECT_EQ(volume.total_new, golden["total_volume_new"]);
      EXPECT_EQ(volume.unit_time, golden["unit_time_new"]);
    }
  }
}

class AllToAllSizes : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(AllToAllSizes, AreCompleteOrNotAsKnown)
{
  const std::int64_t l = GetParam();
  for (std::int64_t m = 2; m <= 5; ++m) {
    for (std::int64_t n = 2; n <= 5; ++n) {
      if (l * m * n > 64) {
        continue;
      }
      const PetersenTorusSize size{l, m, n};
      SCOPED_TRACE(::testing::Message() << l << ' ' << m << ' ' << n);
      const auto torus = network("petersen_torus", {l, m, n});
      const bool odd = l % 2 == 1;
      for (const Case& one : cases()) {
        SCOPED_TRACE(one.golden);
        const Schedule schedule = schedule_of(all_to_all_name, *torus, one.ports, 0, one.variant);
        const CheckReport report = check(*torus, schedule);
        EXPECT_TRUE(report.possession && report.ports && report.contention_free);
        const auto steps = static_cast<std::int64_t>(report.costs.alpha);
        if (one.golden == "alg4_literal") {
          EXPECT_EQ(steps, claims(size).one_port);
          EXPECT_FALSE(report.valid());
          const std::vector<std::uint64_t> lacks = missing(*torus, report);
          EXPECT_EQ(std::ranges::min(lacks), 10 * (m + l - 3));
          EXPECT_EQ(std::ranges::max(lacks), 10 * (m + l - 3));
        } else if (one.golden == "alg5_literal") {
          EXPECT_EQ(steps, claims(size).all_port);
          EXPECT_EQ(report.complete, !odd && (m % 2 == 0 || n % 2 == 0));
        } else {
          EXPECT_TRUE(report.complete);
          EXPECT_EQ(steps, one.golden == "alg4_fixed"   ? claims(size).one_port
                           : one.golden == "alg5_fixed" ? claims(size).all_port + odd
                                                        : claims(size).all_port + odd - 1);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Planes, AllToAllSizes, ::testing::Range(std::int64_t{2}, std::int64_t{6}));

// The largest new part of a message, step by step, in closed form.
TEST(PetersenTorusAllToAll, VolumesOfTheFixedAlgorithm4)
{
  for (const PetersenTorusSize& size :
       {PetersenTorusSize{2, 2, 2}, PetersenTorusSize{2, 4, 3}, PetersenTorusSize{3, 2, 3}, PetersenTorusSize{4, 3, 2},
        PetersenTorusSize{3, 5, 2}}) {
    const auto [l, m, n] = size;
    const auto plane = static_cast<std::uint64_t>(10 * m * n);
    const auto row = static_cast<std::uint64_t>(10 * m);
    const std::uint64_t other_planes = plane * static_cast<std::uint64_t>(l - 1);
    std::vector<std::uint64_t> expected = {1, 1, 1, 1, 5, 5};
    const auto add = [&](std::int64_t times, std::uint64_t volume) {
      expected.insert(expected.end(), static_cast<std::size_t>(times), volume);
    };
    add(3 * (m - 2) + 1, 10);
    add(2, row - 10);
    add(3 * n - 4, row);
    add(2 * l - 3, plane);
    add(3, other_planes + 10);
    add(1, other_planes);
    add(1, plane);
    add(1, plane - row);
    const auto torus = network("petersen_torus", {l, m, n});
    const CombiningVolume volume =
        combining_volume(schedule_of(all_to_all_name, *torus, 1, 0, "fixed"), torus->node_count());
    EXPECT_EQ(volume.largest_new, expected) << l << ' ' << m << ' ' << n;
    EXPECT_EQ(volume.unit_time, (60 * l - 20) * m * n - 26);
  }
}

TEST(PetersenTorusAllToAll, UnitTimesOfFourCubed)
{
  const auto torus = network("petersen_torus", {4, 4, 4});
  const auto unit_time = [&](std::uint32_t ports) {
    return combining_volume(schedule_of(all_to_all_name, *torus, ports, 0, "fixed"), torus->node_count()).unit_time;
  };
  EXPECT_EQ(unit_time(1), 3494U);
  EXPECT_EQ(unit_time(PortModel::all), 1827U);
}

TEST(PetersenTorusAllToAll, TheVerifierSaysWhatIsMissingWhere)
{
  const auto torus = network("petersen_torus", {2, 2, 2});
  const CheckReport report = check(*torus, schedule_of(all_to_all_name, *torus, 1, 0, "literal"));
  EXPECT_FALSE(report.valid());
  ASSERT_EQ(report.violation_count, 80U); // every node
  ASSERT_EQ(report.violations.size(), 80U);
  // Node 5 of a module never got its row (z, x, y) to send it along z: the module with the same y of the other plane.
  for (const Violation& violation : report.violations) {
    EXPECT_EQ(violation.kind, ViolationKind::coverage);
    ASSERT_EQ(violation.blocks.size(), 1U);
    EXPECT_EQ(violation.blocks.front().end - violation.blocks.front().begin, 10U);
    EXPECT_EQ(violation.blocks.front().begin % 10, 0U);
  }
  const PetersenTorusSize size{2, 2, 2};
  const PetersenTorusNode lost = petersen_torus_node(size, NodeId{report.violations.front().blocks.front().begin});
  EXPECT_EQ(report.violations.front().text, "node " + torus->node_name(NodeId{0}) + " lacks blocks " +
                                                std::to_string(index(petersen_torus_id(size, lost))) + "-" +
                                                std::to_string(index(petersen_torus_id(size, lost)) + 9) +
                                                " at the end");
}

// Also with messages that carry growing sizes, a translation maps the schedule to itself, time for time.
RC_GTEST_PROP(PetersenTorusAllToAll, IsItsOwnImageUnderTranslations, ())
{
  const PetersenTorusSize size{*rc::gen::inRange(2, 4), *rc::gen::inRange(2, 5), *rc::gen::inRange(2, 5)};
  const Case one = *rc::gen::elementOf(cases());
  const auto torus = network("petersen_torus", {size.l, size.m, size.n});
  const Schedule schedule = schedule_of(all_to_all_name, *torus, one.ports, 0, one.variant);
  const PetersenTorusNode by{*rc::gen::inRange(0, 4), *rc::gen::inRange(0, 5), *rc::gen::inRange(0, 5), 0};
  const auto moved = [&](NodeId node) {
    const PetersenTorusNode place = petersen_torus_node(size, node);
    return petersen_torus_id(size, {place.z + by.z, place.x + by.x, place.y + by.y, place.p});
  };
  using Send = std::tuple<std::uint32_t, NodeId, NodeId, std::uint64_t>;
  std::vector<Send> sends;
  std::vector<Send> images;
  for (const Message& message : schedule.messages) {
    const std::uint64_t blocks = schedule.block_sets.size(message.blocks);
    sends.emplace_back(message.step, message.source, message.destination, blocks);
    images.emplace_back(message.step, moved(message.source), moved(message.destination), blocks);
  }
  std::ranges::sort(sends);
  std::ranges::sort(images);
  RC_ASSERT(sends == images);
}

// sigma and tau map a schedule to one that is as complete, with the same delivery times.
RC_GTEST_PROP(PetersenTorusAllToAll, KeepsItsTimesUnderAutomorphisms, ())
{
  const PetersenTorusSize size{*rc::gen::inRange(2, 4), *rc::gen::inRange(2, 5), *rc::gen::inRange(2, 5)};
  const Case one = *rc::gen::elementOf(cases());
  const bool swap = *rc::gen::arbitrary<bool>();
  const PetersenTorusSize target = swap ? PetersenTorusSize{size.l, size.n, size.m} : size;
  const bool mirror_x = *rc::gen::arbitrary<bool>();
  const auto torus = network("petersen_torus", {size.l, size.m, size.n});
  const auto image = network("petersen_torus", {target.l, target.m, target.n});
  const auto moved = [&](NodeId node) {
    const PetersenTorusNode place = petersen_torus_node(size, node);
    const auto p = static_cast<std::size_t>(place.p);
    return petersen_torus_id(target, swap       ? PetersenTorusNode{-place.z, place.y, place.x, petersen_rho[p]}
                                     : mirror_x ? PetersenTorusNode{place.z, -place.x, place.y, petersen_sigma[p]}
                                                : PetersenTorusNode{place.z, place.x, -place.y, petersen_tau[p]});
  };
  const Schedule schedule = schedule_of(all_to_all_name, *torus, one.ports, 0, one.variant);
  Schedule mapped = schedule;
  mapped.topology = image->description();
  mapped.block_sets = {};
  for (Message& message : mapped.messages) {
    std::vector<BlockRange> blocks;
    for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
      for (std::uint32_t block = range.begin; block < range.end; ++block) {
        const std::uint32_t to = index(moved(NodeId{block}));
        blocks.push_back({to, to + 1});
      }
    }
    message = {message.step, moved(message.source), moved(message.destination), mapped.block_sets.intern(blocks)};
  }
  const CheckReport before = check(*torus, schedule);
  const CheckReport after = check(*image, mapped);
  RC_ASSERT(after.possession && after.ports && after.contention_free);
  RC_ASSERT(after.complete == before.complete);
  RC_ASSERT(after.costs.beta == before.costs.beta);
  std::vector<std::uint64_t> lacks_before = missing(*torus, before);
  const std::vector<std::uint64_t> lacks_after = missing(*image, after);
  for (std::uint32_t node = 0; node < torus->node_count(); ++node) {
    RC_ASSERT(lacks_before[node] == lacks_after[index(moved(NodeId{node}))]);
  }
  NetworkParameters parameters;
  parameters.startup = Time{1000};
  parameters.per_byte = Time{7};
  parameters.per_hop = Time{3};
  parameters.ports = schedule.ports;
  RC_ASSERT(simulate_core(*torus, schedule, parameters, {}).delivered ==
            simulate_core(*image, mapped, parameters, {}).delivered);
}

TEST(PetersenTorusAllToAll, Fixed2NeedsAllPorts)
{
  const auto torus = network("petersen_torus", {2, 2, 2});
  EXPECT_EQ(input_error([&] { schedule_of(all_to_all_name, *torus, 1, 0, "fixed2"); }),
            "petersen_torus_all_to_all has variant \"fixed2\" for all ports (or at least 4) only; ports is 1");
  EXPECT_TRUE(check_schedule(*torus, schedule_of(all_to_all_name, *torus, 4, 0, "fixed2")).valid());
}

TEST(PetersenTorusAllToAll, MessagesGrowUntilTheyHoldNearlyAll)
{
  const auto torus = network("petersen_torus", {3, 3, 3});
  const CheckReport report = check(*torus, schedule_of(all_to_all_name, *torus, 1, 0, "fixed"));
  EXPECT_TRUE(report.valid());
  EXPECT_EQ(report.costs.alpha, 26U);
  EXPECT_GT(report.costs.largest_message, Fraction(250)); // of 270 blocks
}

} // namespace
} // namespace wormcast
