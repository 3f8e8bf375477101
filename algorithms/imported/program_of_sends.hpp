#pragma once

#include "wormcast/algorithms/schedule/program.hpp"

#include <cstdint>
#include <limits>
#include <span>

namespace wormcast {

/// A message that a rank sends at the start, or when it has received an earlier one.
struct DependentSend {
  static constexpr std::uint32_t at_start = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint64_t bytes = 0;
  std::uint32_t after = at_start; ///< a send before it in the list, to `from`
  std::uint32_t line = 0;
};

/// The program in which each rank posts all receives at the start, and sends as soon as it can. Message ids are the
/// places in the list.
Program program_of_sends(std::uint32_t ranks, std::span<const DependentSend> sends);

/// Where chunk `chunk` of `chunks` (below 2^31) begins in `bytes` (below 2^62): floor(chunk * bytes / chunks).
std::uint64_t begin_of_chunk(std::uint64_t chunk, std::uint64_t chunks, std::uint64_t bytes);

/// The bytes of chunks begin .. end-1, at least 1.
std::uint64_t bytes_of_chunks(std::uint64_t begin, std::uint64_t end, std::uint64_t chunks, std::uint64_t bytes);

} // namespace wormcast
