#pragma once

#include "wormcast/algorithms/schedule/program.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// A message that a rank sends at the start, or when it has received earlier ones.
struct DependentSend {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint64_t bytes = 0;
  std::vector<std::uint32_t> after = {};  ///< sends before it in the list, to `from`
  std::optional<std::uint32_t> with = {}; ///< a send of `from` before it in the list that has begun before it begins
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
