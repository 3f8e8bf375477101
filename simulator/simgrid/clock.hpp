#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"
#include "wormcast/values/quantity.hpp"
#include "wormcast/values/work_progress.hpp"

#include <memory>

namespace wormcast {

class Engine;

/// One simulation on SimGrid: an engine as a SimGrid model, so that SimGrid's clock is the simulation's clock, and
/// actors on the platform's hosts can wait for messages. It needs no host or link itself.
///
/// SimGrid's clock continues from run to run; clock() starts at zero. Cost: without actors nothing in addition to the
/// engine's; with them about 0.2 us for each time at which messages are delivered.
class SimGridRun {
public:
  /// The references must outlive the object; the platform serves one run. `progress` receives the number of messages
  /// delivered, of `message_count` in all.
  SimGridRun(SimGridPlatform& platform, Engine& engine, std::uint64_t message_count = 0, WorkProgress progress = {});
  ~SimGridRun();
  SimGridRun(const SimGridRun&) = delete;
  SimGridRun& operator=(const SimGridRun&) = delete;

  /// Runs SimGrid until no event is left: all messages are delivered and all actors have ended, or a deadlock.
  void run();

  /// Waits until the message is delivered, and returns at once if it is. Actors on any host can call it.
  void wait_for(MessageId message);

  /// Returns the model's own clock: the last time with deliveries that SimGrid's clock has reached.
  Time clock() const;
  /// Returns SimGrid's clock in seconds since the run's start (with the rounding of its sums of doubles).
  double simgrid_clock() const;

private:
  class Model;
  SimGridPlatform& platform_;
  std::shared_ptr<Model> model_;
};

} // namespace wormcast
