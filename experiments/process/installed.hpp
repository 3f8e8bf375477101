#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// A file that is installed with the program, in the folder of libraries, or in the same place of a build. Throws
/// InputError with `purpose` ("MPI programs need it") where it is not there.
std::filesystem::path installed_beside(const std::filesystem::path& file, std::string_view purpose);

/// A program that is installed with this one: beside it, else in the folder "wormcast" of the folder of libraries.
/// Throws InputError with `purpose` where neither has one that can be executed.
std::filesystem::path installed_program(std::string_view name, std::string_view purpose);

/// Becomes another program, with `words` behind its name: the same process with the same environment, standard files
/// and signals that are ignored, and as the same rank of a launch. Throws std::system_error where it cannot be
/// executed.
[[noreturn]] void become_program(const std::filesystem::path& program, std::span<const std::string> words);

} // namespace wormcast
