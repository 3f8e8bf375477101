#pragma once

#include <string>
#include <string_view>

namespace wormcast {

/// The text with everything that is no visible character of UTF-8 written as "\x1b": control characters, which would
/// steer a terminal and which XML does not allow, and bytes that are no UTF-8. For names that come from files.
std::string printable(std::string_view text);

/// What begins the lines of captured output in a message.
inline constexpr std::string_view line_indent = "    ";

/// The same with its line breaks where line_indent follows them: for messages with captured output in them, whose lines
/// cannot be taken for messages of their own.
std::string printable_message(std::string_view text);

/// Whether it is made of a-z, 0-9 and _ alone, one at least: what configurations and lists can name.
bool is_plain_name(std::string_view text);

} // namespace wormcast
