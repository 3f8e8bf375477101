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

/// Returns the version of the loaded SimGrid library: "3.32.0".
std::string simgrid_version();

/// Converts a time in picoseconds to SimGrid's seconds, which are doubles.
double simgrid_seconds(std::int64_t picoseconds);

/// Properties of a platform in addition to its network.
struct SimGridPlatformOptions {
  double flops = 1e9; ///< floating-point operations per second of a host
  /// What comes to a host shares a link, of no latency, with the bandwidth of so many ports. There is none with all
  /// ports, and where the channels that lead to the host have no more bandwidth together.
  PortModel receiving_ports{PortModel::all};
  /// SimGrid's configuration ("network/model:CM02"), which is valid for the whole process.
  std::vector<std::string> settings = {};
};

/// A topology as a SimGrid platform: a NetZone that computes routes arithmetically, a host for each node and a link of
/// bandwidth 1/T_c and latency T_f for each external channel. Hosts and links are made when they are first requested: a
/// host by host(), links by the first route that uses them (Host::route_to). A run seals the platform: hosts and links
/// that actors request must exist before.
///
/// SimGrid allows one of these at a time in a process, and one run on it.
/// Cost: about 0.4 MB, 1.1 kB and 4.5 us a host, 0.6 kB and 1.6 us a link.
class SimGridPlatform {
public:
  /// Uses SimGrid's engine or, if there is none, makes one that ends with the platform. `topology` must outlive it.
  SimGridPlatform(const Topology& topology, const NetworkParameters& network,
                  const SimGridPlatformOptions& options = {});
  ~SimGridPlatform();
  SimGridPlatform(const SimGridPlatform&) = delete;
  SimGridPlatform& operator=(const SimGridPlatform&) = delete;

  const Topology& topology() const;
  simgrid::s4u::Engine& engine();
  simgrid::s4u::NetZone& zone();

  /// Returns the host of a node. Throws std::logic_error for a host that was never requested before the run started.
  simgrid::s4u::Host& host(NodeId node);
  /// Returns the node of a host, which must be of this platform.
  NodeId node(const simgrid::s4u::Host& host) const;

  /// Makes every host and link, for callers that list them or request routes during a run. Throws InputError if there
  /// is not enough memory.
  void complete();

  /// Seals the platform and runs SimGrid until no event is left. (SimGrid itself seals only the first platform of a
  /// process.)
  void run();

private:
  class Zone;
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace wormcast
