#pragma once

#include <string>
#include <string_view>

namespace wormcast {

/// The program's version, as results give it: "0.1.0".
std::string_view program_version();

/// What exactly runs, for people: version, commit ("unknown" outside of a git checkout, "-dirty" behind it where files
/// were changed), SimGrid's and the compiler's version, one a line.
std::string build_description();

} // namespace wormcast
