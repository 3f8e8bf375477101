#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/parameter.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstdint>
#include <span>

namespace wormcast {

enum class Switching { wormhole, cut_through, store_and_forward };

/// When a worm gives its channels back.
enum class Hold {
  tail, ///< each channel behind the tail
  path  ///< all at delivery (Zhuang & Liberatore, section 2.2)
};

/// The network section of a configuration.
struct NetworkParameters {
  Time startup;                       ///< T_s: software start-up, spent at the sender while it holds its port
  Time per_hop;                       ///< T_f: a flit passes one router and the external channel behind it
  Time per_byte;                      ///< T_c: a byte on a channel; positive
  std::uint64_t flit_bytes = 1;       ///< b
  std::uint64_t buffer_flits = 2;     ///< B: input buffer behind each virtual channel
  std::uint32_t virtual_channels = 1; ///< V
  PortModel ports;
  Duplex duplex = Duplex::full;
  Switching switching = Switching::wormhole;
  Hold hold = Hold::tail;
  RoutingChoice routing;

  /// tau: time of one flit on any channel.
  Time flit_time() const { return static_cast<std::int64_t>(flit_bytes) * per_byte; }
};

/// The declarations of the network section's keys.
std::span<const Parameter> network_declarations();

/// From values read against network_declarations(). Throws InputError where values do not fit together (a flit time
/// that passes 2^61 ps).
NetworkParameters network_parameters(const ParameterValues& values);

/// Flits of a message of `bytes` bytes: ceil(bytes / flit_bytes), at least the header.
std::uint64_t flit_count(const NetworkParameters& network, std::uint64_t bytes);

/// Time of all flits of a message on a channel (picoseconds). Throws InputError where it passes 2^61 ps.
std::int64_t transfer_time(const NetworkParameters& network, std::uint64_t flits);

/// Instants from here on end a run with an InputError: beyond 2^62 ps sums of times could overflow.
inline constexpr std::int64_t last_instant = std::int64_t{1} << 62;

/// Whether one event per hop gives the exact times (docs/network-model.md) while no two worms share a physical channel:
/// with wormhole switching buffers must cover the hop latency, buffer_flits * flit_time >= per_hop.
bool closed_form_holds(const NetworkParameters& network);

} // namespace wormcast
