#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/grid_routing.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/parameter.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Where a blocked message is stored: in buffers along its path, in one buffer, or in a node's memory.
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
enum class AllocatorKind {
  islip,
  separable_input_first,
  separable_output_first,
  wavefront,   ///< whose first diagonal is the next one in each cycle with requests
  rr_wavefront ///< whose first diagonal is the one behind the diagonal of the first grant
};

/// Values of network.allocator, and of network.vc_allocator in addition to "piggyback".
inline constexpr auto allocator_names =
    names<AllocatorKind>({{AllocatorKind::islip, "islip"},
                          {AllocatorKind::separable_input_first, "separable_input_first"},
                          {AllocatorKind::separable_output_first, "separable_output_first"},
                          {AllocatorKind::wavefront, "wavefront"},
                          {AllocatorKind::rr_wavefront, "rr_wavefront"}});

/// The priority of requests in the allocators of an input-queued router, but for islip.
enum class FlitPriority {
  none,
  local_age, ///< by the flit's arrival in its buffer, earliest first
  age,       ///< by the time at which the message became ready, earliest first
  message    ///< by the message's own priority, highest first; in the queues of sources, too
};

/// Values of network.priority.
inline constexpr auto flit_priority_names = names<FlitPriority>({{FlitPriority::none, "none"},
                                                                 {FlitPriority::local_age, "local_age"},
                                                                 {FlitPriority::age, "age"},
                                                                 {FlitPriority::message, "message"}});

/// The keys of router "input_queued" alone. Delays are in cycles; a cycle is the time of one flit on a channel.
struct PipelineParameters {
  bool speculative = false; ///< a header requests the crossbar together with its virtual channel
  bool piggyback = false;   ///< speculative only: the grant of the crossbar includes the virtual channel
  AllocatorKind virtual_channel_allocator = AllocatorKind::islip; ///< unless piggyback
  AllocatorKind switch_allocator = AllocatorKind::islip;
  std::uint32_t islip_iterations = 1;
  std::uint32_t input_speedup = 1;    ///< S: crossbar inputs of an input port; virtual channel v uses number v mod S
  std::uint32_t internal_speedup = 1; ///< steps of a cycle: in each the allocators grant, and the crossbar accepts
  FlitPriority priority = FlitPriority::none;
  bool releases_at_credit = false; ///< a virtual channel is released when the tail's credit has returned
  std::uint32_t routing_delay = 0;
  std::uint32_t switch_delay = 1;
  std::uint32_t credit_delay = 0;
  std::uint32_t link_delay = 0; ///< 0: resolve_for sets 1 on a mesh, 2 on a torus
  GridRouting routing = GridRouting::dimension_order;

  /// Cycles that a header without contention spends in the stages of a router.
  struct StageCycles {
    std::int64_t routing = 0;
    std::int64_t virtual_channel_allocation = 0;
    std::int64_t switch_allocation = 0;
    std::int64_t switch_traversal = 0;

    std::int64_t sum() const { return routing + virtual_channel_allocation + switch_allocation + switch_traversal; }
  };

  /// Returns the steps from a header's request for a virtual channel to the one in which it enters the crossbar, all of
  /// them granted at once.
  std::int64_t steps_to_crossbar() const { return speculative ? 1 : 2; }
  /// Returns the cycles of each stage. Of several steps of a cycle, only the one behind which the cycle ends counts.
  StageCycles stage_cycles() const
  {
    const std::int64_t with_routing = (steps_to_crossbar() + 1) / internal_speedup;
    const std::int64_t without = steps_to_crossbar() / internal_speedup;
    const std::int64_t last = 1 / internal_speedup;
    return {.routing = routing_delay == 0 ? 0 : std::int64_t{routing_delay} - 1 + with_routing - without,
            .virtual_channel_allocation = without - last,
            .switch_allocation = last,
            .switch_traversal = switch_delay};
  }
  /// Returns the cycles that a header without contention takes from one router's input buffer to the next.
  std::int64_t hop_cycles() const { return stage_cycles().sum() + link_delay; }
  /// Returns the cycles that a header without contention takes from its injection to its ejection, without its hops.
  std::int64_t end_cycles() const { return 2 + stage_cycles().sum() + 1; }
};

/// When a worm releases its channels.
enum class Hold {
  tail, ///< each channel when the tail has passed
  path  ///< all channels at delivery (Zhuang & Liberatore, section 2.2)
};

