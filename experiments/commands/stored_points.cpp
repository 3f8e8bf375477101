#include "wormcast/experiments/commands/stored_points.hpp"

#include "wormcast/experiments/process/launch.hpp"

#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

namespace wormcast {

std::filesystem::path store_folder(const std::string& out, const std::filesystem::path& config)
{
  return out.empty() ? std::filesystem::path("out") / config.stem() : std::filesystem::path(out);
}

void show_progress(SweepOptions& options, ProgressLine& line, Verbosity verbosity)
{
  options.progress = [&line](const TaskProgress& progress) { line.show(progress); };
  options.talk = [&line, verbosity](const SweepPoint& point, const std::string& talk) {
    if (verbosity == Verbosity::verbose) {
      line.clear();
      spdlog::debug("{}: {}", fmt::join(point.cells, ", "), talk);
    }
  };
}

bool wants_progress(Verbosity verbosity)
{
  return verbosity != Verbosity::quiet && this_launch().rank == 0;
}

} // namespace wormcast
