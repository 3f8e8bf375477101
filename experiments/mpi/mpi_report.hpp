#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/mpi/call_report.hpp"
#include "wormcast/experiments/mpi/mpi_run.hpp"
#include "wormcast/experiments/run/path_account.hpp"
#include "wormcast/experiments/run/run.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// What a map that was made from the communication gains (map_by_communication).
struct PlacementGain {
  std::uint64_t byte_hops = 0;             ///< of the messages sent under block
  std::uint64_t block_byte_hops = 0;       ///< of the same where rank r is on node r
  std::uint64_t busiest_channel_bytes = 0; ///< of the messages sent under block
  std::uint64_t block_busiest_channel_bytes = 0;
  Time block_end; ///< when the program ended under block
  Time block_last_delivery;
};

/// The results of a program's messages, simulated again from their list.
struct MpiOutcome {
  MpiProgram program;
  std::string map;                             ///< as given
  std::optional<PlacementGain> placement = {}; ///< of a map that was made from the communication
  ProgramEnd end;
  ProgramExit exit = {};
  std::vector<RankCallUse> calls = {}; ///< rank_call_uses()
  RunOutcome network;
};

/// Groups of the messages on a critical path: by the rank that sends, by pair of ranks, and where `words` are known by
/// the MPI function that sent them and by region. `nodes` are those of the ranks. Without words (null, or without
/// functions, as of replays) ranks on the same node are one group. What is referred to must outlive the functions.
std::vector<PathGrouping> rank_groupings(const Experiment& experiment, const Schedule& messages,
                                         const std::vector<NodeId>& nodes, const ProgramWords* words);

/// The object of `mpi --json`, format wormcast-mpi/1 (docs/formats.md), indented.
std::string mpi_result_text(const Experiment& experiment, const MpiOutcome& outcome);

/// The table that `mpi` prints for people.
std::string mpi_table(const Experiment& experiment, const MpiOutcome& outcome);

} // namespace wormcast
