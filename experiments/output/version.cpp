#include "wormcast/experiments/output/version.hpp"

#include "wormcast/simulator/simgrid/platform.hpp"
#include "wormcast_commit.hpp" // made by every build

#include <fmt/format.h>

namespace wormcast {

namespace {

#ifdef __clang__
constexpr std::string_view compiler = "Clang " __clang_version__;
#else
constexpr std::string_view compiler = "GCC " __VERSION__;
#endif

} // namespace

std::string_view program_version()
{
  return WORMCAST_VERSION;
}

std::string build_description()
{
  std::string_view compiler_version = compiler;
  while (compiler_version.ends_with(' ')) {
    compiler_version.remove_suffix(1);
  }
  return fmt::format("wormcast {}\ncommit {}\nSimGrid {}\ncompiler {}", program_version(), WORMCAST_COMMIT,
                     simgrid_version(), compiler_version);
}

} // namespace wormcast
