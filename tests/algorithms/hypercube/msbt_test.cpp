#include "wormcast/algorithms/hypercube/msbt.hpp"
#include "wormcast/algorithms/tuning/segments.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace wormcast {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::unique_ptr<Topology> hypercube(std::int64_t dimension)
{
  TopologyDescription description;
  description.kind = "hypercube";
  description.parameters.set("dimension", dimension);
  return make_topology(description);
}

ScheduleRequest request_for(NodeId source, std::int64_t segments, bool all_ports, std::uint64_t bytes)
{
  ScheduleRequest request;
  request.source = source;
  request.message_bytes = bytes;
  request.ports.count = all_ports ? PortModel::all : 1;
  request.parameters.set("segments", segments);
  return request;
}

RC_GTEST_PROP(Msbt, CostsWhatTheFormulaSays, ())
{
  const auto dimension = *rc::gen::inRange<std::int64_t>(1, 8);
  const auto segments = *rc::gen::inRange<std::int64_t>(1, 25);
  const bool all_ports = *rc::gen::element(true, false);
  const auto cube = hypercube(dimension);
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, cube->node_count())};
  const Schedule schedule = make_schedule(
      find_algorithm("msbt"), *cube, request_for(source, segments, all_ports, static_cast<std::uint64_t>(segments)));
  const CheckReport report = check_schedule(*cube, schedule);
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.messages == static_cast<std::uint64_t>(segments) * (cube->node_count() - 1));
  RC_ASSERT(report.costs.tcd == report.costs.messages);
  if (dimension >= 2 && !all_ports) {
    RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(segments + dimension));
    RC_ASSERT(report.costs.beta == Fraction(1) + Fraction(dimension, segments));
  } else if (dimension >= 2 && segments % dimension == 0) {
    RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(segments / dimension + dimension));
    RC_ASSERT(report.costs.beta == Fraction(1, dimension) + Fraction(dimension, segments));
  }
}

RC_GTEST_PROP(Msbt, BestIsTheFastestAndMeasuredAsPredicted, ())
{
  const auto dimension = *rc::gen::inRange<std::int64_t>(1, 6);
  const auto cube = hypercube(dimension);
  const bool all_ports = *rc::gen::element(true, false);
  ScheduleRequest request = request_for(NodeId{*rc::gen::inRange<std::uint32_t>(0, cube->node_count())}, 1, all_ports,
                                        *rc::gen::inRange<std::uint64_t>(1, 400));
  request.parameters.set("segments", std::string(best_value));
  request.costs = MessageCosts{.startup = {*rc::gen::inRange(0, 50'000)}, .per_byte = {1000}, .per_hop = {500}};
  const Schedule schedule = make_schedule(find_algorithm("msbt"), *cube, request);
  const auto best = static_cast<std::uint64_t>(schedule.chosen.integer("segments"));
  const SegmentTimes times(*cube,
                           spanning_binomial_trees(static_cast<std::uint32_t>(dimension), request.source, all_ports));
  for (std::uint64_t segments = 1; segments <= request.message_bytes; ++segments) {
    RC_ASSERT(times.time(best, request) <= times.time(segments, request));
  }
  NetworkParameters network;
  network.startup = request.costs->startup;
  network.per_byte = request.costs->per_byte;
  network.per_hop = request.costs->per_hop;
  network.ports = request.ports;
  const ScheduleCosts costs = schedule_costs(*cube, schedule);
  const SimulationResult result = simulate_core(*cube, schedule, network, {});
  RC_ASSERT(result.contention.none());
  RC_ASSERT(result.latency->picoseconds ==
            static_cast<std::int64_t>(costs.alpha) * (network.startup.picoseconds + 500) +
                static_cast<std::int64_t>(costs.beta_bytes) * 1000);
}

TEST(Msbt, ErrorsNameTheKey)
{
  const auto cube = hypercube(3);
  EXPECT_THAT([&] { make_schedule(find_algorithm("msbt"), *cube, request_for(NodeId{0}, 9, false, 8)); },
              ThrowsMessage<InputError>("msbt needs a byte for each part of the message at least; segments is 9, the "
                                        "message has 8 bytes"));
  TopologyDescription mesh;
  mesh.kind = "mesh";
  mesh.parameters.set("dims", std::vector<std::int64_t>{4, 4});
  const auto other = make_topology(mesh);
  EXPECT_THAT([&] { make_schedule(find_algorithm("msbt"), *other, request_for(NodeId{0}, 2, false, 8)); },
              ThrowsMessage<InputError>(HasSubstr("msbt needs a hypercube")));
}

} // namespace
} // namespace wormcast
