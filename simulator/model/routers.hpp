#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/grid_routing.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/parameter.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

class Engine;
struct ChannelDependencies;
struct DeliveredMessage;
struct EngineInput;
struct Passage;
enum class PathCause : std::uint8_t;

/// An engine of a router (simulator/engines/engine.hpp defines the interface).
struct RouterEngine {
  std::string name; ///< in results, and a value of run.engine where the router has several engines
  std::function<std::unique_ptr<Engine>(const EngineInput& input)> make;
  /// Explains why its times are not exact on a network that is resolved for its topology; empty: they are exact. No
  /// function: they are always exact.
  std::function<std::string(const NetworkParameters& network)> why_inexact = {};
  bool exact_on_slow_channels = false; ///< its times are exact, too, where why_inexact is slow_channels()
  bool says_why = false;               ///< results state why_inexact where `auto` chooses a later engine because of it
  /// Returns whether its times are exact only until Engine::first_shared(). If the messages are known beforehand, the
  /// engine is then tried on them. No function: its times are exact in any case.
  std::function<bool(const NetworkParameters& network)> exact_until_shared = {};
  /// With exact_until_shared: the networks on which it does not run messages that are not known beforehand, for the
  /// error "... cannot run messages that are sent while the network runs LIMITS".
  std::string limits = {};
  bool runs_contention_free = false; ///< it supports EngineInput::contention_free
  bool runs_on_threads = false;      ///< it supports EngineInput::threads
  bool starts_anew = false;          ///< whatever it has delivered does not change what comes later, so that batches
                                     ///< (MessageSource::batch_count) can be run at the same time
};

/// A key of [network] that a router does not have.
struct AbsentKey {
  std::string name;
  std::string why = {}; ///< for the error "... has router NAME, where WHY"; empty: no reason is given
};

/// Buffers that are too small for a channel's full rate.
struct SlowChannel {
  std::string why;    ///< "buffers do not cover the hop latency: ..."
  double percent = 0; ///< percentage of the rate that one message reaches
};

/// The memory of an engine for the channels.
struct ChannelMemory {
  std::uint64_t channels = 0; ///< virtual channels and ports
  std::uint64_t bytes = 0;    ///< of all of them
};

/// The complete description of a router. Routers of simulator/routers/ and registered routers are treated alike. Where
/// a function may be missing, its comment gives the default.
struct RouterModel {
  std::string name; ///< value of network.router
  std::string summary;
  std::string source = {}; ///< paper and section
  std::string page = {};   ///< the document that explains its keys

  // Its keys of [network]: those of network_keys(), changed, then its own.

  /// Its own keys; no name occurs in network_keys().
  std::vector<Parameter> parameters = {};
  /// Declarations that replace those of the same names in network_keys().
  std::vector<Parameter> changed_keys = {};
  /// The keys of network_keys() that it does not have: "per_hop" and "hold" can be missing.
  std::vector<AbsentKey> absent_keys = {};
  /// Whether network.routing is a GridRouting that the router executes itself (PipelineParameters::routing).
  bool has_grid_routings = false;
  /// Reads the values of `parameters`, after all other values. No function: they are stored in
  /// NetworkParameters::model_parameters.
  std::function<void(NetworkParameters& network, const ParameterValues& values)> read = {};
  /// Throws InputError "KEY: ..." if the keys do not fit together or the router cannot be used on the topology. No
  /// function: every network is accepted.
  std::function<void(const NetworkParameters& network, const Topology& topology)> check = {};
  /// Sets the values that depend on the topology, after `check`; a second call changes nothing. No function: no value
  /// does.
  std::function<void(NetworkParameters& network, const Topology& topology)> resolve = {};
  /// Gives keys without a value their value in a resolved network, for the configuration in results. No function: all
  /// defaults are in the declarations.
  std::function<void(const NetworkParameters& network, ParameterValues& values)> complete = {};

  // Simulation. Networks are resolved for their topologies.

  /// At least one engine. `auto` chooses the first that is exact; the last one always is.
  std::vector<RouterEngine> engines = {};
  /// Returns the memory for the channels. No function: as router "wormhole".
  std::function<ChannelMemory(const NetworkParameters& network, const Topology& topology)> memory = {};
  /// Returns the time of a clock cycle; all events are in whole cycles. No function: time is continuous.
  std::function<Time(const NetworkParameters& network)> cycle = {};

  // Times.

  /// Returns the time on an empty network from a message's request for its port to its delivery, in picoseconds; `hops`
  /// and `flits` may be means.
  std::function<double(const NetworkParameters& network, double hops, double flits)> empty_network_picoseconds;
  std::uint64_t fewest_buffer_flits = 2; ///< buffer_flits = "auto" is at least this
  /// Returns the buffer flits with which a channel reaches its full rate. No function: ceil(per_hop / flit_time).
  std::function<std::uint64_t(const NetworkParameters& network)> flits_for_full_rate = {};
  /// Describes channels with fewer flits. No function: unknown.
  std::function<SlowChannel(const NetworkParameters& network)> slow_channel = {};
  /// Whether smaller buffers cause a warning only if all virtual channels of a channel together do not reach its rate.
  bool virtual_channels_add_up = false;
  bool startup_holds_port = false;   ///< a message holds its port during T_s as well
  bool has_exact_last_flits = false; ///< network.last_flit = "exact": engines know NewMessage::shortfall
  /// Its keys are those of times of channels (link_per_hop, link_per_byte, port_per_byte): engines know ChannelTimes.
  bool has_channel_times = false;
  /// Whether engines let headers choose their routes where the topology says so (Topology::headers_choose).
  bool lets_headers_choose = false;
  /// Whether no message takes less than T_s + bytes*T_c, so that formulas are lower bounds.
  bool bounded_by_formula = false;
  /// The time of every message in addition to T_s + hops*T_f + bytes*T_c, which formulas leave out; empty: none.
  std::string time_beside_formula = {};
  std::string why_no_formula = {}; ///< the same, as the reason why a latency has no formula
  bool has_fluid_models = false; ///< SimGrid's fluid models describe it, too: it has no parameters but T_s, T_f and T_c

  // Reports of a run.

  bool reports_flits = false; ///< its engines set DeliveryRecord::flits, which is ignored otherwise
  /// Parts of the latency that not all routers have (simulator/critical_path/critical_path.hpp), in their order.
  std::vector<PathCause> stages = {};
  /// Returns how a delivered message spent its time (simulator/critical_path/passage.hpp). No function: unknown.
  std::function<Passage(const DeliveredMessage& delivered)> passage = {};
  /// Returns the dependencies among its virtual channels, for `routing` if has_grid_routings. No function: unknown.
  std::function<ChannelDependencies(const Topology& topology, GridRouting routing, std::uint32_t virtual_channels)>
      channel_dependencies = {};
};

/// Returns all routers: those of the library, default_router() first, then the registered ones in their order. Their
/// addresses never change, and routers are equal if their addresses are.
const std::deque<RouterModel>& routers();

/// Returns the router called `name`; null if there is none.
const RouterModel* known_router(std::string_view name);

/// Returns the router called `name`. Throws InputError with the nearest name if there is none.
const RouterModel& find_router(std::string_view name);

/// Adds a router after all others, which configurations and commands can use from then on. Call this before any other
/// function that reads routers. Throws InputError if the name has characters other than a-z, 0-9 and _ or is in use, if
/// a parameter has a name of network_keys(), if a changed or absent key has not, if empty_network_picoseconds is
/// missing, and if the engines are not as RouterModel::engines and RouterEngine require.
void register_router(RouterModel model);

} // namespace wormcast
