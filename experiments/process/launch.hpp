#pragma once

#include <cstddef>
#include <string>

namespace wormcast {

/// What mpirun, mpiexec or srun tells each of the processes that it starts.
struct Launch {
  std::size_t rank = 0;  ///< from 0
  std::size_t ranks = 1; ///< 1: started alone
  std::string id = {};   ///< the same in all ranks of one launch and in no other; empty where the launcher gives none
};

/// Reads the launcher's variables from the environment, for this_launch(), and takes them away: programs that this one
/// starts are no ranks. To be called once, before there are threads.
void note_launch();

/// Puts back into the environment what note_launch() took, for a program that takes the place of this one.
void give_back_launch();

/// The launch of this process; without note_launch() one rank.
const Launch& this_launch();

} // namespace wormcast
