#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace wormcast::testing {

/// All that a simulation depends on.
struct Scenario {
  std::uint64_t seed = 0;
  std::string traffic; ///< "plain list", "gossip", or the name of an algorithm
  std::shared_ptr<const Topology> topology;
  NetworkParameters network;
  RunParameters run;
  Schedule schedule;
};

/// The random scenario of a seed. Adding an algorithm changes a few of all scenarios, not all of them.
Scenario random_scenario(std::uint64_t seed);

/// The same, in a third of the scenarios with nodes that compute, a latency of start-ups, or receivers that report when
/// they are ready; in some messages are bound to ports, or cut into segments or packets.
Scenario random_computing_scenario(std::uint64_t seed);

/// random_scenario() with rates and latencies of their own for ports and classes of links.
Scenario random_scenario_of_unequal_channels(std::uint64_t seed);

/// random_scenario() with router "input_queued", on a mesh or torus under a list of messages.
Scenario random_pipeline_scenario(std::uint64_t seed);

/// The router of a scenario.
enum class RouterOf { worms, pipeline };

/// The scenario of a seed with one of both routers, on a torus some of whose dimensions are lines, under a list of
/// messages.
Scenario random_scenario_of_rings_and_lines(std::uint64_t seed, RouterOf router);

/// random_scenario() on a fat tree or a dragonfly, under a list of messages.
Scenario random_scenario_of_switches(std::uint64_t seed);

/// random_scenario() on a lattice, under a list of messages.
Scenario random_scenario_of_lattices(std::uint64_t seed);

/// Several lines for people: network, run, and (the first of) the messages.
std::string describe(const Scenario& scenario);

/// Bytes of the message `id`.
std::uint64_t message_bytes(const Schedule& schedule, std::size_t id);

} // namespace wormcast::testing
