#pragma once

#include <string_view>

namespace wormcast {

/// The program's version, as results and `wormcast --version` give it: "0.1.0".
std::string_view program_version();

} // namespace wormcast
