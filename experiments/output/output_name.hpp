#pragma once

#include <string>
#include <string_view>

namespace wormcast {

/// Throws InputError unless `name` is a name for files that other programs are given, such as gnuplot: letters, digits,
/// "_", "-", "+" and "." of ASCII, not empty, and neither "-" nor "." at the beginning. Such a name is no option, no
/// command of a shell ("<id", "|id") and no path. `where` is the beginning of the message ("c.toml:5: plot.name").
void check_output_name(std::string_view name, std::string_view where);

/// Returns `text` with "_" instead of every character that check_output_name refuses.
std::string as_output_name(std::string text);

} // namespace wormcast
