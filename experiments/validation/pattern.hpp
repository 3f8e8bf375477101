#pragma once

#include <string_view>

namespace wormcast {

/// Whether `text` is as `pattern` says, in which * stands for any characters, also for none.
bool matches_pattern(std::string_view pattern, std::string_view text);

} // namespace wormcast
