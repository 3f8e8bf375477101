#pragma once

#include "wormcast/experiments/commands/command.hpp"
#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/experiments/sweep/sweep.hpp"

#include <filesystem>
#include <string>

namespace wormcast {

/// Where a command keeps its points: `out`, or out/ and the configuration's name.
std::filesystem::path store_folder(const std::string& out, const std::filesystem::path& config);

/// Shows on `line`, which must outlive `options`, how many points there are, and what they say where that is wanted.
void show_progress(SweepOptions& options, ProgressLine& line, Verbosity verbosity);

/// Says how many points (such as "3 of 10") an interrupted command leaves behind. Returns the exit code.
int say_interrupted(int signal, const std::string& points, const ResultStore& store);

} // namespace wormcast
