#pragma once

#include "wormcast/experiments/program/commands/command.hpp"

#include <filesystem>
#include <string>

namespace wormcast {

/// The folder in which a command stores its points: `out`, or out/ and the configuration's name.
std::filesystem::path store_folder(const std::string& out, const std::filesystem::path& config);

/// Whether this process shows how far it is: not where it is to be quiet, and of several ranks the first one alone.
bool wants_progress(Verbosity verbosity);

} // namespace wormcast
