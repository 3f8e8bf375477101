#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// Returns the key that a user meant by `name`: if one of `known` had this name in version 0.2, its present name; else
/// nearest_name().
std::string meant_key(std::string_view name, std::span<const std::string> known);

} // namespace wormcast
