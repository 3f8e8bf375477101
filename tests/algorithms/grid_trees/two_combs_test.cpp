#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/grid_trees/two_combs.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace wormcast {
namespace {

using testing::grid;
using ::testing::HasSubstr;
using testing::schedule_of;
using ::testing::ThrowsMessage;

/// The frame's sizes and, as k grows, how much more than k steps there are.
std::uint64_t extra_steps(const Grid& mesh, NodeId source)
{
  const std::int64_t width = mesh.sizes()[0];
  const std::int64_t height = mesh.sizes()[1];
  const std::int64_t x = mesh.coordinate(source, 0);
  const std::int64_t y = mesh.coordinate(source, 1);
  const bool on_back = y == 0 || y == height - 1;
  const bool at_side = x == 0 || x == width - 1;
  const bool turned = on_back && !at_side;
  const std::int64_t columns = turned ? height : width;
  const std::int64_t rows = turned ? width : height;
  const bool in_last_column = !turned && !on_back && x == width - 1;
  return static_cast<std::uint64_t>(columns + 2 * rows - 3 - (in_last_column ? 1 : 0));
}

RC_GTEST_PROP(TwoCombs, AreFreeOfContentionAtFullRate, ())
{
  const auto width = *rc::gen::inRange<std::int64_t>(2, 12);
  const auto height = *rc::gen::inRange<std::int64_t>(2, 12);
  const auto topology = make_topology(grid("mesh", {width, height}));
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  const auto segments = *rc::gen::inRange<std::int64_t>(1, 20);
  const CheckReport report =
      check_schedule(*topology, schedule_of("two_combs", *topology, source, static_cast<std::uint64_t>(segments),
                                            {{"segments", segments}}));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.messages == static_cast<std::uint64_t>(segments) * (topology->node_count() - 1));
  RC_ASSERT(report.costs.beta == Fraction(static_cast<std::int64_t>(report.costs.alpha), segments));
  if (segments >= 2) {
    RC_ASSERT(report.costs.alpha ==
              static_cast<std::uint64_t>(segments) + extra_steps(dynamic_cast<const Grid&>(*topology), source));
  }
}

RC_GTEST_PROP(TwoCombs, AreMeasuredAsPredicted, ())
{
  const auto topology =
      make_topology(grid("mesh", {*rc::gen::inRange<std::int64_t>(2, 8), *rc::gen::inRange<std::int64_t>(2, 8)}));
  ScheduleRequest request;
  request.source = NodeId{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  request.message_bytes = *rc::gen::inRange<std::uint64_t>(1, 3000);
  request.costs = MessageCosts{.startup = {*rc::gen::inRange(0, 100'000)}, .per_byte = {1000}, .per_hop = {0}};
  const Schedule schedule = make_schedule(find_algorithm("two_combs"), *topology, request);
  RC_ASSERT(schedule.chosen.integer("segments") == static_cast<std::int64_t>(schedule.blocks));
  NetworkParameters network;
  network.startup = request.costs->startup;
  network.per_byte = request.costs->per_byte;
  const SimulationResult result = simulate_core(*topology, schedule, network, {});
  const ScheduleCosts costs = schedule_costs(*topology, schedule);
  RC_ASSERT(result.contention.none());
  RC_ASSERT(result.latency->picoseconds ==
            static_cast<std::int64_t>(costs.alpha) * network.startup.picoseconds +
                static_cast<std::int64_t>(costs.beta_bytes) * network.per_byte.picoseconds());
}

TEST(TwoCombs, ErrorsNameTheDimensionAndTheKey)
{
  const auto run = [](const std::string& kind, std::vector<std::int64_t> dims, std::int64_t segments) {
    const auto topology = make_topology(grid(kind, std::move(dims)));
    schedule_of("two_combs", *topology, NodeId{0}, 16, {{"segments", segments}});
  };
  EXPECT_THAT([&] { run("mesh", {5, 1}, 4); },
              ThrowsMessage<InputError>("two_combs needs sizes of at least 2; the y size of the mesh 5 x 1 is 1"));
  EXPECT_THAT([&] { run("torus", {4, 4}, 4); },
              ThrowsMessage<InputError>(HasSubstr("runs on meshes of 2 dimensions, not on the torus 4 x 4")));
  EXPECT_THAT([&] { run("mesh", {4, 4, 4}, 4); }, ThrowsMessage<InputError>(HasSubstr("meshes of 2 dimensions")));
  EXPECT_THAT([&] { run("mesh", {4, 4}, 17); },
              ThrowsMessage<InputError>("two_combs needs a byte for each part of the message at least; segments is 17, "
                                        "the message has 16 bytes"));
  EXPECT_THAT([&] { run("mesh", {4, 4}, 0); },
              ThrowsMessage<InputError>(HasSubstr("expected a whole number from 1 to 16777216, or \"best\"")));
}

} // namespace
} // namespace wormcast