/// Which of several ports of a node a message uses.
enum class PortChoice {
  first_free, ///< the one that is free first, at the sender and at the receiver
  of_message  ///< the one to which the message is bound (Schedule::ports_of_messages), at both
};

/// Values of network.port_choice.
inline constexpr auto port_choice_names =
    names<PortChoice>({{PortChoice::first_free, "first_free"}, {PortChoice::of_message, "of_message"}});

/// Whether the last flit of a message has as many bytes as all others.
enum class LastFlit {
  padded, ///< it is filled up to flit_bytes, and takes as long as the others
  exact   ///< it has the bytes that are left, and takes their time
};

/// Values of network.last_flit.
inline constexpr auto last_flit_names = names<LastFlit>({{LastFlit::padded, "padded"}, {LastFlit::exact, "exact"}});

/// Values of network.hold.
inline constexpr auto hold_names = names<Hold>({{Hold::tail, "tail"}, {Hold::path, "path"}});

/// The network section of a configuration.
struct NetworkParameters {
  Time startup;                       ///< T_s: software start-up, spent at the sender while it holds its port
  Time per_hop;                       ///< T_f: time of a flit through one router and its output channel
  ByteTime per_byte;                  ///< T_c: time of a byte on a channel; positive
  std::uint64_t flit_bytes = 1;       ///< b
  std::uint64_t buffer_flits = 2;     ///< B: flits of the input buffer of each virtual channel
  bool automatic_buffers = false;     ///< buffer_flits = "auto": resolve_for() sets the flits that a hop needs
  std::uint32_t virtual_channels = 1; ///< V
  PortModel ports;
  Duplex duplex = Duplex::full;
  Switching switching = Switching::wormhole;
  Hold hold = Hold::tail;
  RoutingChoice routing;
  std::uint64_t routing_seed = 1; ///< seed of the random draws of tie "random", valiant and romm: run.seed
  const RouterModel* router = &default_router(); ///< never null; routers are equal if their addresses are
  PipelineParameters pipeline = {};              ///< router "input_queued" only; per_hop follows from it
  Time startup_latency = {}; ///< L: part of the start-up that holds no port, from a delivery until the receiver knows
  LastFlit last_flit = LastFlit::padded;
  ParameterValues model_parameters = {};    ///< values of RouterModel::parameters, unless RouterModel::read reads them
  std::vector<Time> link_per_hop = {};      ///< T_f by class of links (Topology::link_classes); empty: per_hop
  std::vector<ByteTime> link_per_byte = {}; ///< T_c by class of links; empty: per_byte
  std::optional<ByteTime> port_per_byte = {}; ///< T_c of the channels between nodes and routers; none: per_byte

  PortChoice port_choice = PortChoice::first_free;

  /// Returns T_s + L: what every message takes beside its hops and bytes, if no other waits for its port.
  Time message_overhead() const { return startup + startup_latency; }

  /// Returns tau, the time of one flit on every channel without a rate of its own (simulator/model/channel_times.hpp).
  /// It is a whole number of picoseconds (check_flit_time()).
  Time flit_time() const { return flit_time(per_byte); }
  /// Returns the time of one flit on a channel with this time per byte, one of those of the network.
  Time flit_time(ByteTime of_byte) const
  {
    return {static_cast<std::int64_t>(flit_bytes) / of_byte.bytes() * of_byte.picoseconds()};
  }
};

/// Returns the declaration of network.router, which determines the other keys of the section.
const Parameter& router_declaration();

/// Returns the declarations of the keys of NetworkParameters itself: those of router "wormhole", from which the keys of
/// all other routers are made (RouterModel).
std::span<const Parameter> network_keys();

/// Returns the declarations of the network section's keys with this router, without network.router.
std::span<const Parameter> network_declarations(const RouterModel& router = default_router());

/// Converts values read against network_declarations(router). Throws InputError if they do not fit together: a flit
/// time above 2^61 ps, or values that RouterModel::read refuses.
NetworkParameters network_parameters(const ParameterValues& values, const RouterModel& router = default_router());

/// If the router executes grid routings itself, removes the one named by `choice` and returns it; `choice` then names
/// the topology's routing, by which the paths of all other routings are named. With other routers it changes nothing
/// and returns dimension order.
GridRouting take_grid_routing(const RouterModel& router, RoutingChoice& choice);

/// Returns whether a node can send a message through its own router to itself. It cannot where ports belong to external
/// channels, or where sending and receiving share a port.
bool serves_self_messages(const NetworkParameters& network);

