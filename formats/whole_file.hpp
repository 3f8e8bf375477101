#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace wormcast {

/// The limit of the length of configurations and graphs: 64 MiB.
inline constexpr std::uint64_t largest_text_file = std::uint64_t{1} << 26;

/// The limit for callers that accept files of any length.
inline constexpr std::uint64_t any_length = std::numeric_limits<std::uint64_t>::max();

/// Returns all bytes of a file, at most `limit`. Throws FileError "cannot read FILE: " with the reason.
std::string read_whole_file(const std::filesystem::path& file, std::uint64_t limit = largest_text_file);

/// Opens a file for reading it part by part. Throws FileError "FILE: cannot be read: " with the reason, also for a
/// folder.
std::ifstream open_file(const std::filesystem::path& file);

} // namespace wormcast
