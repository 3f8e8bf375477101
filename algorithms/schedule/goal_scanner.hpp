#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace wormcast {

/// Numbers above are errors: sizes, times and tags of GOAL.
inline constexpr std::uint64_t largest_goal_number = std::uint64_t{1} << 62;

/// A token of the text with its position.
struct GoalToken {
  enum class Kind { word, number, colon, open, close, line_end, end };
  Kind kind = Kind::end;
  std::string text;
  std::uint64_t number = 0;
  bool negative = false;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Cuts a text in GOAL into tokens, without blanks and comments.
class GoalScanner {
public:
  /// `name` is the file's name in errors.
  GoalScanner(std::istream& in, std::string_view name);

  /// Returns the next token. Throws InputError if there is no token of GOAL.
  GoalToken next();

  /// Throws InputError "p.goal:3:8: TEXT".
  [[noreturn]] void fail(std::uint32_t line, std::uint32_t column, const std::string& text) const;
  [[noreturn]] void fail(const GoalToken& at, const std::string& text) const { fail(at.line, at.column, text); }

private:
  int peek();
  int get();
  void skip_blanks();
  void skip_comment();
  void read_word(GoalToken& token);
  void read_number(GoalToken& token);

  std::streambuf& in_;
  std::string name_;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

} // namespace wormcast
