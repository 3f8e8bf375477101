#pragma once

#include "wormcast/algorithms/imported/msccl.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// A chunk of a gpu's buffers.
struct MscclPlace {
  MscclBuffer buffer = MscclBuffer::input;
  std::uint32_t offset = 0;

  friend bool operator==(const MscclPlace&, const MscclPlace&) = default;
};

/// Chunks of a message of a schedule that are consecutive in one buffer at the sender and in one at the receiver.
struct MscclRun {
  std::uint32_t step = 0; ///< of the schedule
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  MscclPlace source;      ///< its first chunk at the sender
  MscclPlace destination; ///< and at the receiver
  std::uint32_t count = 0;
  bool partial = false; ///< the receiver adds it to what it has
};

/// The messages of a schedule as runs, by step, in each step partial results first.
struct MscclRuns {
  std::vector<MscclRun> runs;
  std::uint32_t chunks = 0;           ///< of the whole buffer
  std::vector<std::uint32_t> scratch; ///< by node: chunks
};

/// Cuts the messages of a schedule. A run of a reduction is partial unless it carries the contributions of all nodes.
/// Throws as msccl_of_schedule().
MscclRuns msccl_runs(const Schedule& schedule, std::uint32_t nodes);

} // namespace wormcast
