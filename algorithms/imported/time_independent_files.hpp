#pragma once

#include <filesystem>
#include <vector>

namespace wormcast {

/// The files by rank of a trace that is a folder or a list; none where `trace` has lines itself. Throws InputError
/// where a file of the list or of a rank is missing, FileError where one cannot be read.
std::vector<std::filesystem::path> time_independent_files(const std::filesystem::path& trace);

} // namespace wormcast
