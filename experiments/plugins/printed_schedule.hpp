#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// The algorithm "command": a program is given what a schedule is wanted for, as a schedule without messages on its
/// standard input, and prints the schedule, both in format wormcast-schedule/1. What goes wrong (no such program, its
/// exit code, a time limit, output that is no such schedule) is an InputError with the end of the program's stderr.
Algorithm command_algorithm();

} // namespace wormcast
