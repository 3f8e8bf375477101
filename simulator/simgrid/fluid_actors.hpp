#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace wormcast {

/// The messages of a source on the network model of a SimGrid platform: for each channel of each node's ports an actor
/// that takes the node's messages in the order in which they request the port, sleeps for T_s, sends one of them to its
/// destination's host, and takes the next one when it has arrived; and an actor that waits for the source's next
/// message. The source is that of the engines for worms, so that everything that determines who sends when is the same.
///
/// Cost: about 15 kB an actor, 15 to 70 us a message. Actors are made when their ports are first requested; at most
/// about 60,000, as Linux allows 65,530 memory maps in a process by default.
class FluidActors {
public:
  /// Makes the first actor, which starts with the run. The references must outlive the run.
  FluidActors(SimGridPlatform& platform, const Schedule& schedule, const NetworkParameters& network,
              MessageSource& source);
  ~FluidActors();
  FluidActors(const FluidActors&) = delete;
  FluidActors& operator=(const FluidActors&) = delete;

  /// After the run: returns, by message id, the time of its delivery, rounded to picoseconds since the actors were
  /// made; none: it was not delivered, because what it waits for never happens. Throws what the source threw.
  std::vector<std::optional<Time>> take_delivered();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace wormcast
