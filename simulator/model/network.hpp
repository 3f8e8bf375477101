#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/grid_routing.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/parameter.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// What a message that cannot go on keeps: buffers along its path, one whole buffer, or a node's memory.
enum class Switching { wormhole, cut_through, store_and_forward };

/// Values of network.switching.
inline constexpr auto switching_names = names<Switching>({{Switching::wormhole, "wormhole"},
                                                          {Switching::cut_through, "cut_through"},
                                                          {Switching::store_and_forward, "store_and_forward"}});

/// A model of a router (simulator/model/routers.hpp).
struct RouterModel;

/// The router of configurations without network.router: "wormhole".
const RouterModel& default_router();

/// How an input-queued router matches inputs with outputs.
enum class AllocatorKind { islip, separable_input_first, separable_output_first };

/// Values of network.allocator, and of network.vc_allocator besides "piggyback".
inline constexpr auto allocator_names =
    names<AllocatorKind>({{AllocatorKind::islip, "islip"},
                          {AllocatorKind::separable_input_first, "separable_input_first"},
                          {AllocatorKind::separable_output_first, "separable_output_first"}});

/// Who comes first in the separable allocators of an input-queued router.
enum class FlitPriority {
  none,
  local_age, ///< the flit that came earlier into its buffer
  age        ///< the flit of the message that was ready earlier
};

/// Values of network.priority.
inline constexpr auto flit_priority_names = names<FlitPriority>(
    {{FlitPriority::none, "none"}, {FlitPriority::local_age, "local_age"}, {FlitPriority::age, "age"}});

/// The keys that only router "input_queued" has. Delays are in cycles, times of one flit on a channel.
struct PipelineParameters {
  bool speculative = false; ///< a header bids for the crossbar while it asks for its virtual channel
  bool piggyback = false;   ///< only speculative: the grant of the crossbar gives the virtual channel, too
  AllocatorKind virtual_channel_allocator = AllocatorKind::islip; ///< unless piggyback
  AllocatorKind switch_allocator = AllocatorKind::islip;
  std::uint32_t islip_iterations = 1;
  FlitPriority priority = FlitPriority::none;
  bool releases_at_credit = false; ///< a virtual channel is given back when the tail's credit has come back
  std::uint32_t routing_delay = 0;
  std::uint32_t switch_delay = 1;
  std::uint32_t credit_delay = 0;
  std::uint32_t link_delay = 0; ///< 0: 1 on a mesh, 2 on a torus (resolve_for)
  GridRouting routing = GridRouting::dimension_order;

  /// From the cycle in which a header can ask for a virtual channel to that in which it is granted the crossbar.
  std::int64_t header_cycles() const { return (speculative ? 0 : 1) + std::int64_t{routing_delay}; }
  /// Of a header without contention: from one router's input buffer to the next one's.
  std::int64_t hop_cycles() const { return header_cycles() + switch_delay + 1 + link_delay; }
  /// Of a header without contention: from the source's sending to the node that takes it off, hops apart.
  std::int64_t end_cycles() const { return 2 + header_cycles() + switch_delay + 2; }
};

/// When a worm gives its channels back.
enum class Hold {
  tail, ///< each channel behind the tail
  path  ///< all at delivery (Zhuang & Liberatore, section 2.2)
};

/// Values of network.hold.
inline constexpr auto hold_names = names<Hold>({{Hold::tail, "tail"}, {Hold::path, "path"}});

/// The network section of a configuration.
struct NetworkParameters {
  Time startup;                       ///< T_s: software start-up, spent at the sender while it holds its port
  Time per_hop;                       ///< T_f: a flit passes one router and the external channel behind it
  Time per_byte;                      ///< T_c: a byte on a channel; positive
  std::uint64_t flit_bytes = 1;       ///< b
  std::uint64_t buffer_flits = 2;     ///< B: input buffer behind each virtual channel
  bool automatic_buffers = false;     ///< buffer_flits = "auto": what a hop needs, known after resolve_for()
  std::uint32_t virtual_channels = 1; ///< V
  PortModel ports;
  Duplex duplex = Duplex::full;
  Switching switching = Switching::wormhole;
  Hold hold = Hold::tail;
  RoutingChoice routing;
  std::uint64_t routing_seed = 1;                ///< of the random draws of tie "random", valiant and romm: run.seed
  const RouterModel* router = &default_router(); ///< never null; two are the same if they are at the same address
  PipelineParameters pipeline = {};              ///< router "input_queued" alone; per_hop follows from it
  ParameterValues model_parameters = {};         ///< of RouterModel::parameters, where the router does not read them

