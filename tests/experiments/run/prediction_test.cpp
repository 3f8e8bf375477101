#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"
#include "wormcast/experiments/run/prediction.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace wormcast {
namespace {

std::shared_ptr<const Topology> random_grid()
{
  TopologyDescription description;
  description.kind = *rc::gen::element<std::string>("mesh", "torus");
  const auto side = [] { return std::int64_t{1} << *rc::gen::inRange(0, 4); };
  std::vector<std::int64_t> dims = {side(), side()};
  if (*rc::gen::arbitrary<bool>()) {
    dims = {*rc::gen::inRange<std::int64_t>(1, 6), *rc::gen::inRange<std::int64_t>(2, 6)};
  }
  description.parameters.set("dims", dims);
  return make_topology(description, {});
}

NetworkParameters random_network()
{
  NetworkParameters network;
  network.startup = Time{*rc::gen::element<std::int64_t>(0, 700, 5000)};
  network.per_byte = Time{*rc::gen::element<std::int64_t>(1, 7, 100)};
  network.per_hop = Time{*rc::gen::element<std::int64_t>(0, 0, 3, 150)};
  network.flit_bytes = *rc::gen::element<std::uint32_t>(1, 1, 4, 16);
  network.buffer_flits = *rc::gen::element<std::uint32_t>(1, 2, 8);
  network.virtual_channels = *rc::gen::element<std::uint32_t>(1, 2, 3);
  network.ports.count = *rc::gen::element<std::uint32_t>(1, 1, 2, 3, PortModel::all);
  network.duplex = *rc::gen::element(Duplex::full, Duplex::half);
  network.switching =
      *rc::gen::element(Switching::wormhole, Switching::wormhole, Switching::cut_through, Switching::store_and_forward);
  return network;
}

/// In lockstep what is called exact is the latency, what is called a lower bound is not above it, and no schedule that
/// the bounds bind is below them.
RC_GTEST_PROP(Prediction, IsWhatItIsCalled, ())
{
  Experiment experiment;
  experiment.topology = random_grid();
  experiment.network = random_network();
  experiment.algorithm = *rc::gen::elementOf(std::vector<std::string>{
      "recursive_doubling", "scatter_collect", "recursion_based", "network_partitioning", "binomial_tree",
      "scatter_all_gather", "segmented_chain", "two_trees", "line_pipeline", "dominating_nodes", "flooding", "ring",
      "recursive_halving", "pairwise_exchange", "intercom", "bfs_tree"});
  const Topology& topology = *experiment.topology;
  ScheduleRequest request;
  request.source = NodeId{*rc::gen::inRange<std::uint32_t>(0, topology.node_count())};
  request.message_bytes = *rc::gen::element<std::uint64_t>(1, 2, 64, 100, 1024);
  request.ports = experiment.network.ports;
  request.duplex = experiment.network.duplex;
  request.costs = MessageCosts{experiment.network.startup, experiment.network.per_byte, experiment.network.per_hop};
  Schedule schedule;
  try {
    schedule = make_schedule(find_algorithm(experiment.algorithm), topology, request);
  } catch (const InputError&) {
    RC_DISCARD("not for this network");
  }
  const ScheduleCosts costs = schedule_costs(topology, schedule);
  const Prediction prediction = predict(experiment, schedule, costs);
  const SimulationResult result = simulate_core(topology, schedule, experiment.network, {});
  RC_ASSERT(prediction.time.has_value() == check_schedule(topology, schedule).ports);
  if (!prediction.time) {
    RC_SUCCEED("asks for more ports");
  }
  RC_ASSERT(prediction.kind != PredictionKind::estimate);
  RC_ASSERT(prediction.left_out.empty() == (prediction.kind == PredictionKind::exact));
  if (prediction.kind == PredictionKind::exact) {
    RC_ASSERT(result.latency == prediction.time);
  }
  if (result.latency) {
    RC_ASSERT(*prediction.time <= *result.latency);
    if (has_broadcast_bounds(schedule, costs)) {
      const BroadcastTimeBound bound =
          broadcast_time_bound(topology, schedule.source, schedule.ports, schedule.message_bytes,
                               experiment.network.startup, experiment.network.per_byte);
      RC_ASSERT(bound.latency <= *result.latency);
      RC_ASSERT(broadcast_bounds(topology, schedule.source, schedule.ports).steps <= costs.alpha);
    }
  }
}

} // namespace
} // namespace wormcast
