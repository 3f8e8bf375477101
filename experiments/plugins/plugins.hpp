#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Loads plug-ins (algorithms/plugin.hpp), which register their topologies and algorithms; it must be called before
/// these are read. A name is a file, or a library that the system's loader finds by this name; a loaded plug-in is not
/// loaded again. Throws InputError with the name and the reason: no such file, no plug-in, another version, a name that
/// is in use.
void load_plugins(std::span<const std::string> names);

/// Files of the plug-ins that are loaded.
std::span<const std::filesystem::path> loaded_plugins();

/// The names in a list such as PATH: "a.so:b.so".
std::vector<std::string> plugin_names(std::string_view list);

} // namespace wormcast
