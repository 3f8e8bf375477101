#pragma once

#include "wormcast/experiments/mpi/rank_record.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// Ranks of which each waits for the next one. `is_cycle`: the last one for the first one; else the last one for
/// `ended`, which is in no MPI function.
struct WaitingChain {
  std::vector<std::uint32_t> ranks; ///< the lowest one of a cycle first; empty: none waits for a rank that is known
  bool is_cycle = false;
  std::uint32_t ended = 0;
};

/// The first cycle, or else the chain of the lowest rank. A rank that waits for several is taken to wait for the first.
/// `ranks` ascend.
WaitingChain waiting_chain(std::span<const WaitingRank> ranks);

/// "MPI_Wait of MPI_Irecv from rank 2, tag 99, MPI_COMM_WORLD (ring.c:27)".
std::string waiting_text(const WaitingRank& rank);

/// Who waits for whom, and a line for each rank, those of the chain first; of many ranks only some.
std::string waiting_text(std::span<const WaitingRank> ranks);

/// The object "waiting" of wormcast-mpi/1: all ranks.
nlohmann::ordered_json waiting_json(std::span<const WaitingRank> ranks);

} // namespace wormcast
