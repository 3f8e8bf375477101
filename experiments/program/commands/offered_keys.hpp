#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/program/commands/offers.hpp"

#include <optional>
#include <string_view>

namespace wormcast {

/// The configuration of a command line that is being typed: without the changes of --set and --unset where one of them
/// is not right yet; none where there is no such regular file, or no valid configuration in it.
std::optional<RawConfig> configuration_so_far(const ConfigSource& source);

/// What may follow --set: keys of `config` up to "=", and behind that the values of a key, where they can be counted.
/// The kind of topology, the algorithm and the router of the configuration decide which keys there are; without a
/// configuration all are.
Offers offered_settings(const std::optional<RawConfig>& config, std::string_view typed);

/// What may follow --unset: the keys and sections that `config` has; without a configuration all keys.
Offers offered_removals(const std::optional<RawConfig>& config, std::string_view typed);

} // namespace wormcast
