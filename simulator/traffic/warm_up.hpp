#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormcast {

/// Wide enough for sums of times of messages without end.
__extension__ using WideSum = unsigned __int128;

/// Typical distances in a run under load (picoseconds).
struct LoadTimes {
  std::int64_t step = 1;         ///< a message's time on an empty network, or that in which some messages come
  std::int64_t batch = 1;        ///< ten times that; with bursts as long as `bursts`, but of 50,000 messages at most
  std::int64_t bursts = 0;       ///< that of ten bursts of a node with their pauses; 0 without bursts
  std::int64_t longest_idle = 1; ///< without a delivery for so long while messages come, the network may have stopped
};

/// With `timeout_factor` longest_idle is so many times longer.
LoadTimes load_times(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                     const Pattern& pattern, double load, double timeout_factor);

/// Bytes that come into being in this time at load 1.
double full_load_bytes(const NetworkParameters& network, const Pattern& pattern, std::int64_t picoseconds);

/// When a network under load has become stationary (docs/load.md): after a time, a number of messages, or by MSER on
/// the mean latencies of slices of the run.
class WarmUp {
public:
  WarmUp(const Extent& extent, std::int64_t step);

  /// When to ask next; 0: it is over before anything comes.
  std::int64_t next_check() const { return next_check_; }
  std::int64_t step() const { return step_; }

  void note_delivered(std::uint64_t latency);

  /// At next_check(): whether the warm-up ends here; else next_check() lies further on. `backlog`: bytes under way,
  /// `created`: messages that have come, `expected`: bytes that come in that time at this load.
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
