#pragma once

#include <string>
#include <string_view>

namespace wormcast {

/// Returns the text with everything that is not a visible character of UTF-8 written as "\x1b": control characters,
/// which would control a terminal and which XML does not allow, and bytes that are not UTF-8. For names from files.
std::string printable(std::string_view text);

/// What begins the lines of captured output in a message.
inline constexpr std::string_view line_indent = "    ";

/// The same with its line breaks where line_indent follows them: for messages with captured output in them, whose lines
/// cannot be taken for messages of their own.
std::string printable_message(std::string_view text);

/// Returns whether the name consists of at least one of a-z, 0-9 and _ and nothing else: such names can be used in
/// configurations and lists.
bool is_plain_name(std::string_view text);

} // namespace wormcast
