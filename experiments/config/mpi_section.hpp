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
  std::string selector;        ///< the selector among SMPI's algorithms for collectives
  /// Collectives ("bcast") with a given algorithm, and its name.
  std::vector<std::pair<std::string, std::string>> algorithms;
};

/// Bytes that SMPI adds to each message.
inline constexpr std::int64_t smpi_envelope = 16;

/// The collectives that SMPI has several algorithms for: "allgather", "allreduce", ...
std::span<const std::string> mpi_collectives();

/// The declarations of the section's keys.
std::span<const Parameter> mpi_declarations();

/// From values read against mpi_declarations().
MpiParameters mpi_parameters(const ParameterValues& values);

} // namespace wormcast
