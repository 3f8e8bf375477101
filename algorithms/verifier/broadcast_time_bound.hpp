#pragma once

#include "wormcast/algorithms/verifier/broadcast_bounds.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <span>

namespace wormcast {

/// Lower bounds on steps and bytes together: a broadcast with few steps must send some blocks repeatedly. They hold for
/// every broadcast whose steps are free of channel contention, with full-duplex ports.

/// At most `steps` steps cost a beta of at least `ten_thousandths` / 10000.
struct BetaForSteps {
  std::uint32_t steps = 0;
  std::uint32_t ten_thousandths = 0;
};

/// For 2^doublings nodes with one port, by ascending steps from `doublings` on. Linear programs over what leaves the
/// source in which step and how its copies double (their duals are solved, and proved, in the tests), rounded down.
/// Empty where there is no table: 0 or more than 20 doublings.
std::span<const BetaForSteps> one_port_beta_table(std::uint32_t doublings);

/// The least beta of a broadcast in at most `steps` steps, which are no fewer than broadcast_bounds(...).steps, S:
/// - what every broadcast needs (channel_bound_bytes);
/// - below 2S - 1 steps the source must have sent everything (through c channels) before anything can be known
/// everywhere,
///   and a node that nothing has reached by then receives everything after it (through at most d): 1/c + 1/d;
/// - with one port and 2^n nodes the table.
Fraction least_beta(const Topology& topology, NodeId source, PortModel ports, std::uint64_t steps);

/// The lower bound of the time of every broadcast of a message, without hops.
struct BroadcastTimeBound {
  Time latency;            ///< least steps*T_s + beta*L*T_c over all numbers of steps, rounded down
  std::uint64_t steps = 0; ///< with which it is reached
  Fraction bytes;          ///< least beta for these steps
};

/// Throws InputError where a time does not fit 64 bits of picoseconds. Cost: that of broadcast_bounds.
BroadcastTimeBound broadcast_time_bound(const Topology& topology, NodeId source, PortModel ports,
                                        std::uint64_t message_bytes, Time startup, ByteTime per_byte);

} // namespace wormcast
