#pragma once

#include "wormcast/values/parameter.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// The [mpi] section of a configuration: how MPI programs run on SimGrid's SMPI (docs/mpi.md).
struct MpiParameters {
  std::uint64_t envelope = 16; ///< bytes that a message carries in addition to its data
  std::uint64_t eager = 0;     ///< shorter messages travel before the receiver has posted a receive
  bool measured = false;       ///< computing takes the time that this machine takes for it; else none
  std::uint64_t flops = 0;     ///< of a node, a second
  std::string selector = {};   ///< the selector among SMPI's algorithms for collectives
  Time test = {};              ///< what an MPI_Test takes, and what an MPI_Iprobe takes
  Time probe = {};
  Time send_overhead = {};    ///< that a rank spends in each MPI_Send and MPI_Isend, before the message
  Time receive_overhead = {}; ///< that a rank spends in each receive, after the message
  /// MPI_Send of fewer bytes returns at once; of more when the message has been delivered.
  std::uint64_t detached = 65536;
  /// Collectives ("bcast") with a given algorithm, and its name.
  std::vector<std::pair<std::string, std::string>> algorithms = {};
  std::vector<std::string> simgrid = {}; ///< other settings of SimGrid and SMPI: "contexts/stack-size:65536"
};

/// Bytes that SMPI adds to each message.
inline constexpr std::int64_t smpi_envelope = 16;

/// The collectives that SMPI has several algorithms for: "allgather", "allreduce", ...
std::span<const std::string> mpi_collectives();

/// The declarations of the section's keys.
std::span<const Parameter> mpi_declarations();

/// Gives mpi.test and mpi.probe a value where they have none: a twentieth of T_s, at least 10 ns, so that a rank that
/// polls learns of a message at most a twentieth of a start-up later than one that waits.
void set_polling_times(ParameterValues& values, Time startup);

/// From values read against mpi_declarations() and set_polling_times(). Throws InputError where mpi.simgrid has what is
/// no setting, or one that another key or the network determines.
MpiParameters mpi_parameters(const ParameterValues& values);

} // namespace wormcast
