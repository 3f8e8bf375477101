#pragma once

#include "wormcast/simulator/random/random_stream.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace wormcast {

/// The destinations of each node of a network.
class Pattern {
public:
  /// Throws InputError "KEY: ..." if the pattern does not fit the network, returns values that PatternShares does not
  /// permit, or no node sends; FileError if its file cannot be read.
  Pattern(const Topology& topology, const PatternChoice& choice, std::uint64_t seed);

  bool sends(NodeId node) const { return sends_[index(node)]; }
  std::uint32_t sender_count() const { return senders_; }

  /// Draws a destination of a node that sends.
  NodeId destination(NodeId from, RandomStream& random) const;

  /// Returns the fraction of a node's messages that goes to all others alike; to all nodes with include_self.
  double even_share(NodeId from) const { return chosen_[index(from)].empty() ? 1 : even_; }
  bool includes_self() const { return include_self_; }

  /// Calls visit(to, share) for the other messages of a node, with fractions that add up to 1 - even_share(from). A
  /// destination can occur twice.
  void for_each_chosen(NodeId from, const std::function<void(NodeId to, double share)>& visit) const;

private:
  struct Weighted {
    NodeId to{};
    std::uint64_t weight_before = 0; // sum of the source's earlier entries
    std::uint64_t weight = 0;
  };

  NodeId any_other(NodeId from, RandomStream& random) const;

  std::uint32_t nodes_;
  bool include_self_;
  double even_ = 0;
  std::uint32_t senders_ = 0;
  std::vector<bool> sends_;
  std::vector<std::vector<Weighted>> chosen_; // by source
};

} // namespace wormcast
