#pragma once

#include "wormcast/experiments/program/commands/command.hpp"

#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// Makes the commands of a program. It is called after plug-ins are loaded, because their algorithms and topologies are
/// among the choices.
using CommandMaker = std::vector<Command> (*)();

/// Reads the arguments of a command line after the program's name, executes the command that they name, and returns its
/// exit code. Help and version go to standard output. Throws InputError for a wrong command line, with the nearest
/// command, option or choice, and all exceptions of the command.
int run_command_line(std::span<const std::string> words, CommandMaker commands);

/// The body of a program: prepares its process, runs the command line, and turns exceptions into a line on stderr and
/// an exit code.
int run_as_program(std::span<const std::string> words, CommandMaker commands);

} // namespace wormcast
