#include "wormcast/topologies/graph_files/word_lines.hpp"

#include <algorithm>
#include <utility>

namespace wormcast {

std::vector<std::vector<Word>> words_by_line(std::string_view text, char comment)
{
  std::vector<std::vector<Word>> lines;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find(comment));
    std::vector<Word> words;
    constexpr std::string_view blanks = " \t\r";
    for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;
         at = line.find_first_not_of(blanks, at)) {
      const std::size_t stop = std::min(line.find_first_of(blanks, at), line.size());
      words.push_back({line.substr(at, stop - at), number});
      at = stop;
    }
    if (!words.empty()) {
      lines.push_back(std::move(words));
    }
  }
  return lines;
}

} // namespace wormcast
