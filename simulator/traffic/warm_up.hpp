#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/traffic_classes.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormcast {

/// An integer for sums of the times of any number of messages.
__extension__ using WideSum = unsigned __int128;

/// Typical time spans of a run under load (picoseconds).
struct LoadTimes {
  std::int64_t step =
      1; ///< time of a message of any class on an empty network, or the time in which some messages are generated
  std::int64_t batch = 1;  ///< ten times `step`; with bursts as long as `bursts`, but at most 50,000 messages
  std::int64_t bursts = 0; ///< time of ten bursts of a node with their pauses; 0 without bursts
  std::int64_t longest_idle =
      1; ///< after this time without a delivery while messages are generated, the network may have stopped
};

/// Computes the time spans; longest_idle is multiplied by `timeout_factor`.
LoadTimes load_times(const Topology& topology, const NetworkParameters& network, const TrafficClasses& classes,
                     double load, double timeout_factor);

/// Determines the end of the warm-up of a network under load (docs/load.md): after a time, a number of messages, or by
/// MSER on the mean latencies of batches of the run.
class WarmUp {
public:
  WarmUp(const Extent& extent, std::int64_t step);

  /// Returns the time of the next check; 0: the warm-up ends before the first message.
  std::int64_t next_check() const { return next_check_; }
  std::int64_t step() const { return step_; }

  void note_delivered(std::uint64_t latency);

  /// Returns, at next_check(), whether the warm-up ends here; if not, next_check() is moved on. `backlog`: bytes in
  /// flight, `created`: messages generated so far, `expected`: bytes generated on average in this time at this load.
  bool ends(double backlog, std::uint64_t created, double expected);

private:
  struct Batch {
    std::uint64_t delivered = 0;
    WideSum latency = 0;
    double backlog = 0;
  };

  void join_pairs();

  Extent extent_;
  std::int64_t step_;
  std::int64_t next_check_;
  int doublings_ = 0;
  std::vector<Batch> batches_ = std::vector<Batch>(1);
};

} // namespace wormcast
