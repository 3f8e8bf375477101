#pragma once

#include "wormcast/simulator/network.hpp"
#include "wormcast/topologies/parameter.hpp"
#include "wormcast/topologies/topology.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

class Engine;
struct EngineInput;

/// A model of a router from outside of the library (simulator/engines/engine.hpp says what an engine is).
struct RouterModel {
  std::string name;
  std::string summary;
  std::string source = {}; ///< paper and section
  /// Keys of [network] besides those of router "wormhole", whose names they must not have; in NetworkParameters::own.
  std::vector<Parameter> parameters = {};
  /// Throws InputError "KEY: ..." where the keys do not fit together or the router cannot be used on the topology. No
  /// function: every network will do.
  std::function<void(const NetworkParameters& network, const Topology& topology)> check = {};
  /// The time on an empty network from a message's request for its port to its delivery, in picoseconds; `hops` and
  /// `flits` may be means.
  std::function<double(const NetworkParameters& network, double hops, double flits)> empty_network_picoseconds;
  std::function<std::unique_ptr<Engine>(const EngineInput& input)> make_engine;
};

/// Adds a router behind all others: from then on configurations and commands know it. Register before anything else is
/// asked for. Throws InputError where the name has others than a-z, 0-9 and _ or is taken, a parameter has a name of
/// router "wormhole", or one of the last two functions is missing.
void register_router(RouterModel model);

/// Those that were registered, in order.
std::span<const RouterModel> registered_routers();

/// The model of a router that is neither "wormhole" nor "input_queued".
const RouterModel& router_model(Router router);

} // namespace wormcast
