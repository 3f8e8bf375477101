#pragma once

#include "tests/experiments/program/commands/program.hpp"

#include <string>

namespace wormcast::testing {

/// Runs a script of bash in `directory`, for at most a minute; "$wormcast" in it is the program.
ProgramRun run_script(const std::string& script, const std::filesystem::path& directory);

} // namespace wormcast::testing
