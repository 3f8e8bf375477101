#pragma once

namespace wormcast {

/// Reads the command line, carries out the command that it names, and returns its exit code. Help and version go to
/// standard output. Throws InputError on a command line that is wrong, with the nearest command, option or choice, and
/// whatever the command throws.
int run_command_line(int argc, char** argv);

} // namespace wormcast
