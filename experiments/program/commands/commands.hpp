#pragma once

#include "wormcast/experiments/program/commands/command.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace wormcast {

/// The command of this name.
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
Command validate_command();
Command study_command();
Command tcd_command();
Command topology_command();
Command reproduce_command();
Command import_command();
Command list_command();
Command init_command();
Command reference_command();
Command completion_command();

/// All commands with their groups, in the order in which help shows them.
std::vector<Command> all_commands();

inline constexpr std::string_view program_summary = "discrete-event simulator of wormhole-switched networks: broadcast "
                                                    "and other collective operations, exact to the flit";

/// The options of every command, before or after its name.
struct CommonArguments {
  bool verbose = false;
  bool quiet = false; ///< not with verbose
  bool force = false;
  std::vector<std::string> plugins;
};

/// Names a plug-in; what comes from there is known when the other options are read.
inline constexpr std::string_view plugin_option = "--plugin";

/// What asks for completions instead of naming a command: "wormcast __complete bash run --js". Scripts of shells alone
/// call it, so that no help names it.
inline constexpr std::string_view completion_request = "__complete";

/// Options of all commands.
std::vector<CommandOption> common_options(CommonArguments& arguments);

/// Options of all commands that end the program.
struct StandardOption {
  std::string_view name;
  std::string_view text;
};
inline constexpr std::array<StandardOption, 3> standard_options = {
    StandardOption{"--help", "print what there is to say on the command line, and exit"},
    StandardOption{"--help-all", "print it for all commands, and exit"},
    StandardOption{"--version", "print the version and what the program was made of, and exit"}};

} // namespace wormcast
