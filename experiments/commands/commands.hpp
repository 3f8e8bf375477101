#pragma once

#include "wormcast/experiments/commands/command.hpp"

#include <vector>

namespace wormcast {

Command run_command();
Command sweep_command();
Command load_command();
Command plot_command();
Command mpi_command();
Command contention_command();
Command convert_command();
Command view_command();
Command schedule_command();
Command check_command();
Command compare_command();
Command choose_command();
Command collectives_command();
Command tcd_command();
Command topology_command();
Command reproduce_command();
Command import_command();
Command list_command();
Command init_command();
Command reference_command();

/// All commands in the order in which help shows them.
std::vector<Command> all_commands();

} // namespace wormcast