/// Returns the ports of a node of which each message uses one of its own; 1 where it may use any, or each external
/// channel has a port.
inline std::uint32_t bound_ports(const NetworkParameters& network)
{
  return network.port_choice == PortChoice::of_message && network.ports.count != PortModel::all ? network.ports.count
                                                                                                : 1;
}

/// Returns the number of channels from nodes to their routers; there are as many in the opposite direction.
std::uint64_t port_count(const NetworkParameters& network, const Topology& topology);

/// Returns the time on an empty network from a message's request for its port to its delivery over `hops` external
/// channels, in picoseconds: T_s + d*T_f + F*tau, with router "input_queued" the pipeline's delays (docs/routers.md),
/// with a registered router the time that its model gives. Exact where buffers cover the round trip of a credit.
/// `flits` may be a mean.
double empty_network_picoseconds(const NetworkParameters& network, double hops, double flits);

/// Sets the values that depend on the topology: the times of links that its file gives (take_described_links), and
/// link_delay, per_hop and automatic buffers of router "input_queued".
/// Throws InputError if the router cannot be used on it ("input_queued" needs a mesh or a torus), and if lists by class
/// of links have another length than Topology::link_classes().
void resolve_for(NetworkParameters& network, const Topology& topology);

/// Throws InputError, with the nearest valid times, unless `time` is a whole number of the router's cycles.
void check_whole_cycles(const NetworkParameters& network, std::string_view what, Time time);

/// Returns the time at which the network handles an event at `time`: with router "input_queued" the next whole cycle.
Time next_whole_cycle(const NetworkParameters& network, Time time);

/// Throws InputError unless flit_bytes * per_byte is a whole number of picoseconds of at most 2^61 on every channel,
/// which keeps all times of flits exact.
void check_flit_time(const NetworkParameters& network);

/// Returns the flits of a message of `bytes` bytes: ceil(bytes / flit_bytes), at least the header.
std::uint64_t flit_count(const NetworkParameters& network, std::uint64_t bytes);

/// Returns by how much the last flit of a message of `bytes` bytes is shorter than tau (picoseconds): 0 where it is
/// padded or full. The message then takes ceil(bytes * per_byte) on a channel, rounded once.
std::int64_t last_flit_shortfall(const NetworkParameters& network, std::uint64_t bytes);

/// Returns the time of all flits of a message on the slowest channel, each tau (picoseconds). Throws InputError if it
/// exceeds 2^61 ps.
std::int64_t transfer_time(const NetworkParameters& network, std::uint64_t flits);

/// A run that reaches this time ends with an InputError: beyond 2^62 ps sums of times could overflow.
inline constexpr std::int64_t largest_time = std::int64_t{1} << 62;

/// Returns the random number that determines the route of message number `message` of the run: for
/// Topology::append_drawn_route, and for intermediate_node of valiant and romm. It is a function of (routing_seed,
/// message) alone.
std::uint64_t route_draw(const NetworkParameters& network, std::uint64_t message);

/// Returns whether messages take paths that are not Topology::append_drawn_route's: with router "input_queued" those of
/// its own routings, with "wormhole" those that headers choose.
bool paths_are_chosen(const NetworkParameters& network, const Topology& topology);

/// Returns the value of buffer_flits = "auto": flits_for_full_rate(), and at least RouterModel::fewest_buffer_flits.
std::uint64_t automatic_buffer_flits(const NetworkParameters& network);

/// Returns the buffer flits with which a channel reaches its full rate: ceil(per_hop / flit_time), at least 1; with
/// router "input_queued" the cycles from a flit's grant to the return of its credit. Needs resolve_for(network).
std::uint64_t flits_for_full_rate(const NetworkParameters& network);

/// Explains why messages are delayed without contention: buffers do not cover the hop latency. The text gives the rate
/// that one message reaches on a channel and the buffers needed for the full rate. Empty if buffers cover the hop
/// latency or hold whole messages, and with a router that does not state it. Needs resolve_for(network).
std::string slow_channels(const NetworkParameters& network);

/// Returns whether one event per hop gives the exact times (docs/network-model.md) while no two worms share a physical
/// channel: all channels must have one rate, and with wormhole switching buffers must cover the latency of the longest
/// hop, buffer_flits * flit_time >= per_hop.
bool closed_form_holds(const NetworkParameters& network);

} // namespace wormcast