  /// tau: time of one flit on any channel.
  Time flit_time() const { return static_cast<std::int64_t>(flit_bytes) * per_byte; }
};

/// The declaration of network.router, which says whose the other keys of the section are.
const Parameter& router_declaration();

/// The declarations of the keys that NetworkParameters itself has: those of router "wormhole", from which the keys of
/// all others are made (RouterModel).
std::span<const Parameter> network_keys();

/// The declarations of the network section's keys with this router; network.router is not among them.
std::span<const Parameter> network_declarations(const RouterModel& router = default_router());

/// From values read against network_declarations(router). Throws InputError where values do not fit together: a flit
/// time that passes 2^61 ps, and what RouterModel::read refuses.
NetworkParameters network_parameters(const ParameterValues& values, const RouterModel& router = default_router());

/// Where the router carries out routings by itself, takes the one that `choice` names out of it, which then has the
/// topology's: the one by which the ways of all others are named. With other routers nothing, and dimension order.
GridRouting take_grid_routing(const RouterModel& router, RoutingChoice& choice);

/// Whether a message can go from a node through its own router to itself: not where ports belong to external channels,
/// nor where sending and receiving share a port.
bool serves_self_messages(const NetworkParameters& network);

/// Channels from nodes to their routers; as many go back.
std::uint64_t port_count(const NetworkParameters& network, const Topology& topology);

/// The time on an empty network from a message's request for its port to its delivery, hops external channels away:
/// T_s + d*T_f + F*tau, with router "input_queued" the pipeline's delays (docs/routers.md), with a registered one what
/// it says. Exact where buffers cover the way of a credit. In picoseconds; flits may be a mean.
double empty_network_picoseconds(const NetworkParameters& network, double hops, double flits);

/// Fills in what depends on the topology: link_delay, per_hop and automatic buffers of router "input_queued". Throws
/// InputError where the router cannot be used on it: "input_queued" needs a mesh or a torus.
void resolve_for(NetworkParameters& network, const Topology& topology);

/// Throws InputError, with the nearest ones, unless `time` is a whole number of the router's cycles.
void check_whole_cycles(const NetworkParameters& network, std::string_view what, Time time);

/// When something that comes at `time` happens in the network: with router "input_queued" in the next whole cycle.
Time next_whole_cycle(const NetworkParameters& network, Time time);

/// Flits of a message of `bytes` bytes: ceil(bytes / flit_bytes), at least the header.
std::uint64_t flit_count(const NetworkParameters& network, std::uint64_t bytes);

/// Time of all flits of a message on a channel (picoseconds). Throws InputError where it passes 2^61 ps.
std::int64_t transfer_time(const NetworkParameters& network, std::uint64_t flits);

/// Instants from here on end a run with an InputError: beyond 2^62 ps sums of times could overflow.
inline constexpr std::int64_t largest_time = std::int64_t{1} << 62;

/// The random number of a message, its number in the run, on which its route depends: Topology::append_drawn_route, and
/// intermediate_node of valiant and romm. A function of (routing_seed, message) alone.
std::uint64_t route_draw(const NetworkParameters& network, std::uint64_t message);

/// What buffer_flits = "auto" is: flits_for_full_rate, and at least what the router has in any case.
std::uint64_t automatic_buffer_flits(const NetworkParameters& network);

/// The flits of buffer with which a channel reaches its full rate: ceil(per_hop / flit_time), at least 1; with router
/// "input_queued" the cycles from a flit's grant to the return of its credit. Needs resolve_for(network).
std::uint64_t flits_for_full_rate(const NetworkParameters& network);

/// Why messages are held up without contention: buffers do not cover the hop latency, with the rate that one message
/// reaches on a channel and the buffers that it needs for all of it. Empty where they cover it, where they hold whole
/// messages, and with a router that does not say it. Needs resolve_for(network).
std::string slow_channels(const NetworkParameters& network);

/// Whether one event per hop gives the exact times (docs/network-model.md) while no two worms share a physical channel:
/// with wormhole switching buffers must cover the hop latency, buffer_flits * flit_time >= per_hop.
bool closed_form_holds(const NetworkParameters& network);

} // namespace wormcast
