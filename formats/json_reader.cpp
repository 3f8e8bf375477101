#include "wormcast/formats/json_reader.hpp"

#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>

namespace wormcast {

namespace {

constexpr std::size_t window_size = std::size_t{1} << 18;

bool is_digit(int character)
{
  return character >= '0' && character <= '9';
}

bool is_space(int character)
{
  return character == ' ' || character == '\n' || character == '\r' || character == '\t';
}

bool is_plain(char character)
{
  return character >= 0x20 && character < 0x7f && character != '"' && character != '\\';
}

} // namespace

JsonReader::JsonReader(std::istream& in, std::string_view name, std::size_t deepest)
    : in_(in), name_(name), deepest_(deepest), window_(std::make_unique<char[]>(window_size + 1)), at_(window_.get()),
      end_(window_.get())
{
  *end_ = '\0';
  require(3);
  if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with("\xef\xbb\xbf")) {
    at_ += 3; // byte order mark
  }
}

// Drops the text already read and fills the window. Returns whether there is text to read.
bool JsonReader::refill()
{
  const auto left = static_cast<std::size_t>(end_ - at_);
  if (at_end_of_file_ || left == window_size) {
    return left > 0;
  }
  const auto lines = std::count(static_cast<const char*>(window_.get()), at_, '\n');
  lines_ += static_cast<std::uint64_t>(lines);
  line_ = lines > 0 ? line_begin() : line_;
  dropped_ = offset();
  std::memmove(window_.get(), at_, left);
  at_ = window_.get();
  in_.read(window_.get() + left, static_cast<std::streamsize>(window_size - left));
  if (in_.bad()) {
    throw FileError(fmt::format("{}: cannot be read to its end", name_));
  }
  end_ = window_.get() + left + in_.gcount();
  *end_ = '\0';
  at_end_of_file_ = !in_;
  return at_ != end_;
}

// Where the line of the next character begins.
std::uint64_t JsonReader::line_begin() const
{
  const char* begin = at_;
  while (begin != window_.get() && begin[-1] != '\n') {
    --begin;
  }
  return begin == window_.get() ? line_ : offset() - static_cast<std::uint64_t>(at_ - begin);
}

// Lets the window hold so many characters from here on, unless the text ends before.
void JsonReader::require(std::size_t size)
{
  if (static_cast<std::size_t>(end_ - at_) < size) {
    refill();
  }
}

int JsonReader::peek()
{
  return at_ != end_ || refill() ? static_cast<unsigned char>(*at_) : no_character;
}

void JsonReader::skip_space()
{
  while (is_space(*at_) || (at_ == end_ && refill())) {
    if (!is_space(*at_)) {
      return;
    }
    ++at_;
  }
}

int JsonReader::peek_value()
{
  skip_space();
  return peek();
}

JsonReader::Kind JsonReader::kind()
{
  switch (peek_value()) {
  case '{':
    return Kind::object;
  case '[':
    return Kind::list;
  case '"':
    return Kind::text;
  case 't':
  case 'f':
  case 'n':
    return Kind::word;
  default:
    if (*at_ != '-' && !is_digit(*at_)) {
      malformed("a value");
    }
    return Kind::number;
  }
}

void JsonReader::enter(char opening)
{
  if (peek_value() != opening) {
    malformed(opening == '{' ? "an object" : "a list");
  }
  if (depth_ == deepest_) {
    throw SyntaxError(fmt::format("{}: more than {} lists and objects inside of one another", position(), deepest_));
  }
  ++at_;
  ++depth_;
  first_ = true;
}

void JsonReader::leave()
{
  ++at_;
  --depth_;
  first_ = false;
}

std::optional<std::string_view> JsonReader::next_key()
{
  int next = peek_value();
  if (next == '}') {
    leave();
    return std::nullopt;
  }
  if (!first_) {
    if (next != ',') {
      malformed("',' or '}'");
    }
    ++at_;
    next = peek_value();
  }
  if (next != '"') {
    malformed("a key in quotes");
  }
  first_ = false;
  constexpr std::size_t usual = 32;
  require(usual);
  const char* end = at_ + 1;
  while (is_plain(*end)) {
    ++end;
  }
  if (end + 1 < end_ && end[0] == '"' && end[1] == ':') {
    const std::string_view key(at_ + 1, static_cast<std::size_t>(end - at_ - 1));
    at_ = end + 2;
    return key;
  }
  key_ = text();
  if (peek_value() != ':') {
    malformed("':' behind a key");
  }
  ++at_;
  return key_;
}

bool JsonReader::next_item()
{
  const int next = peek_value();
  if (next == ']') {
    leave();
    return false;
  }
  if (!first_) {
    if (next != ',') {
      malformed("',' or ']'");
    }
    ++at_;
  }
  first_ = false;
  return true;
}

const char* JsonReader::skip_digits(const char* from) const
{
  while (is_digit(*from)) {
    ++from;
  }
  return from;
}

// The 0 behind the window ends a number that may go on: the caller requires enough characters for one that does not.
std::optional<std::uint64_t> JsonReader::whole_number_at(const char*& at) const
{
  constexpr std::ptrdiff_t most_digits = 19;
  std::uint64_t number = 0;
  const char* next = at;
  for (; is_digit(*next); ++next) {
    number = number * 10 + static_cast<std::uint64_t>(*next - '0');
  }
  const std::ptrdiff_t length = next - at;
  const bool is_whole = *next != '.' && *next != 'e' && *next != 'E' && in_window(next);
  if (length == 0 || length > most_digits || (length > 1 && *at == '0') || !is_whole) {
    return std::nullopt;
  }
  at = next;
  return number;
}

