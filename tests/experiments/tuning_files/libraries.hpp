#pragma once

#include "tests/experiments/program/commands/program.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wormcast::testing {

/// Bytes between two ranks: (from, to).
using BytesByPair = std::map<std::pair<unsigned, unsigned>, std::uint64_t>;

/// What a library of MPI did.
struct LibraryRun {
  int exit_code = -1;
  std::string output;
  /// For each length the functions that did the collective, the one that was chosen first: "binomial",
  /// "MPIR_Bcast_intra_binomial".
  std::vector<std::vector<std::string>> functions = {};
  BytesByPair bytes = {}; ///< of all lengths together
};

/// Empty where Open MPI, its compiler and a preloaded library can be used; else the reason why not.
std::string why_no_open_mpi();

/// The same of MPICH, statically linked.
std::string why_no_mpich();

/// MPICH's library, which holds its rules; empty: there is none.
std::string mpich_library();

/// Calls the collective at each length among so many ranks of this machine with a file of rules; "alltoall_in_place" is
/// one, too. `folder` keeps what is compiled for it.
LibraryRun run_open_mpi(const TemporaryDirectory& folder, const std::string& rules, unsigned ranks,
                        const std::string& collective, const std::vector<std::uint64_t>& lengths);
LibraryRun run_mpich(const TemporaryDirectory& folder, const std::string& rules, unsigned ranks,
                     const std::string& collective, const std::vector<std::uint64_t>& lengths);

} // namespace wormcast::testing
