#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A number that is computed from the quantities of a run: columns of results.csv and decimals, joined by + - * / and
/// parentheses: "paired.contention_cost_us / (latency_from_source_us - paired.contention_cost_us)".
class RunExpression {
public:
  /// No expression: it has no value.
  RunExpression() = default;

  /// Throws InputError that says where the text goes wrong.
  explicit RunExpression(std::string_view text);

  const std::string& text() const { return text_; }

  /// The columns of which it is made, each once, in the order of the text.
  const std::vector<std::string>& columns() const { return columns_; }

  /// The value where `column` gives the columns' values; none where one of them has none, or a divisor is 0.
  std::optional<double> value(const std::function<std::optional<double>(const std::string& name)>& column) const;

private:
  friend class ExpressionParser;

  /// What is done with a stack of numbers, in this order.
  struct Operation {
    char symbol = 0;        ///< + - * /: of the two on top; 'n': puts a number there, 'c': a column's value
    double number = 0;      ///< of 'n'
    std::size_t column = 0; ///< of 'c': a position in columns_
  };

  std::string text_;
  std::vector<std::string> columns_;
  std::vector<Operation> operations_;
};

} // namespace wormcast
