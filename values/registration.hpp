#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// For lists to which others can add: throws InputError where configurations could not name it, or the name is taken.
/// `article` and `what` say what it is: "an", "algorithm".
void check_new_name(std::string_view article, std::string_view what, std::string_view name, bool taken);

/// Throws InputError: there is none of this name, with the nearest known one, or all of them.
[[noreturn]] void throw_unknown(std::string_view what, std::string_view name, std::span<const std::string> known);

} // namespace wormcast
