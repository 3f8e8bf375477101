#pragma once

#include "wormcast/experiments/config/config.hpp"

#include <toml++/toml.h>

#include <filesystem>
#include <span>
#include <string>

namespace wormcast {

/// read_config() of the tables that are in `file`, which errors name.
RawConfig read_config_table(const std::filesystem::path& file, const toml::table& table,
                            std::span<const std::string> overrides = {}, std::span<const std::string> removals = {});

} // namespace wormcast
