#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace simgrid::s4u {
class Engine;
class Host;
class NetZone;
} // namespace simgrid::s4u

namespace wormcast {

/// Version of the SimGrid library that is loaded: "3.32.0".
std::string simgrid_version();

/// What SimGrid, which counts seconds in a double, is told of a time in picoseconds.
double simgrid_seconds(std::int64_t picoseconds);

/// What a platform has besides its network.
struct SimGridPlatformOptions {
  double flops = 1e9; ///< floating-point operations a second, of a host
  /// SimGrid's configuration ("network/model:CM02"), which stays for the whole process.
  std::vector<std::string> settings = {};
};

/// A topology as SimGrid sees it: a NetZone that computes routes arithmetically, a host for each node and a link of
/// bandwidth 1/T_c and latency T_f for each external channel. Hosts and links come into being when they are first asked
/// for: a host by host(), links by the route that uses them (Host::route_to). A run seals the platform: what actors
/// will ask for has to be there before.
///
/// SimGrid allows one of these at a time in a process, and one run on it.
/// Cost: about 0.4 MB, 1.1 kB and 4.5 us a host, 0.6 kB and 1.6 us a link.
class SimGridPlatform {
public:
  /// Takes SimGrid's engine, or where there is none makes one that ends with the platform. `topology` must outlive it.
  SimGridPlatform(const Topology& topology, const NetworkParameters& network,
                  const SimGridPlatformOptions& options = {});
  ~SimGridPlatform();
  SimGridPlatform(const SimGridPlatform&) = delete;
  SimGridPlatform& operator=(const SimGridPlatform&) = delete;

  const Topology& topology() const;
  simgrid::s4u::Engine& engine();
  simgrid::s4u::NetZone& zone();

  /// Throws std::logic_error for a host that was never asked for before the run started.
  simgrid::s4u::Host& host(NodeId node);
  /// The node whose host this is; the host must be of this platform.
  NodeId node(const simgrid::s4u::Host& host) const;

  /// Makes every host and link, for whoever lists them or asks for routes during a run. Throws InputError where the
  /// memory is not there.
  void complete();

  /// Seals the platform and runs SimGrid until nothing happens any more. (SimGrid itself seals only the first platform
  /// of a process.)
  void run();

private:
  class Zone;
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace wormcast
