#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Loads plug-ins (algorithms/plugin.hpp), which register their topologies and algorithms; to be called before anything
/// asks for those. A name is a file, or else what the system's loader finds under it; a plug-in that is there already
/// is not loaded again. Throws InputError with the name and the reason: no such file, no plug-in, another version, a
/// name that is taken.
void load_plugins(std::span<const std::string> names);

/// Files of the plug-ins that are loaded.
std::span<const std::filesystem::path> loaded_plugins();

/// The names in a list such as PATH: "a.so:b.so".
std::vector<std::string> plugin_names(std::string_view list);

} // namespace wormcast
