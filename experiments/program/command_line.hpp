#pragma once

#include "wormcast/experiments/program/commands/command.hpp"

#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// Makes the commands of a program. What plug-ins bring is in their choices, so that it is called when those are
/// loaded.
using CommandMaker = std::vector<Command> (*)();

/// Reads the words of a command line behind the program's name, carries out the command that they name, and returns its
/// exit code. Help and version go to standard output. Throws InputError on a command line that is wrong, with the
/// nearest command, option or choice, and whatever the command throws.
int run_command_line(std::span<const std::string> words, CommandMaker commands);

/// All that a program does: settles its process, runs the command line, and makes of what is thrown a line on stderr
/// and an exit code.
int run_as_program(std::span<const std::string> words, CommandMaker commands);

} // namespace wormcast
