#pragma once

#include <cstddef>
#include <string>

namespace wormcast {

/// The rank and size that mpirun, mpiexec or srun sets for each of the processes that it starts.
struct Launch {
  std::size_t rank = 0;  ///< from 0
  std::size_t ranks = 1; ///< 1: started alone
  std::string id = {};   ///< the same in all ranks of one launch and in no other; empty where the launcher gives none
};

/// Reads the launcher's variables from the environment, for this_launch(), and removes them: programs that this one
/// starts are not ranks. Call it once, before there are threads.
void note_launch();

/// Restores the variables that note_launch() removed, for a program that replaces this one.
void restore_launch();

/// The launch of this process; without note_launch() one rank.
const Launch& this_launch();

} // namespace wormcast