std::optional<std::uint64_t> JsonReader::whole_number()
{
  skip_space();
  require(32);
  return whole_number_at(at_);
}

std::optional<std::string_view> JsonReader::plain_decimal(std::size_t longest)
{
  skip_space();
  require(64);
  const char* end = skip_digits(at_);
  if (end == at_ || (end - at_ > 1 && *at_ == '0')) {
    return std::nullopt;
  }
  if (*end == '.') {
    const char* const fraction = end + 1;
    end = skip_digits(fraction);
    if (end == fraction) {
      return std::nullopt;
    }
  }
  const std::string_view text(at_, static_cast<std::size_t>(end - at_));
  if (text.size() > longest || *end == 'e' || *end == 'E' || !in_window(end)) {
    return std::nullopt;
  }
  at_ = end;
  return text;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> JsonReader::pair_of_whole_numbers()
{
  skip_space();
  require(64);
  const char* next = at_;
  const auto take = [&](char expected) {
    while (is_space(*next)) {
      ++next;
    }
    const bool found = *next == expected;
    next += found ? 1 : 0;
    while (found && is_space(*next)) {
      ++next;
    }
    return found;
  };
  if (depth_ == deepest_ || !take('[')) {
    return std::nullopt;
  }
  const auto one = whole_number_at(next);
  if (!one || !take(',')) {
    return std::nullopt;
  }
  const auto other = whole_number_at(next);
  while (is_space(*next)) {
    ++next;
  }
  if (!other || *next != ']') {
    return std::nullopt;
  }
  at_ = next + 1;
  return std::pair(*one, *other);
}

nlohmann::json JsonReader::value()
{
  using nlohmann::json;
  switch (kind()) {
  case Kind::object: {
    json object = json::object();
    enter_object();
    while (const auto found = next_key()) {
      const std::string key(*found);
      if (object.contains(key)) {
        refuse_repeated(key);
      }
      object[key] = value();
    }
    return object;
  }
  case Kind::list: {
    json list = json::array();
    enter_list();
    while (next_item()) {
      list.push_back(value());
    }
    return list;
  }
  case Kind::text:
    return text();
  case Kind::word: {
    const char first = *at_;
    word(first == 't' ? "true" : first == 'f' ? "false" : "null");
    return first == 'n' ? json(nullptr) : json(first == 't');
  }
  case Kind::number:
    break;
  }
  const std::string digits = number();
  if (const auto whole = number_of_text<std::uint64_t>(digits)) {
    return *whole;
  }
  if (const auto whole = number_of_text<std::int64_t>(digits)) {
    return *whole;
  }
  return json::binary(std::vector<std::uint8_t>(digits.begin(), digits.end()));
}

std::string JsonReader::number()
{
  std::string text;
  const auto take = [&] {
    text += *at_;
    ++at_;
  };
  if (peek() == '-') {
    take();
  }
  if (peek() == '0') {
    take();
  } else {
    digits(text);
  }
  if (peek() == '.') {
    take();
    digits(text);
  }
  if (peek() == 'e' || peek() == 'E') {
    take();
    if (peek() == '+' || peek() == '-') {
      take();
    }
    digits(text);
  }
  return text;
}

void JsonReader::digits(std::string& text)
{
  if (!is_digit(peek())) {
    malformed("a digit");
  }
  while (is_digit(peek())) {
    const char* const end = skip_digits(at_);
    text.append(at_, end);
    at_ = end;
  }
}

void JsonReader::word(std::string_view expected)
{
  for (const char letter : expected) {
    if (peek() != letter) {
      malformed(fmt::format("the word {}", expected));
    }
    ++at_;
  }
}

std::string_view JsonReader::ahead(std::size_t size)
{
  skip_space();
  require(size);
  return {at_, static_cast<std::size_t>(end_ - at_)};
}

std::optional<std::string_view> JsonReader::since(std::uint64_t offset) const
{
  if (offset < dropped_) {
    return std::nullopt;
  }
  const char* const begin = window_.get() + (offset - dropped_);
  return std::string_view(begin, static_cast<std::size_t>(at_ - begin));
}

void JsonReader::finish()
{
  if (peek_value() != no_character) {
    malformed("the end of the file");
  }
}

void JsonReader::refuse_repeated(std::string_view key)
{
  throw SyntaxError(fmt::format("{}: the key \"{}\" occurs twice in one object", position(), key));
}

// "FILE:LINE:COLUMN" of the next character.
std::string JsonReader::position() const
{
  const auto lines = static_cast<std::uint64_t>(std::count(static_cast<const char*>(window_.get()), at_, '\n'));
  return fmt::format("{}:{}:{}", name_, lines_ + lines + 1, offset() - line_begin() + 1);
}

void JsonReader::malformed(std::string_view expected)
{
  const int next = peek();
  const std::string found = next == no_character          ? "the end of the file"
                            : next >= 0x20 && next < 0x7f ? fmt::format("'{}'", static_cast<char>(next))
                                                          : fmt::format("the byte 0x{:02x}", next);
  throw SyntaxError(fmt::format("{}: malformed JSON: found {}, expected {}", position(), found, expected));
}

} // namespace wormcast
