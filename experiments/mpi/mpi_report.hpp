#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/mpi/mpi_run.hpp"
#include "wormcast/experiments/run/run.hpp"

#include <string>

namespace wormcast {

/// The results of a program's messages, simulated again from their list.
struct MpiOutcome {
  MpiProgram program;
  std::string map; ///< as given
  ProgramEnd end;
  ProgramExit exit = {};
  RunOutcome network;
};

/// The list of messages as an experiment of its own.
Experiment message_experiment(const ProgramMachine& machine, const Schedule& messages);

/// The object of `mpi --json`, format wormcast-mpi/1 (docs/formats.md), indented.
std::string mpi_result_text(const Experiment& experiment, const MpiOutcome& outcome);

/// The table that `mpi` prints for people.
std::string mpi_table(const Experiment& experiment, const MpiOutcome& outcome);

} // namespace wormcast
