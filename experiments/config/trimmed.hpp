#pragma once

#include <string_view>

namespace wormcast {

/// The text without white space around it.
inline std::string_view trimmed(std::string_view text)
{
  constexpr std::string_view blanks = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

} // namespace wormcast
