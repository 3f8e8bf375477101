#pragma once

#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Latencies of some of the measured messages, in picoseconds.
struct LatencyFigures {
  std::uint64_t messages = 0;
  double mean = 0;
  std::int64_t largest = 0;
};

/// What a node sends and receives under load.
struct NodeFigures {
  LatencyFigures sent;     ///< of messages from it that were generated in the window, and delivered
  LatencyFigures received; ///< of those to it
  double accepted = 0;     ///< bytes from it that were delivered in the window, as a fraction of a channel's rate
  double ejected = 0;      ///< the same of bytes to it
};

/// The messages from one node to another.
struct PairFigures {
  NodeId source{};
  NodeId destination{};
  LatencyFigures latency;
};

/// Throws InputError "figures_of: ..." where there are more than 2^24 pairs to count.
void check_figures(TrafficFigures figures, std::uint32_t nodes);

/// Counts messages by node or by pair of nodes. Memory: 80 bytes a node; 24 a pair, and nothing for TrafficFigures
/// `network`.
class CountedFigures {
public:
  /// Throws as check_figures.
  CountedFigures(TrafficFigures figures, std::uint32_t nodes);

  /// Adds a message that was delivered in the window.
  void add_delivered(NodeId source, NodeId destination, std::uint64_t bytes);
  /// Adds a measured message: it was generated in the window, and has been delivered.
  void add_measured(NodeId source, NodeId destination, std::int64_t latency);

  /// By node; empty for TrafficFigures `network`. `full_bytes` are those of a channel in the window.
  std::vector<NodeFigures> nodes(double full_bytes) const;
  /// By source, then by destination, those with messages; empty unless TrafficFigures is `pairs`.
  std::vector<PairFigures> pairs() const;

private:
  struct Latencies {
    std::uint64_t messages = 0;
    double sum = 0;
    std::int64_t largest = 0;

    void add(std::int64_t latency);
    LatencyFigures figures() const;
  };
  struct OfNode {
    Latencies sent;
    Latencies received;
    double bytes_sent = 0;
    double bytes_received = 0;
  };

  std::uint32_t node_count_;
  std::vector<OfNode> nodes_;
  std::vector<Latencies> pairs_; // by source and destination
};

} // namespace wormcast
