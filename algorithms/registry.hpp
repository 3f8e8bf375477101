#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A parameter with this value is for the algorithm to choose: the fastest one for the message length on the network.
inline constexpr std::string_view best_value = "best";

/// What a message costs on an empty network.
struct MessageCosts {
  Time startup;  ///< T_s, once
  Time per_byte; ///< T_c
  Time per_hop;  ///< T_f, for each external channel
};

/// What an algorithm is asked for, besides its own parameters.
struct ScheduleRequest {
  NodeId source{};
  std::uint64_t message_bytes = 1; ///< copied into the schedule; it decides nothing but parameters that are "best"
  PortModel ports;                 ///< the configured port model
  Duplex duplex = Duplex::full;
  ParameterValues parameters;             ///< as declared by the algorithm
  std::optional<MessageCosts> costs = {}; ///< of the network; only parameters that are "best" need them
  std::filesystem::path folder = {};      ///< what relative paths of parameters are relative to
};

/// What a broadcast in equal segments costs: beta is alpha over their number.
struct SegmentCosts {
  std::uint64_t alpha = 0;
  std::uint64_t hops = 0; ///< sum over the steps of the longest route
};

/// One algorithm, as `wormcast list algorithms` shows it.
struct Algorithm {
  std::string name;
  std::string summary;
  Operation operation = Operation::broadcast; ///< what it does where nobody asks for another operation
  std::string ports;                          ///< port models it is made for: "one-port", "all-port"
  std::string topologies;                     ///< kinds and sizes that it serves, for people
  std::string costs;                          ///< closed forms of alpha and beta where known, for people
  std::string source;                         ///< paper and section
  std::string tie = {};                       ///< what it asks of `network.tie` on a torus, for people; empty: nothing
  std::vector<Parameter> parameters;
  /// Further operations that `make` itself knows: it reads the parameter `operation`, which is there if it is not
  /// `Algorithm::operation`.
  std::vector<Operation> further = {};
  /// Operations that make_schedule makes of its schedule by reversing it (collective/reversal.hpp): of a broadcast
  /// reduce and all_reduce, of a scatter gather, of a multinode broadcast reduce_scatter and all_reduce.
  std::vector<Operation> by_reversal = {};
  /// The schedule on `topology`. Fills in messages, blocks and block sets; `make_schedule` fills in the rest.
  /// Throws InputError that names the algorithm and the dimension where the topology is not one that it serves.
  std::function<Schedule(const Topology& topology, const ScheduleRequest& request)> make;
  /// `request.parameters` with the best value in place of each "best"; called only where there is one, and with
  /// `request.costs`. No function: no parameter can be "best". Throws InputError as `make` does. Cheap: no schedule is
  /// made for it.
  std::function<ParameterValues(const Topology& topology, const ScheduleRequest& request)> tune = {};
  /// Of an algorithm that sends equal segments: the parameter that is their number (empty: there is none), and the
  /// costs as a function of it, which hold for every number as long as one schedule is free of contention. Throws as
  /// `make`.
  std::string segments = {};
  std::function<std::function<SegmentCosts(std::uint64_t segments)>(const Topology& topology,
                                                                    const ScheduleRequest& request)>
      segment_costs = {};
  /// Parameter values worth comparing on `topology`, on which the algorithm need not run; what they leave out has its
  /// default. No function or no values: the defaults alone.
  std::function<std::vector<ParameterValues>(const Topology& topology)> family = {};
  /// Its schedules do the whole operation whatever the topology, the source and the parameters are; tests go through
  /// them. Runs check the schedules of the others. Only of algorithms of the program's own.
  bool always_complete = false;
};

/// A family that takes every choice of `parameter`.
std::function<std::vector<ParameterValues>(const Topology& topology)> every_choice(const Parameter& parameter);

/// Adds an algorithm behind all others: from then on configurations and commands know it. Register before anything else
/// is asked for: spans and references to algorithms that were given out before are no longer valid. Throws InputError
/// where the name has others than a-z, 0-9 and _, is taken or "schedule" (one from a file), or `make` is missing.
void register_algorithm(Algorithm algorithm);

/// All algorithms in the order in which they are listed.
std::span<const Algorithm> algorithms();

/// Throws InputError on an unknown name, with the nearest known one.
const Algorithm& find_algorithm(std::string_view name);

/// The parameters that make_schedule takes: those that the request leaves out have their fallbacks, those that are
/// "best" the values that are the fastest. Throws InputError where one is "best" and the request has no costs, or asks
/// for an operation by reversal other than reduce.
ParameterValues chosen_parameters(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request);

/// All operations that it serves, its own first.
std::vector<Operation> served_operations(const Algorithm& algorithm);

/// The one that the parameter `operation` asks for, or the algorithm's own. Throws InputError that names those that it
/// serves if it is none of them.
Operation requested_operation(const Algorithm& algorithm, const ParameterValues& parameters);

/// Algorithm::segment_costs for the operation that the request asks for: the algorithm's own, or a reduce by reversal.
/// Only where there is an Algorithm::segment_costs, which throws as there.
std::function<SegmentCosts(std::uint64_t segments)>
segment_costs_of(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request);

/// The algorithm's complete schedule: topology, routing, ports, duplex, source and length copied from the arguments;
/// parameters are as chosen_parameters says, and Schedule::chosen has those that were "best".
Schedule make_schedule(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request);

} // namespace wormcast
