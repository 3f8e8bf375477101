#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// Copies all of a schedule but its messages and their sets of blocks.
Schedule same_operation(const Schedule& schedule);

/// The blocks of `set` that are not in `held`, a node's bits (Possession::bits).
std::vector<BlockRange> news_in(const BlockSets& sets, BlockSetId set, std::span<const std::uint64_t> held);

/// Appends messages of a schedule, called in the order of their steps, each with the blocks that are new to its
/// receiver. The schedule must outlive the object.
class NewsOnly {
public:
  /// `held`: the blocks of each node before the first message that is appended.
  NewsOnly(const Schedule& schedule, Possession held);

  /// Appends the message to `result`, or nothing where its receiver has all of it.
  void append(MessageId id, Schedule& result);

private:
  const Schedule& schedule_;
  Possession held_;
};

} // namespace wormcast
