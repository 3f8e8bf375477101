#include "wormcast/experiments/validation/pattern.hpp"

#include <cstddef>
#include <optional>

namespace wormcast {

bool matches_pattern(std::string_view pattern, std::string_view text)
{
  // Where the text behind the last star does not fit, the star takes one character more; what earlier stars took stays.
  std::size_t at = 0;
  std::size_t in_text = 0;
  std::optional<std::size_t> behind_star;
  std::size_t taken_to = 0;
  while (in_text < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      behind_star = ++at;
      taken_to = in_text;
    } else if (at < pattern.size() && pattern[at] == text[in_text]) {
      ++at;
      ++in_text;
    } else if (behind_star) {
      at = *behind_star;
      in_text = ++taken_to;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

} // namespace wormcast
