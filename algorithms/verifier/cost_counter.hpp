#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/values/work_watch.hpp"

#include <limits>

namespace wormcast {

/// Counts ScheduleCosts except the ports in one pass over the messages, step by step in ascending order.
class CostCounter {
public:
  CostCounter(const Topology& topology, const Schedule& schedule);

  /// `route` is the message's, or, if that is drawn, one that it can take. Cost O(hops).
  void add(MessageId id, std::span<const ChannelId> route, bool drawn = false);

  /// Throws InputError where the bytes of all steps pass 2^62.
  void end_step(bool sent_anything);

  ScheduleCosts result() const;

private:
  struct ChannelUse {
    std::uint32_t messages = 0;
    std::uint32_t last_step = std::numeric_limits<std::uint32_t>::max();
    std::uint64_t bytes = 0;         ///< in the whole run
    std::uint64_t bytes_in_step = 0; ///< in last_step
  };
  /// What the ports of a node have sent, or received, in its last step.
  struct PortUse {
    std::uint32_t last_step = std::numeric_limits<std::uint32_t>::max();
    std::uint64_t bytes = 0;
  };

  void add_port(PortUse& use, std::uint32_t step, std::uint64_t bytes);

  const Schedule& schedule_;
  bool has_steps_;
  std::vector<std::uint64_t> set_bytes_;
  std::vector<ChannelUse> uses_; ///< by channel
  std::vector<PortUse> sends_;   ///< by node, where the number of ports is given
  std::vector<PortUse> receives_;
  std::uint64_t load_ = 0; ///< of all steps
  std::uint64_t load_in_step_ = 0;
  std::uint64_t hops_in_step_ = 0;
  std::uint64_t busiest_ = 0;
  std::uint64_t largest_in_step_ = 0;
  std::uint64_t largest_ = 0;
  ScheduleCosts costs_;
  WorkSteps steps_;
};

} // namespace wormcast
