#pragma once

#include "wormcast/experiments/trace/contention_summary.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wormcast {

/// The occupancy of one channel or port, and the waits for it.
struct ChannelLoad {
  WaitedChannel channel;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0; ///< of these messages, each time as a whole
  Time busy;               ///< held by a message; with virtual channels the sum over them
  WaitSum waits = {};
};

/// The loads of a traced run. Memory: some 100 bytes for each channel and port that was used, 8 for each message.
struct ChannelLoads {
  TraceHeader header;
  TraceEnd end;
  Time last;                         ///< the end of the last occupancy or wait
  std::vector<ChannelLoad> channels; ///< by `busy`, longest first, then by messages, then as the trace names them
};

/// Sums up all occupancy and contention records. Throws what read_trace throws.
ChannelLoads read_channel_loads(const std::filesystem::path& file);

} // namespace wormcast
