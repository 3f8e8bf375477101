#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// For registries: throws InputError if configurations could not use the name, or if it is in use. `article` and `what`
/// name the kind: "an", "algorithm".
void check_new_name(std::string_view article, std::string_view what, std::string_view name, bool taken);

/// Throws InputError: there is nothing of this name, with the nearest known name, or all of them.
[[noreturn]] void throw_unknown(std::string_view what, std::string_view name, std::span<const std::string> known);

} // namespace wormcast
