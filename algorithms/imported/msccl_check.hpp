#pragma once

#include "wormcast/algorithms/imported/finding.hpp"
#include "wormcast/algorithms/imported/msccl.hpp"
#include "wormcast/algorithms/imported/msccl_order.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace wormcast {

/// What is found out about one use of the buffers.
struct MscclUse {
  bool in_place = false;
  Findings findings;                 ///< race, possession, counting, coverage
  bool writes_to_input = false;      ///< out of place, which callers do not expect
  std::optional<std::uint32_t> root; ///< of a broadcast or reduce: the rank for which it holds, or almost does
};

/// The verdict on an algorithm. Where `order.findings` is not empty, nothing is known of contents: `uses` is empty.
struct MscclReport {
  MscclOrder order;
  std::vector<MscclUse> uses; ///< those that the file claims: in place, out of place
  std::vector<std::uint64_t> messages_by_rank;
  std::vector<std::uint64_t> chunks_by_rank; ///< sent

  /// Nothing is wrong with it. Where its collective is not known, that says nothing of what ranks hold at the end.
  bool right() const;
  /// The first of each kind, over all uses.
  std::vector<Finding> findings() const;
};

/// Proves an algorithm or refutes it (docs/formats-of-others.md): the messages, the order, every two accesses to a
/// chunk ordered where one of them writes, and then symbolically, in one of the orders, that no step reads nothing, no
/// contribution is reduced twice, and every rank ends with what the operation requires. Throws InputError where it is
/// too large for that. Cost: O(chunks that steps access, and for each gpu all steps times its blocks).
MscclReport check_msccl(const MscclAlgorithm& algorithm);

} // namespace wormcast
