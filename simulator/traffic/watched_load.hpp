#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/simulator/traffic/warm_up.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// A network under a load that is watched: how much is under way, and whether anything still arrives.
class WatchedLoad {
public:
  /// At traffic.load, which is there; `network` and `pattern` must outlive it. `timeout_factor`: as load_times has it.
  WatchedLoad(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
              const Pattern& pattern, double timeout_factor);

  WarmUp& warm_up() { return warm_up_; }
  /// From one look at what is under way to the next, after the warm-up.
  std::int64_t sample_interval() const { return sample_interval_; }

  void note_created(const TrafficMessage& message)
  {
    backlog_ += static_cast<double>(message.bytes);
    ++created_since_delivery_;
  }
  void note_delivered(const TrafficMessage& message) { backlog_ -= static_cast<double>(message.bytes); }
  void note_deliveries(std::int64_t now)
  {
    created_since_delivery_ = 0;
    last_delivery_ = now;
  }

  /// At its boundary; `created` messages have come so far.
  bool warm_up_ends(std::uint64_t created);

  /// Whether the network carries nothing any more.
  bool seems_stopped(std::int64_t now) const;

  /// A look at what is under way, at each multiple of sample_interval() after the warm-up; true: it has grown twice,
  /// while the time watched doubled. Broadcasts make it rise and fall, so one look says little.
  bool grows();

private:
  const NetworkParameters& network_;
  const Pattern& pattern_;
  double load_;
  LoadTimes times_;
  WarmUp warm_up_;
  std::int64_t sample_interval_;
  double backlog_ = 0; // bytes under way
  std::uint64_t created_since_delivery_ = 0;
  std::int64_t last_delivery_ = 0;
  std::vector<double> backlogs_;
  bool grew_ = false;
};

} // namespace wormcast
