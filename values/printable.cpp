#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

/// Bytes of the visible character that `text` begins with; 0: there is none.
std::size_t character_size(std::string_view text)
{
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return first >= 0x20 && first != 0x7f ? 1 : 0;
  }
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) {
    return 0;
  }
  const auto continues = [](char part) { return (static_cast<unsigned char>(part) & 0xc0) == 0x80; };
  if (!std::ranges::all_of(text.substr(1, size - 1), continues)) {
    return 0;
  }
  const bool is_control = first == 0xc2 && byte(1) < 0xa0;
  const bool is_too_long = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool is_no_character = (first == 0xed && byte(1) >= 0xa0) || (first == 0xf4 && byte(1) >= 0x90) ||
                               (first == 0xef && byte(1) == 0xbf && byte(2) >= 0xbe);
  return is_control || is_too_long || is_no_character ? 0 : size;
}

} // namespace

std::string printable(std::string_view text)
{
  std::string shown;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else {
      shown += text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return shown;
}

std::string printable_message(std::string_view text)
{
  std::string shown;
  while (true) {
    std::size_t end = text.find('\n');
    while (end != std::string_view::npos && !text.substr(end + 1).starts_with(line_indent)) {
      end = text.find('\n', end + 1);
    }
    shown += printable(text.substr(0, end));
    if (end == std::string_view::npos) {
      return shown;
    }
    shown += '\n';
    text.remove_prefix(end + 1);
  }
}

bool is_plain_name(std::string_view text)
{
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

} // namespace wormcast
