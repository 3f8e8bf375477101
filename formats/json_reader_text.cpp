// Texts in quotes.

#include "wormcast/formats/json_reader.hpp"

namespace wormcast {

namespace {

// The character's code in UTF-8.
void append_code(std::string& text, unsigned code)
{
  const auto add = [&](unsigned byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xc0 | code >> 6);
    add(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    add(0xe0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3f));
    add(0x80 | (code & 0x3f));
  } else {
    add(0xf0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3f));
    add(0x80 | (code >> 6 & 0x3f));
    add(0x80 | (code & 0x3f));
  }
}

} // namespace

std::string JsonReader::text()
{
  std::string text;
  ++at_;
  for (int next = peek(); next != '"'; next = peek()) {
    if (next == '\\') {
      append_escaped(text);
    } else if (next >= 0x80) {
      append_utf8(text);
    } else if (next < 0x20) { // or the end
      malformed("the rest of a text and its closing quote");
    } else {
      text += *at_;
      ++at_;
    }
  }
  ++at_;
  return text;
}

void JsonReader::append_escaped(std::string& text)
{
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  ++at_;
  const int letter = peek();
  const std::size_t known = letter <= 0 ? std::string_view::npos : letters.find(static_cast<char>(letter));
  if (known != std::string_view::npos) {
    text += meanings[known];
    ++at_;
    return;
  }
  if (letter != 'u') {
    malformed("one of \"\\/bfnrtu behind a backslash");
  }
  ++at_;
  unsigned code = hexadecimal();
  if (code >= 0xd800 && code < 0xdc00) { // the first half of a pair
    word("\\u");
    const unsigned low = hexadecimal();
    if (low < 0xdc00 || low >= 0xe000) {
      malformed("\\uDC00 to \\uDFFF before this, the second half of a character");
    }
    code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
  } else if (code >= 0xdc00 && code < 0xe000) {
    malformed("\\uD800 to \\uDBFF before this, the first half of a character");
  }
  append_code(text, code);
}

unsigned JsonReader::hexadecimal()
{
  unsigned code = 0;
  for (int i = 0; i < 4; ++i) {
    const int next = peek();
    constexpr std::string_view digits = "0123456789abcdefABCDEF";
    const std::size_t digit = next <= 0 ? std::string_view::npos : digits.find(static_cast<char>(next));
    if (digit == std::string_view::npos) {
      malformed("four hexadecimal digits");
    }
    code = code << 4 | static_cast<unsigned>(digit < 16 ? digit : digit - 6);
    ++at_;
  }
  return code;
}

void JsonReader::append_utf8(std::string& text)
{
  constexpr std::string_view expected = "UTF-8";
  const auto first = static_cast<unsigned>(peek());
  const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
  if (first < 0xc2 || first > 0xf4) {
    malformed(expected);
  }
  text += *at_;
  ++at_;
  // Of too long forms, surrogates and codes above 0x10ffff, the second byte tells.
  unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  for (int i = 0; i < more; ++i) {
    const int next = peek();
    if (next == no_character || static_cast<unsigned>(next) < least || static_cast<unsigned>(next) > most) {
      malformed(expected);
    }
    text += *at_;
    ++at_;
    least = 0x80;
    most = 0xbf;
  }
}

} // namespace wormcast
