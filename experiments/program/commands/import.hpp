#pragma once

#include <string>
#include <vector>

namespace wormcast {

/// Names of the formats that imported_config() reads.
std::vector<std::string> imported_formats();

/// The configuration, in TOML, of the network that a configuration of BookSim2 describes, with comments on what it
/// leaves out. People are told the same on stderr. Throws InputError as import_booksim, and FileError.
std::string imported_config(const std::string& file);

} // namespace wormcast
