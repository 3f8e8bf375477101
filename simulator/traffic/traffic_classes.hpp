#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// The classes of traffic on a network: which nodes send messages of which class to whom. Traffic without classes is
/// one class without a name.
class TrafficClasses {
public:
  /// A class on the network.
  struct Class {
    TrafficClass generation; ///< its weight is the part of the load of a node that sends messages of all classes
    Pattern pattern;
    double message_share = 1; ///< of the messages of all nodes
  };

  /// Throws as Pattern does.
  TrafficClasses(const Topology& topology, const TrafficParameters& traffic, std::uint64_t seed);

  /// In their order in TrafficParameters::classes.
  std::span<const Class> all() const { return classes_; }

  /// Returns the part of the load that a node sends: the weights of all classes of which it sends messages; 0: it sends
  /// nothing.
  double part_of(NodeId node) const { return part_of_[index(node)]; }
  bool sends(NodeId node) const { return part_of(node) > 0; }
  /// Returns the number of nodes that send.
  std::uint32_t sender_count() const { return senders_; }
  /// Returns the parts of all nodes together.
  double parts() const { return parts_; }

private:
  std::vector<Class> classes_;
  std::vector<double> part_of_; // by node
  std::uint32_t senders_ = 0;
  double parts_ = 0;
};

/// Returns the bytes that are generated in this time where the load is 1: that of all classes, or of one of them.
double full_load_bytes(const NetworkParameters& network, const TrafficClasses& classes, std::int64_t picoseconds);
double full_load_bytes(const NetworkParameters& network, const TrafficClasses::Class& one, std::int64_t picoseconds);

} // namespace wormcast
