#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/parameter.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// Traffic in a closed loop: every node sends a number of requests, some of them at once, and sends the next one only
/// when an earlier one is answered. A node has `outstanding` contexts; request k is of context k mod `outstanding`, and
/// each context waits for the reply to its last request.
struct RequestParameters {
  PatternChoice destinations;               ///< without include_self
  std::uint64_t requests = 1;               ///< of each node that sends
  std::uint64_t outstanding = 1;            ///< contexts of a node
  std::uint64_t bytes = 1;                  ///< of a request
  std::optional<std::uint64_t> reply_bytes; ///< none: there are no replies, a request that has arrived is answered
  Time service;                             ///< how long the receiver of a request computes before it replies
  Time think; ///< how long a node computes after a reply before the next request of that context
};

/// Returns the declarations of the keys of algorithm.name = "requests".
std::span<const Parameter> request_declarations();

/// Converts values read against the declarations; `bytes` is not among them. Throws InputError "KEY: ..." if keys do
/// not fit together.
RequestParameters request_parameters(const ParameterValues& values);

/// Returns the messages as a plain list: request k of all nodes in the order of their ids, each with its reply behind
/// it, before request k + 1 of any. Destinations are drawn for each node by `seed`. Throws InputError "KEY: ..." as
/// Pattern does, and where there are more than 2^32 - 1 messages.
Schedule request_messages(const Topology& topology, const RequestParameters& parameters, std::uint64_t seed);

/// How long requests take: from the time when the request is ready (its context is free) to the delivery of its reply;
/// without replies to its own delivery.
struct RoundTrips {
  std::uint64_t count = 0;
  double mean = 0; ///< picoseconds
  Time median;     ///< what half of them do not exceed
  Time percentile_95;
  Time percentile_99;
  Time largest;
};

/// Returns the round trips of a finished run of request_messages(); `starts` are the start delays of the nodes
/// (start_delays()). None where not all messages were delivered.
std::optional<RoundTrips> round_trips(const RequestParameters& parameters, const Schedule& schedule,
                                      const SimulationResult& result, std::span<const std::int64_t> starts);

} // namespace wormcast
