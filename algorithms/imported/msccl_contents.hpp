#pragma once

#include "wormcast/algorithms/imported/msccl_check.hpp"
#include "wormcast/algorithms/imported/msccl_memory.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// A chunk that a message carries, by the contributions that it holds.
struct CarriedChunk {
  std::uint32_t rank = 0;    ///< whose contribution is the first
  std::uint64_t chunk = 0;   ///< to this chunk of the operation
  bool of_one_chunk = false; ///< all contributions are to this chunk
};

/// Executes the steps in their order on symbolic values, and adds to `use` what reads nothing, counts twice or ends
/// wrong, whether something writes to i out of place, and the root. Where `carried` is not null, it gets the chunks of
/// each message.
void execute_msccl(const MscclAlgorithm& algorithm, const MscclOrder& order, const MscclMemory& memory, MscclUse& use,
                   std::vector<std::vector<CarriedChunk>>* carried = nullptr);

} // namespace wormcast
