#include "wormcast/algorithms/schedule/goal_scanner.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <istream>

namespace wormcast {

namespace {

constexpr std::size_t longest_goal_word = 256;
constexpr int end_of_text = std::char_traits<char>::eof();

bool is_goal_letter(int c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_goal_digit(int c)
{
  return c >= '0' && c <= '9';
}

} // namespace

GoalScanner::GoalScanner(std::istream& in, std::string_view name) : in_(*in.rdbuf()), name_(name) {}

void GoalScanner::fail(std::uint32_t line, std::uint32_t column, const std::string& text) const
{
  throw InputError(fmt::format("{}:{}:{}: {}", name_, line, column, text));
}

GoalToken GoalScanner::next()
{
  skip_blanks();
  GoalToken token{.text = {}, .line = line_, .column = column_};
  const int c = peek();
  if (c == end_of_text) {
    return token;
  }
  if (c == '\n') {
    get();
    token.kind = GoalToken::Kind::line_end;
    token.text = "the end of the line";
  } else if (is_goal_letter(c)) {
    token.kind = GoalToken::Kind::word;
    read_word(token);
  } else if (is_goal_digit(c) || c == '-') {
    token.kind = GoalToken::Kind::number;
    read_number(token);
  } else if (c == ':' || c == '{' || c == '}') {
    token.kind = c == ':' ? GoalToken::Kind::colon : c == '{' ? GoalToken::Kind::open : GoalToken::Kind::close;
    token.text = static_cast<char>(get());
  } else {
    fail(token, c >= ' ' && c < 127 ? fmt::format("found \"{}\", expected a word or a number", static_cast<char>(c))
                                    : fmt::format("found the byte {}, expected a word or a number", c));
  }
  return token;
}

int GoalScanner::peek()
{
  return in_.sgetc();
}

int GoalScanner::get()
{
  const int c = in_.sbumpc();
  if (c == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
  return c;
}

void GoalScanner::skip_blanks()
{
  while (true) {
    const int c = peek();
    if (c == ' ' || c == '\t' || c == '\r') {
      get();
    } else if (c == '/') {
      skip_comment();
    } else {
      return;
    }
  }
}

void GoalScanner::skip_comment()
{
  const std::uint32_t line = line_;
  const std::uint32_t column = column_;
  get();
  const int second = peek();
  if (second == '/') {
    while (peek() != '\n' && peek() != end_of_text) {
      get();
    }
    return;
  }
  if (second != '*') {
    fail(line, column, "found \"/\", expected a word or a number");
  }
  get();
  for (int before = 0; before != '*' || peek() != '/';) {
    if (peek() == end_of_text) {
      fail(line, column, "a comment without an end");
    }
    before = get();
  }
  get();
}

void GoalScanner::read_word(GoalToken& token)
{
  while (is_goal_letter(peek()) || is_goal_digit(peek()) || peek() == '_') {
    token.text += static_cast<char>(get());
    if (token.text.size() > longest_goal_word) {
      fail(token, fmt::format("a word of more than {} letters", longest_goal_word));
    }
  }
}

void GoalScanner::read_number(GoalToken& token)
{
  if (peek() == '-') {
    token.text += static_cast<char>(get());
    token.negative = true;
  }
  bool any = false;
  while (is_goal_digit(peek())) {
    const auto digit = static_cast<std::uint64_t>(peek() - '0');
    if (token.number > (largest_goal_number - digit) / 10) {
      fail(token, "a number above 2^62");
    }
    token.number = 10 * token.number + digit;
    token.text += static_cast<char>(get());
    any = true;
  }
  if (!any) {
    fail(token, "found \"-\", expected a number");
  }
}

} // namespace wormcast
