#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// What an algorithm is asked for, besides its own parameters.
struct ScheduleRequest {
  NodeId source{};
  std::uint64_t message_bytes = 1; ///< only copied into the schedule: no algorithm here depends on the length
  PortModel ports;                 ///< the configured port model
  Duplex duplex = Duplex::full;
  ParameterValues parameters; ///< as declared by the algorithm
};

/// One algorithm, as `wormcast list algorithms` shows it.
struct Algorithm {
  std::string name;
  std::string summary;
  Operation operation = Operation::broadcast;
  std::string ports;      ///< port models it is made for: "one-port", "all-port"
  std::string topologies; ///< kinds and sizes that it serves, for people
  std::string costs;      ///< closed forms of alpha and beta where known, for people
  std::string source;     ///< paper and section
  std::string tie = {};   ///< what it asks of `network.tie` on a torus, for people; empty: nothing
  std::vector<Parameter> parameters;
  /// The schedule on `topology`. Fills in messages, blocks and block sets; `make_schedule` fills in the rest.
  /// Throws InputError that names the algorithm and the dimension where the topology is not one that it serves.
  std::function<Schedule(const Topology& topology, const ScheduleRequest& request)> make;
  /// Parameter values worth comparing on `topology`, on which the algorithm need not run; what they leave out has its
  /// default. No function or no values: the defaults alone.
  std::function<std::vector<ParameterValues>(const Topology& topology)> family = {};
};

/// A family that takes every choice of `parameter`.
std::function<std::vector<ParameterValues>(const Topology& topology)> every_choice(const Parameter& parameter);

/// All algorithms in the order in which they are listed.
std::span<const Algorithm> algorithms();

/// Throws InputError on an unknown name, with the nearest known one.
const Algorithm& find_algorithm(std::string_view name);

/// The algorithm's complete schedule: topology, routing, ports, duplex, source and length copied from the arguments;
/// parameters that the request leaves out take their fallbacks.
Schedule make_schedule(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request);

} // namespace wormcast
