#pragma once

#include "wormcast/experiments/commands/command.hpp"
#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/sweep/sweep.hpp"

#include <filesystem>
#include <string>

namespace wormcast {

/// Where a command keeps its points: `out`, or out/ and the configuration's name.
std::filesystem::path store_folder(const std::string& out, const std::filesystem::path& config);

/// Shows on `line`, which must outlive `options`, how many points there are, and what they say where that is wanted.
void show_progress(SweepOptions& options, ProgressLine& line, Verbosity verbosity);

/// Whether this process shows how far it is: not where it is to be quiet, and of several ranks the first one alone.
bool wants_progress(Verbosity verbosity);

} // namespace wormcast
