#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace wormcast {

/// How the actors send.
struct ScheduleActorsOptions {
  Mode mode = Mode::lockstep;
  /// The sender sleeps for this time, then sends and waits until the message has arrived: what a start-up is on network
  /// models that know of none. 0: the sender hands its messages over, and the network lets them queue at the port.
  Time startup;
};

/// A schedule as a SimGrid program: an actor on each node's host that sends the node's messages over mailboxes, step by
/// step between barriers (lockstep), or each as soon as it holds the blocks, or, where the operation combines, has the
/// contributions of earlier steps to them (self-timed). Runs on whatever network
/// model the platform has.
///
/// Cost: an actor takes about 15 kB, a message about 1 kB. At most about 60,000 actors, as Linux allows 65,530 memory
/// maps in a process by default.
class ScheduleActors {
public:
  /// Makes hosts and actors, which start with the run. The references must outlive the run. Throws InputError on a
  /// plain message list, which has no blocks that would tell a sender when to send.
  ScheduleActors(SimGridPlatform& platform, const Schedule& schedule, ScheduleActorsOptions options);
  ~ScheduleActors();
  ScheduleActors(const ScheduleActors&) = delete;
  ScheduleActors& operator=(const ScheduleActors&) = delete;

  /// By message id, when the receiver got it, rounded to picoseconds since the actors were made; none: not yet.
  const std::vector<std::optional<Time>>& delivered() const;

private:
  struct State;
  class Node;
  std::unique_ptr<State> state_;
};

} // namespace wormcast
