#include "wormcast/algorithms/imported/time_independent_lines.hpp"

#include <algorithm>

namespace wormcast {

void split_words(std::string_view line, std::vector<std::string_view>& words)
{
  static constexpr std::string_view blanks = " \t\r";
  words.clear();
  for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blanks, end);
  }
}

bool is_comment(std::string_view line)
{
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

std::string_view first_line(std::string_view text)
{
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!is_comment(line)) {
      return line;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

} // namespace wormcast
