#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/grid_trees/two_combs.hpp"
#include "wormcast/algorithms/tuning/segments.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace wormcast {
namespace {

using testing::grid;

ScheduleRequest any_request()
{
  ScheduleRequest request;
  request.message_bytes = *rc::gen::inRange<std::uint64_t>(1, 4000);
  request.costs = MessageCosts{.startup = {*rc::gen::inRange(0, 100'000)},
                               .per_byte = {*rc::gen::inRange(1, 2000)},
                               .per_hop = {*rc::gen::element(0, 1, 5000, 100'000)}};
  return request;
}

RC_GTEST_PROP(Segments, BestIsTheFastestOfAll, ())
{
  const auto topology =
      make_topology(grid("mesh", {*rc::gen::inRange<std::int64_t>(2, 20), *rc::gen::inRange<std::int64_t>(2, 20)}));
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  const ScheduleRequest request = any_request();
  const SegmentTimes times(*topology, two_combs(dynamic_cast<const Grid&>(*topology), source));
  const std::uint64_t most = std::min<std::uint64_t>(request.message_bytes, 700);
  const std::uint64_t best = times.best(most, request);
  const ExactTime least = times.time(best, request);
  for (std::uint64_t segments = 1; segments <= most; ++segments) {
    const ExactTime taken = times.time(segments, request);
    RC_ASSERT(least < taken || (least == taken && best <= segments));
  }
}

// On a long mesh hops grow evenly only from far more than 512 segments on.
TEST(Segments, BestIsTheFastestOfAllWithLongRoutes)
{
  const auto mesh = make_topology(grid("mesh", {700, 2}));
  ScheduleRequest request;
  const SegmentTimes times(*mesh, two_combs(dynamic_cast<const Grid&>(*mesh), NodeId{0}));
  for (const std::uint64_t bytes : {2000U, 20'000U}) {
    request.message_bytes = bytes;
    request.costs = MessageCosts{.startup = {1000}, .per_byte = {500}, .per_hop = {100}};
    const std::uint64_t best = times.best(900, request);
    const ExactTime least = times.time(best, request);
    for (std::uint64_t segments = 1; segments <= 900; segments += 7) {
      EXPECT_LE(least, times.time(segments, request)) << segments;
    }
  }
}

// With segments of whole bytes and flits of a byte the time is what a simulation measures, hops included.
RC_GTEST_PROP(Segments, TimeIsMeasured, ())
{
  const auto topology =
      make_topology(grid("mesh", {*rc::gen::inRange<std::int64_t>(2, 8), *rc::gen::inRange<std::int64_t>(2, 8)}));
  ScheduleRequest request = any_request();
  request.source = NodeId{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  const auto segments = *rc::gen::inRange<std::uint64_t>(1, 60);
  request.message_bytes = segments * *rc::gen::inRange<std::uint64_t>(1, 50);
  const SegmentTrees trees = two_combs(dynamic_cast<const Grid&>(*topology), request.source);
  Schedule schedule = segmented_broadcast(trees, segments);
  schedule.source = request.source;
  schedule.message_bytes = request.message_bytes;
  const SegmentTimes times(*topology, trees);
  RC_ASSERT(times.steps(segments) == schedule_costs(*topology, schedule).alpha);
  NetworkParameters network;
  network.startup = request.costs->startup;
  network.per_byte = request.costs->per_byte;
  network.per_hop = request.costs->per_hop;
  network.buffer_flits = 1'000'000;
  const SimulationResult result = simulate_core(*topology, schedule, network, {});
  RC_ASSERT(ExactTime(result.latency->picoseconds) == times.time(segments, request));
}

// The least k with k(k+1) >= D L T_c / T_s, where k segments take k + D steps.
TEST(Segments, BestIsTheClosedFormWithoutHops)
{
  const auto mesh = make_topology(grid("mesh", {32, 32}));
  const SegmentTimes times(*mesh, two_combs(dynamic_cast<const Grid&>(*mesh), NodeId{0}));
  ScheduleRequest request;
  request.costs = MessageCosts{.startup = {150'000'000}, .per_byte = {500'000}, .per_hop = {0}};
  for (const std::uint64_t bytes : {4'000U, 16'384U, 127'392U, 1U << 20, 1U << 24}) {
    request.message_bytes = bytes;
    std::uint64_t expected = 1;
    while (expected * (expected + 1) * 300 < 93 * bytes) {
      ++expected;
    }
    EXPECT_EQ(times.best(1U << 20, request), expected) << bytes;
  }
  EXPECT_EQ(times.best(5, request), 5U);
}

} // namespace
} // namespace wormcast
