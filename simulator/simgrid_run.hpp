#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/network.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/topologies/work_progress.hpp"

#include <memory>
#include <string>

namespace simgrid::s4u {
class Host;
class NetZone;
} // namespace simgrid::s4u

namespace wormcast {

class Engine;

/// Version of the SimGrid library that is loaded: "3.32.0".
std::string simgrid_version();

/// One simulation on SimGrid: the platform of a topology (a NetZone that computes routes arithmetically, a host for
/// each node, a link of bandwidth 1/T_c and latency T_f for each external channel) and an engine as a SimGrid model, so
/// that SimGrid's clock is the simulation's clock. All contact with SimGrid's kernel classes is behind this header.
///
/// SimGrid allows one of these at a time in a process. Its clock goes on from run to run; clock() starts at zero.
/// Cost: O(nodes + channels) to make, about 4.6 kB a node; a run costs SimGrid about 0.2 us for each instant at which
/// messages are delivered.
class SimGridRun {
public:
  /// `engine` may be null: then there is a platform alone. The references must outlive the object. `progress` hears of
  /// the messages delivered, of `message_count` in all.
  SimGridRun(const Topology& topology, const NetworkParameters& network, Engine* engine,
             std::uint64_t message_count = 0, WorkProgress progress = {});
  ~SimGridRun();
  SimGridRun(const SimGridRun&) = delete;
  SimGridRun& operator=(const SimGridRun&) = delete;

  simgrid::s4u::NetZone& zone();
  simgrid::s4u::Host& host(NodeId node);

  /// Runs SimGrid until nothing happens any more: all messages delivered and all actors ended, or a deadlock.
  void run();

  /// To be called by an actor on any host: waits until the message is delivered. Returns at once if it is.
  void wait_for(MessageId message);

  /// The model's own clock: the last instant with deliveries that SimGrid's clock has reached.
  Time clock() const;
  /// SimGrid's clock, seconds since the run's start (with the rounding of its sums of doubles).
  double simgrid_clock() const;

private:
  class Model;
  class Zone;
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace wormcast
