#pragma once

#include "wormcast/experiments/config/config.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace wormcast {

/// The axis that `count` repetitions are; `name` is what asks for them.
SweepAxis repetitions(const RawConfig& config, const Origin& origin, std::string_view name, std::int64_t count);

/// Takes out a key, a section, "sweep", "case" or "plot", which must be there (--unset).
void apply_removal(RawConfig& config, const std::string& name);

/// Sets a key as --set does: "network.startup=10us". Texts are taken as they are where the parameter is a text.
/// "sweep.KEY=VALUES" is an axis, "plot.KEY=VALUE" a key of plots.
void apply_override(RawConfig& config, const std::string& text);

} // namespace wormcast
