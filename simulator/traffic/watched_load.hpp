#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/simulator/traffic/traffic_classes.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/simulator/traffic/warm_up.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Watches a network under load: its backlog, and whether messages are still delivered.
class WatchedLoad {
public:
  /// Watches a load of traffic.load, which must be set; `network` and `classes` must outlive the object.
  /// `timeout_factor`: see load_times.
  WatchedLoad(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
              const TrafficClasses& classes, double timeout_factor);

  WarmUp& warm_up() { return warm_up_; }
  /// Returns the time between samples of the backlog after the warm-up.
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

  /// Returns, at warm_up().next_check(), whether the warm-up ends; `created`: messages generated so far.
  bool warm_up_ends(std::uint64_t created);

  /// Returns whether the network seems to have stopped.
  bool seems_stopped(std::int64_t now) const;

  /// Samples the backlog, at each multiple of sample_interval() after the warm-up; returns true if it has grown twice,
  /// while the observed time doubled. Broadcasts make it rise and fall, so that one sample is not enough.
  bool grows();

private:
  const NetworkParameters& network_;
  const TrafficClasses& classes_;
  double load_;
  LoadTimes times_;
  WarmUp warm_up_;
  std::int64_t sample_interval_;
  double backlog_ = 0; // bytes in flight
  std::uint64_t created_since_delivery_ = 0;
  std::int64_t last_delivery_ = 0;
  std::vector<double> backlogs_;
  bool grew_ = false;
};

} // namespace wormcast
