#include "wormcast/experiments/process/installed.hpp"

#include "wormcast/experiments/process/foreground.hpp"
#include "wormcast/experiments/process/launch.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace wormcast {

namespace {

/// The folder of the program that runs; empty where the system does not know.
std::filesystem::path program_folder()
{
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

} // namespace

std::filesystem::path installed_beside(const std::filesystem::path& file, std::string_view purpose)
{
  const std::filesystem::path folder = program_folder();
  std::filesystem::path beside = folder.parent_path() / WORMCAST_LIBRARY_FOLDER / file;
  if (folder.empty() || !std::filesystem::exists(beside)) {
    throw InputError(fmt::format("{}: not there, but {}; it is installed with wormcast, and in a build folder \"ninja "
                                 "wormcast_platform\" makes it",
                                 beside.string(), purpose));
  }
  return beside;
}

std::filesystem::path installed_program(std::string_view name, std::string_view purpose)
{
  const std::filesystem::path folder = program_folder();
  for (const std::filesystem::path& place : {folder, folder.parent_path() / WORMCAST_LIBRARY_FOLDER / "wormcast"}) {
    if (const auto found = find_program((place / name).native()); found && !folder.empty()) {
      return *found;
    }
  }
  throw InputError(fmt::format("{}: not installed in {}, but {}", name, folder.string(), purpose));
}

void become_program(const std::filesystem::path& program, std::span<const std::string> words)
{
  restore_launch();
  std::vector<char*> pointers = {const_cast<char*>(program.c_str())};
  for (const std::string& word : words) {
    pointers.push_back(const_cast<char*>(word.c_str()));
  }
  pointers.push_back(nullptr);
  ::execv(program.c_str(), pointers.data());
  throw std::system_error(errno, std::generic_category(), program.string());
}

} // namespace wormcast
