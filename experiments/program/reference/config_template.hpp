#pragma once

#include <string>
#include <string_view>

namespace wormcast {

/// The template of `wormcast load`, besides those of the kinds of topologies.
inline constexpr std::string_view load_template_name = "load";

/// A configuration that runs as it is, of a broadcast on a topology of this kind or of traffic without end, with
/// every other key in a comment with its default and what it means. Throws InputError on an unknown kind.
std::string config_template(std::string_view kind);

} // namespace wormcast
