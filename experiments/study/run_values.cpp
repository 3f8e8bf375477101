#include "wormcast/experiments/study/run_values.hpp"

#include "wormcast/experiments/sweep/cell_number.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::string_view number_digits = "0123456789.";

bool is_one_of(std::string_view characters, char c)
{
  return characters.find(c) != std::string_view::npos;
}

} // namespace

/// Makes the operations of an expression from its text.
class ExpressionParser {
public:
  ExpressionParser(std::string_view text, RunExpression& made) : text_(text), made_(made) {}

  void parse()
  {
    parse_sum(0);
    if (at_ < text_.size()) {
      fail("an operator");
    }
  }

private:
  [[noreturn]] void fail(std::string_view expected) const
  {
    throw InputError(fmt::format("found {} in \"{}\", expected {}",
                                 at_ < text_.size() ? fmt::format("\"{}\"", text_.substr(at_)) : "the end", text_,
                                 expected));
  }

  void skip_blanks()
  {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }

  /// The next character, where it is one of `characters`, which is then behind; else 0.
  char take(std::string_view characters)
  {
    skip_blanks();
    return at_ < text_.size() && is_one_of(characters, text_[at_]) ? text_[at_++] : char{0};
  }

  std::string take_all(std::string_view characters)
  {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
    return std::string(text_.substr(begin, at_ - begin));
  }

  void parse_sum(int depth)
  {
    parse_product(depth);
    while (const char symbol = take("+-")) {
      parse_product(depth);
      made_.operations_.push_back({.symbol = symbol});
    }
  }

  void parse_product(int depth)
  {
    parse_factor(depth);
    while (const char symbol = take("*/")) {
      parse_factor(depth);
      made_.operations_.push_back({.symbol = symbol});
    }
  }

  void parse_factor(int depth)
  {
    constexpr int deepest = 16;
    if (take("(") != 0) {
      if (depth == deepest) {
        fail(fmt::format("at most {} parentheses in each other", deepest));
      }
      parse_sum(depth + 1);
      if (take(")") == 0) {
        fail("\")\"");
      }
      return;
    }
    if (at_ < text_.size() && is_one_of(number_digits, text_[at_])) {
      const std::string number = take_all(number_digits);
      const std::optional<double> value = cell_value(number);
      if (!value) {
        throw InputError(fmt::format("found \"{}\" in \"{}\", expected a number", number, text_));
      }
      made_.operations_.push_back({.symbol = 'n', .number = *value});
      return;
    }
    if (at_ == text_.size() || !is_one_of(name_letters, text_[at_])) {
      fail("a column, a number or \"(\"");
    }
    const std::string name = take_all(std::string(name_letters) + std::string(number_digits));
    const auto known = std::ranges::find(made_.columns_, name);
    const auto column = static_cast<std::size_t>(known - made_.columns_.begin());
    if (known == made_.columns_.end()) {
      made_.columns_.push_back(name);
    }
    made_.operations_.push_back({.symbol = 'c', .column = column});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  RunExpression& made_;
};

RunExpression::RunExpression(std::string_view text) : text_(text)
{
  ExpressionParser(text_, *this).parse();
}

std::optional<double>
RunExpression::value(const std::function<std::optional<double>(const std::string& name)>& column) const
{
  std::vector<double> stack;
  for (const Operation& operation : operations_) {
    if (operation.symbol == 'n') {
      stack.push_back(operation.number);
      continue;
    }
    if (operation.symbol == 'c') {
      const std::optional<double> value = column(columns_[operation.column]);
      if (!value) {
        return std::nullopt;
      }
      stack.push_back(*value);
      continue;
    }
    const double second = stack.back();
    stack.pop_back();
    double& first = stack.back();
    switch (operation.symbol) {
    case '+':
      first += second;
      break;
    case '-':
      first -= second;
      break;
    case '*':
      first *= second;
      break;
    default:
      if (second == 0) {
        return std::nullopt;
      }
      first /= second;
    }
  }
  return stack.empty() ? std::nullopt : std::optional(stack.back());
}

} // namespace wormcast
