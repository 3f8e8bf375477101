#pragma once

#include "wormcast/experiments/program/reference/reference.hpp"

#include <vector>

namespace wormcast {

/// The program's manual pages for man(1): wormcast.1, and wormcast-COMMAND.1 for each command, made from the
/// declarations of commands and options.
std::vector<ReferencePage> manual_pages();

} // namespace wormcast
