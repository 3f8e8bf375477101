#pragma once

#include "wormcast/simulator/traffic/random_stream.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace wormcast {

/// To whom each node of a network sends.
class Pattern {
public:
  /// Throws InputError "KEY: ..." where the pattern needs another network (2^b nodes, a square, a mesh or torus), a hot
  /// spot or a node of the file does not exist, or no node sends anything; FileError where the file cannot be read.
  Pattern(const Topology& topology, const TrafficParameters& traffic, std::uint64_t seed);

  bool sends(NodeId node) const { return sends_[index(node)]; }
  std::uint32_t sender_count() const { return senders_; }

  /// Of a node that sends.
  NodeId destination(NodeId from, RandomStream& random) const;

  /// Calls visit(to, share) for all nodes to which a node sends; the shares add up to 1. A node may come twice.
  void for_each_share(NodeId from, const std::function<void(NodeId to, double share)>& visit) const;

private:
  enum class Kind { one_each, uniform, hot_spot, weighted };
  struct Weighted {
    NodeId to{};
    std::uint64_t weight_before = 0; // of the source's earlier entries
    std::uint64_t weight = 0;
  };

  void lay_out(const std::vector<std::uint32_t>& destinations);
  void read_hot_spots(const TrafficParameters& traffic);
  void read_weights(const TrafficParameters& traffic);
  NodeId any_other(NodeId from, RandomStream& random) const;
  std::uint32_t spots_of(NodeId from) const;

  Kind kind_ = Kind::uniform;
  std::uint32_t nodes_;
  bool include_self_;
  std::uint32_t senders_ = 0;
  std::vector<bool> sends_;
  std::vector<NodeId> destinations_; // one_each
  std::vector<NodeId> spots_;
  double hot_share_ = 0;
  std::vector<std::vector<Weighted>> weights_; // by source
};

/// What a pattern and message lengths come to on an empty network and on its channels.
struct ExpectedLoad {
  double mean_hops = 0;
  /// Mean over all messages of empty_network_picoseconds.
  double zero_load_picoseconds = 0;
  /// The load at which the channel that gets most would be busy all the time: no routing that takes these ways can
  /// carry more. Ports count as channels. What channels are held for while worms stand still is not in it.
  double capacity = 0;
};

/// Cost O(pairs of nodes with traffic * hops).
ExpectedLoad expected_load(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                           const Pattern& pattern);

} // namespace wormcast
