#include "wormcast/experiments/program/commands/stored_points.hpp"

#include "wormcast/experiments/process/launch.hpp"

namespace wormcast {

std::filesystem::path store_folder(const std::string& out, const std::filesystem::path& config)
{
  return out.empty() ? std::filesystem::path("out") / config.stem() : std::filesystem::path(out);
}

bool wants_progress(Verbosity verbosity)
{
  return verbosity != Verbosity::quiet && this_launch().rank == 0;
}

} // namespace wormcast
