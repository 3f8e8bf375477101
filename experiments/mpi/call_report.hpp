#pragma once

#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/experiments/mpi/rank_record.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// The calls of one function by one rank, and what it sent to other nodes in messages that they made.
struct RankCallUse {
  RankCall call;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// `calls` with the messages of each. `words` are of the messages; null: not known.
std::vector<RankCallUse> rank_call_uses(std::span<const RankCall> calls, const Schedule& messages,
                                        const ProgramWords* words);

/// Rows by function, those with most time first: at most ten. Empty without calls.
std::string calls_table(std::span<const RankCallUse> uses);

/// The list "calls" of wormcast-mpi/1: all functions, with all ranks.
nlohmann::ordered_json calls_json(std::span<const RankCallUse> uses);

} // namespace wormcast
