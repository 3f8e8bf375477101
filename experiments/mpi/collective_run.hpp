#pragma once

#include "wormcast/experiments/mpi/mpi_run.hpp"
#include "wormcast/values/names.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// One collective operation of MPI, by one algorithm, at some lengths.
struct CollectiveCase {
  std::string collective; ///< of timed_collectives
  std::string algorithm;  ///< SMPI's name, or wormcast's as mpi.bcast has it ("wormcast:intercom stages=Mx1 My1")
  std::vector<std::uint64_t> lengths;                  ///< bytes of the message; of an alltoall for each pair of ranks
  std::optional<std::uint64_t> processor_seconds = {}; ///< that a process may take; none: there is no limit
};

/// How it went.
enum class CollectiveState {
  done,
  wrong,    ///< not every rank has the data that it must have
  deadlock, ///< the program or the network stopped
  left_out, ///< wormcast's algorithm does not run on this network or with these ranks
  timeout,  ///< it took longer than CollectiveCase::processor_seconds, or a shorter message did
  died      ///< SMPI refuses, or the process broke down
};

/// "done", "wrong", ...
inline constexpr auto collective_state_names = names<CollectiveState>({{CollectiveState::done, "done"},
                                                                       {CollectiveState::wrong, "wrong"},
                                                                       {CollectiveState::deadlock, "deadlock"},
                                                                       {CollectiveState::left_out, "left_out"},
                                                                       {CollectiveState::timeout, "timeout"},
                                                                       {CollectiveState::died, "died"}});

/// The result of timing one collective.
struct CollectiveRun {
  CollectiveState state = CollectiveState::died;
  Time latency;      ///< done: from the time at which all ranks start it to the end of the last one
  std::string error; ///< in one line; empty when done
};

/// The collectives that can be timed: "bcast", "allreduce", "alltoall".
std::span<const std::string> timed_collectives();

/// The longest message that is timed: of an alltoall, for each pair of ranks, all of whose data one process holds.
inline constexpr std::uint64_t most_collective_bytes = std::uint64_t{1} << 24;

/// SMPI's algorithms for a collective, as the SMPI that is there names them, without "automatic", which tries all
/// others. Machine and folder are as of time_collective. Throws InputError where no MPI program can run there.
std::vector<std::string> smpi_algorithms(const std::string& collective, const ConfigSource& config,
                                         const std::filesystem::path& folder);

/// Throws InputError where an algorithm of `mpi`, which is read from `config`, is none of SMPI's, with those that there
/// are: SMPI itself would end the program with a backtrace. Wormcast's own are not looked at.
void check_smpi_algorithms(const MpiParameters& mpi, const ConfigSource& config, const std::filesystem::path& folder);

/// For each length lets all ranks start the collective at the same time, in SMPI's process, on the machine of `config`;
/// files are written to `folder`. MPI_Wtime takes no time there, and what an algorithm prepares once is left out. What
/// goes wrong is in the result of its length; the lengths behind it get a process of their own.
std::vector<CollectiveRun> time_collective(const ConfigSource& config, const std::vector<NodeId>& nodes,
                                           const CollectiveCase& which, const std::filesystem::path& folder);

} // namespace wormcast
