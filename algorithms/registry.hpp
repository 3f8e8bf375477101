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

/// The cost of a message on an empty network.
struct MessageCosts {
  Time startup;      ///< T_s, once
  ByteTime per_byte; ///< T_c
  Time per_hop;      ///< T_f, for each external channel
};

/// A request to an algorithm, in addition to its own parameters.
struct ScheduleRequest {
  NodeId source{};
  std::uint64_t message_bytes = 1; ///< copied into the schedule; it decides nothing but parameters that are "best"
  PortModel ports;                 ///< the configured port model
  Duplex duplex = Duplex::full;
  ParameterValues parameters;             ///< as declared by the algorithm
  std::optional<MessageCosts> costs = {}; ///< of the network; only parameters that are "best" need them
  std::filesystem::path folder = {};      ///< the folder of relative paths in parameters
};

/// The cost of a broadcast in equal segments: beta is alpha over their number.
struct SegmentCosts {
  std::uint64_t alpha = 0;
  std::uint64_t hops = 0; ///< sum over the steps of the longest route
};

/// Which blocks belong to which of P shares of the message (parameter `shares`), each of which has a collective of its
/// own at the same time.
enum class ShareBlocks : std::uint8_t {
  none,     ///< there are no shares
  in_order, ///< of B blocks, block b belongs to share b P / B
  in_turn   ///< block b belongs to share b mod P
};

/// An algorithm, as `wormcast list algorithms` shows it.
struct Algorithm {
  std::string name;
  std::string summary;
  Operation operation = Operation::broadcast; ///< its operation if the request names no other
  std::string ports;                          ///< port models it is made for: "one-port", "all-port"
  std::string topologies;                     ///< kinds and sizes that it serves, for people
  std::string costs;                          ///< closed forms of alpha and beta where known, for people
  std::string source;                         ///< paper and section
  std::string tie = {};                       ///< its condition on `network.tie` on a torus, as text; empty: none
  std::vector<Parameter> parameters;
  /// Further operations that `make` itself supports: it reads the parameter `operation`, which is set if it is not
  /// `Algorithm::operation`.
  std::vector<Operation> further = {};
  /// Operations that make_schedule derives by reversal (collective/reversal.hpp): a reduce from its broadcast, which
  /// need not be its own operation; from a broadcast of its own also all_reduce, from a scatter gather, from a
  /// multinode broadcast reduce_scatter and all_reduce.
  std::vector<Operation> by_reversal = {};
  /// The schedule on `topology`. Fills in messages, blocks and block sets; `make_schedule` fills in the rest.
  /// Throws InputError that names the algorithm and the dimension where the topology is not one that it serves.
  std::function<Schedule(const Topology& topology, const ScheduleRequest& request)> make;
  /// Returns `request.parameters` with each "best" replaced by the best value; called only if there is one, and with
  /// `request.costs`. No function: no parameter can be "best". Throws InputError as `make` does. It makes no schedule.
  std::function<ParameterValues(const Topology& topology, const ScheduleRequest& request)> tune = {};
  /// For an algorithm that sends equal segments: the parameter that is their number (empty: there is none), and the
  /// costs as a function of it, which hold for every number if one schedule is free of contention. Throws as `make`. A
  /// parameter that is optional is of broadcasts alone, which have the best number without it.
  std::string segments = {};
  std::function<std::function<SegmentCosts(std::uint64_t segments)>(const Topology& topology,
                                                                    const ScheduleRequest& request)>
      segment_costs = {};
  /// Where there are several shares, make_schedule binds their messages to ports: those of share s to port s.
  ShareBlocks share_blocks = ShareBlocks::none;
  /// Returns parameter values worth comparing on `topology`, on which the algorithm need not run; missing parameters
  /// have their defaults. No function or no values: the defaults alone.
  std::function<std::vector<ParameterValues>(const Topology& topology)> family = {};
  /// Whether comparisons take it where no algorithms are named: not one that is made to be studied, such as a tree
  /// drawn at random.
  bool compared_unnamed = true;
  /// Whether its schedules do the whole operation for every topology, source and parameter; the tests check it. Runs
  /// check the schedules of all other algorithms. Only for algorithms of the library.
  bool always_complete = false;
};

/// Returns a family with every choice of `parameter`.
std::function<std::vector<ParameterValues>(const Topology& topology)> every_choice(const Parameter& parameter);

/// Adds an algorithm after all others, which configurations and commands can use from then on. Call this before any
/// other function that reads algorithms: it invalidates spans and references to algorithms. Throws InputError if the
/// name has characters other than a-z, 0-9 and _, is in use or is "schedule" (a schedule from a file) or "requests", or
/// if `make` is missing.
void register_algorithm(Algorithm algorithm);

/// Returns all algorithms in the order of the listing.
std::span<const Algorithm> algorithms();

/// Throws InputError on an unknown name, with the nearest known one.
const Algorithm& find_algorithm(std::string_view name);

/// Returns the parameters that make_schedule uses: parameters that the request leaves out have their defaults, those
/// that are "best" the fastest values. Throws InputError if one is "best" and the request has no costs, or requests an
/// operation by reversal other than reduce.
ParameterValues chosen_parameters(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request);

/// Returns all operations of an algorithm, its own first.
std::vector<Operation> served_operations(const Algorithm& algorithm);

/// Returns the operation that the parameter `operation` requests, or the algorithm's own. Throws InputError with the
/// possible operations if it is none of them.
Operation requested_operation(const Algorithm& algorithm, const ParameterValues& parameters);

/// Returns Algorithm::segment_costs for the requested operation: the algorithm's own, or a reduce by reversal. Only if
/// Algorithm::segment_costs is set; throws as it does.
std::function<SegmentCosts(std::uint64_t segments)>
segment_costs_of(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request);

/// Returns the algorithm's complete schedule: topology, routing, ports, duplex, source and length copied from the
/// arguments; parameters as from chosen_parameters, and Schedule::chosen has those that were "best".
Schedule make_schedule(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request);

} // namespace wormcast
