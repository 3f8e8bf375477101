#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace wormcast::zhuang_liberatore {

/// Blocks as bits; enough for n <= 6.
using Flints = std::uint64_t;

/// A recursion-based broadcast on a 2^n x 2^n mesh, replayed with the ownership of section 3.1: what is transferred
/// (stage 1) is dropped, what is shared (stage 2) is kept.
class Replay {
public:
  Replay(int n, NodeId source);

  /// Replays the steps before `step`; steps only go forward.
  void run_until(std::uint32_t step);

  Flints flints_of(const Message& message) const;

  /// The node at (x_s XOR a, y_s XOR b).
  NodeId node(std::int64_t a, std::int64_t b) const;

  Flints owned(NodeId node) const { return owned_[index(node)]; }
  const Schedule& schedule() const { return schedule_; }
  const Topology& topology() const { return *topology_; }
  int n() const { return n_; }

private:
  std::shared_ptr<const Topology> topology_;
  Schedule schedule_;
  int n_;
  NodeId source_;
  std::uint32_t step_ = 0;
  std::vector<Flints> owned_;
};

} // namespace wormcast::zhuang_liberatore
