#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace wormcast {

/// Options of the actors.
struct ScheduleActorsOptions {
  Mode mode = Mode::lockstep;
  /// The sender sleeps for this time, then sends and waits until the message has arrived: this models a start-up on
  /// network models without one. 0: the sender starts all its messages, which the network queues at the port.
  Time startup;
};

/// A schedule as a SimGrid program: an actor on each node's host sends the node's messages over mailboxes, step by step
/// between barriers (lockstep), or each as soon as it holds the blocks or, where the operation combines, has the
/// contributions of earlier steps to them (self-timed). It runs on any network model of the platform.
///
/// Cost: about 15 kB an actor, 1 kB a message. At most about 60,000 actors, as Linux allows 65,530 memory maps in a
/// process by default.
class ScheduleActors {
public:
  /// Makes hosts and actors, which start with the run. The references must outlive the run. Throws InputError for a
  /// plain message list, which has no blocks that determine when a sender sends.
  ScheduleActors(SimGridPlatform& platform, const Schedule& schedule, ScheduleActorsOptions options);
  ~ScheduleActors();
  ScheduleActors(const ScheduleActors&) = delete;
  ScheduleActors& operator=(const ScheduleActors&) = delete;

  /// Returns, by message id, the time of its delivery, rounded to picoseconds since the actors were made; none: not yet
  /// delivered.
  const std::vector<std::optional<Time>>& delivered() const;

private:
  struct State;
  class Node;
  std::unique_ptr<State> state_;
};

} // namespace wormcast
