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
  };

  const Schedule& schedule_;
  bool has_steps_;
  std::vector<std::uint64_t> set_bytes_;
  std::vector<ChannelUse> uses_; ///< by channel
  std::uint64_t largest_in_step_ = 0;
  std::uint64_t largest_ = 0;
  ScheduleCosts costs_;
  WorkSteps steps_;
};

} // namespace wormcast
