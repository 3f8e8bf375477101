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

/// One of the programs that move the messages of a router (simulator/engines/engine.hpp says what an engine is).
struct RouterEngine {
  std::string name; ///< in results, and a value of run.engine where the router has several engines
  std::function<std::unique_ptr<Engine>(const EngineInput& input)> make;
  /// Why its times are not exact on a network that is resolved for its topology; empty: they are. No function: they
  /// always are.
  std::function<std::string(const NetworkParameters& network)> why_inexact = {};
  bool says_why = false; ///< results say why_inexact where `auto` takes a later engine for it
  /// Whether its times are exact only until Engine::first_shared(): where the messages are known beforehand it is tried
  /// on them. No function: they are exact in any case.
  std::function<bool(const NetworkParameters& network)> exact_until_shared = {};
  /// With exact_until_shared: on which networks it does not run messages that are not known beforehand, for the error
  /// "... cannot run messages that come while the network runs LIMITS".
  std::string limits = {};
  bool runs_contention_free = false; ///< it knows EngineInput::contention_free
};

/// A key of [network] that a router does not have.
struct AbsentKey {
  std::string name;
  std::string why = {}; ///< for the error "... has router NAME, where WHY"; empty: nothing more is said
};

/// Buffers that are too small for a channel's full rate.
struct SlowChannel {
  std::string why;    ///< "buffers do not cover the hop latency: ..."
  double percent = 0; ///< of the rate, which one message reaches
};

/// What an engine keeps of the channels.
struct ChannelMemory {
  std::uint64_t channels = 0; ///< virtual channels and ports
  std::uint64_t bytes = 0;    ///< of all of them
};

/// A model of a router: all that the program knows of it. Those of simulator/routers/ and those from outside of the
/// library are alike. Where a function may be missing, its comment says what holds then.
struct RouterModel {
  std::string name; ///< value of network.router
  std::string summary;
  std::string source = {}; ///< paper and section
  std::string page = {};   ///< the document that explains its keys

  // Its keys of [network]: those of network_keys(), changed, and its own behind them.

  /// Its own, whose names network_keys() does not have.
  std::vector<Parameter> parameters = {};
  /// Declarations in the place of those that have the same names in network_keys().
  std::vector<Parameter> changed_keys = {};
  /// Those of network_keys() that it does not have: "per_hop" and "hold" can be missing.
  std::vector<AbsentKey> absent_keys = {};
  /// Whether network.routing is a GridRouting, which the router carries out by itself (PipelineParameters::routing).
  bool has_grid_routings = false;
  /// Takes the values of `parameters` over, when all others are taken over. No function: they come into
  /// NetworkParameters::model_parameters.
  std::function<void(NetworkParameters& network, const ParameterValues& values)> read = {};
  /// Throws InputError "KEY: ..." where the keys do not fit together or the router cannot be used on the topology. No
  /// function: every network will do.
  std::function<void(const NetworkParameters& network, const Topology& topology)> check = {};
  /// Fills in what depends on the topology, after `check`; doing it twice changes nothing. No function: nothing does.
  std::function<void(NetworkParameters& network, const Topology& topology)> resolve = {};
  /// Gives keys without a value the one that they have in a resolved network, for the configuration in results. No
  /// function: all defaults stand in the declarations.
  std::function<void(const NetworkParameters& network, ParameterValues& values)> complete = {};

  // How it is simulated. Networks are resolved for their topologies.

  /// At least one. `auto` takes the first that is exact; the last one always is.
  std::vector<RouterEngine> engines = {};
  /// No function: as router "wormhole".
  std::function<ChannelMemory(const NetworkParameters& network, const Topology& topology)> memory = {};
  /// The time of a clock cycle: everything happens in whole cycles. No function: at any time.
  std::function<Time(const NetworkParameters& network)> cycle = {};

  // What its times are.

  /// The time on an empty network from a message's request for its port to its delivery, in picoseconds; `hops` and
  /// `flits` may be means.
  std::function<double(const NetworkParameters& network, double hops, double flits)> empty_network_picoseconds;
  std::uint64_t fewest_buffer_flits = 2; ///< buffer_flits = "auto" is at least this
  /// The flits of buffer with which a channel reaches its full rate. No function: ceil(per_hop / flit_time).
  std::function<std::uint64_t(const NetworkParameters& network)> flits_for_full_rate = {};
  /// What becomes of channels with fewer. No function: nothing is known of it.
  std::function<SlowChannel(const NetworkParameters& network)> slow_channel = {};
  /// Whether that is worth a warning only where all virtual channels of a channel together do not reach its rate.
  bool virtual_channels_add_up = false;
  bool startup_holds_port = false; ///< a message holds its port during T_s, too
  /// Whether no message takes less than T_s + bytes*T_c, so that formulas are lower bounds.
  bool bounded_by_formula = false;
  /// What every message takes besides T_s + hops*T_f + bytes*T_c, as formulas leave it out; empty: nothing.
  std::string time_beside_formula = {};
  std::string why_no_formula = {}; ///< the same as the reason why a latency has no formula
  bool has_fluid_models = false;   ///< SimGrid's fluid models are models of it, too: T_s, T_f and T_c are all it has

  // What it tells of a run.

  bool reports_flits = false; ///< its engines fill DeliveryRecord::flits; of others they are not looked at
  /// Parts of the latency that only some routers know (simulator/critical_path/critical_path.hpp), in their order.
  std::vector<PathCause> stages = {};
  /// What a delivered message spent its time on (simulator/critical_path/passage.hpp). No function: it is not known.
  std::function<Passage(const DeliveredMessage& delivered)> passage = {};
  /// How it gives out virtual channels, with which routing where has_grid_routings. No function: it is not known.
  std::function<ChannelDependencies(const Topology& topology, GridRouting routing, std::uint32_t virtual_channels)>
      channel_dependencies = {};
};

/// All routers: those of the library, default_router() first, then the registered ones in their order. They stay where
/// they are, and two are the same if they have the same address.
const std::deque<RouterModel>& routers();

/// The router called `name`; null: there is none.
const RouterModel* known_router(std::string_view name);

/// The same. Throws InputError where there is none, with the nearest name.
const RouterModel& find_router(std::string_view name);

/// Adds a router behind all others: from then on configurations and commands know it. Register before anything else is
/// asked for. Throws InputError where the name has others than a-z, 0-9 and _ or is taken, where a parameter has a name
/// of network_keys(), or a changed or absent key has not; without empty_network_picoseconds; and where the engines are
/// not as RouterModel::engines and RouterEngine say.
void register_router(RouterModel model);

} // namespace wormcast
