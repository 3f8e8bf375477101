#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// The algorithm "command": a program receives the request, as a schedule without messages on its standard input, and
/// prints the schedule, both in format wormcast-schedule/1. Errors (no such program, its exit code, a time limit,
/// output that is not such a schedule) are InputErrors with the end of the program's stderr.
Algorithm command_algorithm();

} // namespace wormcast
