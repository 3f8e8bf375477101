#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace wormcast {

/// A word of a text with the line where it stands, counted from 1.
struct Word {
  std::string_view text;
  std::size_t line = 0;
};

/// Returns the words of each line that has any, in the order of the text, which must outlive them. Words are separated
/// by blanks, tabs and carriage returns; what follows the character `comment` in a line is left out.
std::vector<std::vector<Word>> words_by_line(std::string_view text, char comment);

} // namespace wormcast
