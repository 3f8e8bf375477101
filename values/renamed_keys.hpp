#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// The key that a user meant by `name`: where that is what one of `known` was called in version 0.2, its name now; else
/// nearest_name().
std::string meant_key(std::string_view name, std::span<const std::string> known);

} // namespace wormcast
