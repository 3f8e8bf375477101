#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"

#include <limits>

namespace wormcast {

/// Counts ScheduleCosts in one pass over the messages, step by step in ascending order.
class CostCounter {
public:
  CostCounter(const Topology& topology, const Schedule& schedule);

  /// `route` is the message's. Cost O(hops).
  void add(MessageId id, std::span<const ChannelId> route);

  /// Throws InputError where the bytes of all steps pass 2^62.
  void end_step(bool sent_anything);

  ScheduleCosts result() const;

private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  const Schedule& schedule_;
  bool half_duplex_;
  std::vector<std::uint64_t> set_bytes_;
  std::vector<std::uint64_t> load_;     ///< by channel
  std::vector<std::uint32_t> sends_;    ///< by node: the last step in which it sends
  std::vector<std::uint32_t> receives_; ///< by node
  std::uint64_t largest_in_step_ = 0;
  std::uint64_t largest_ = 0;
  bool twice_ = false;
  ScheduleCosts costs_;
};

} // namespace wormcast
