#pragma once

#include "wormcast/algorithms/registry.hpp"

#include <string>
#include <string_view>

namespace wormcast {

/// "wormcast:", with which algorithms of wormcast's own begin where SMPI's are named.
inline constexpr std::string_view own_algorithm_prefix = "wormcast:";

/// An algorithm of wormcast instead of MPI_Bcast.
struct OwnBroadcast {
  std::string algorithm;
  ParameterValues parameters; ///< parameters that the text leaves out have their defaults
};

/// Reads "truncated_recursion depth=5 rounds=lattice": the algorithm, then its parameters, parted by blanks. A token
/// without "=" belongs to the value before it ("intercom stages=Mx6 Sx6 My1"). Throws InputError "mpi.bcast: ..." where
/// there is no such algorithm or parameter, where it does not broadcast, and where a parameter without a default is
/// missing.
OwnBroadcast read_own_broadcast(const std::string& text);

} // namespace wormcast
