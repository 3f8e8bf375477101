#pragma once

#include "wormcast/experiments/config/config.hpp"

#include <toml++/toml.h>

#include <filesystem>
#include <string>

namespace wormcast {

/// Reads one key of [sweep]: a list of values, {from, to, factor} or {from, to, step}. `to` belongs to the range and
/// must be met exactly; times and sizes may have units. Values are checked against the declarations of `key`, which
/// must be known. Throws InputError with the origin of the value at fault.
SweepAxis read_axis(const std::filesystem::path& file, const std::string& key, const toml::node& node);

} // namespace wormcast
