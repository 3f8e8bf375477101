#pragma once

#include "wormcast/algorithms/imported/finding.hpp"
#include "wormcast/algorithms/imported/msccl.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace wormcast {

/// The messages and the order of an algorithm's steps, in whichever way its buffers are used.
struct MscclOrder {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  Findings
      findings; ///< bounds, connection, matching, dependency, deadlock. Where there are any, the rest is not complete
  std::vector<std::uint32_t> sends;    ///< by message: the step that sends it. Messages are in the order of these
  std::vector<std::uint32_t> receives; ///< by message
  std::vector<std::uint32_t> sent;     ///< by step: its message, or none
  std::vector<std::uint32_t> received; ///< by step: its message, or none
  std::vector<std::uint32_t> waits;    ///< by step: the step of another block it waits for, or none
  std::vector<std::uint32_t> order;    ///< all steps, each after those it waits for
  std::uint32_t longest_chain = 0;     ///< of messages one behind the other
  std::uint32_t slots_needed = 0;      ///< the fewest undelivered messages of a connection with which no cycle forms
};

/// Matches the k-th send of a connection with its k-th receive, and sorts the steps by blocks, waits and messages.
/// Cost: O(steps log steps).
MscclOrder order_msccl(const MscclAlgorithm& algorithm);

} // namespace wormcast
