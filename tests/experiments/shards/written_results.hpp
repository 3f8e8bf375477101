#pragma once

#include "tests/experiments/program/commands/program.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace wormcast::testing {

/// All that a command has written below a folder, by path, but for its shards: the bytes of files, and all that stands
/// in results.sqlite but how long each point took.
std::map<std::string, std::string> written_results(const std::filesystem::path& folder);

/// A sweep of twelve points in two algorithms.
extern const std::string small_sweep;

/// Two curves under load, of listed loads or with a search for the saturation.
extern const std::string listed_load;
extern const std::string searched_load;

} // namespace wormcast::testing
