#include "wormcast/experiments/sweep/decimal.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

/// The exact value of a finite number in decimal digits.
ExactNumber exact_number_of(std::string_view text)
{
  using boost::multiprecision::cpp_int;
  const bool is_negative = text.starts_with('-');
  cpp_int digits = 0;
  int exponent = 0;
  bool behind_point = false;
  for (std::size_t i = is_negative ? 1 : 0; i < text.size(); ++i) {
    if (text[i] == '.') {
      behind_point = true;
    } else if (text[i] == 'e' || text[i] == 'E') {
      std::string_view power = text.substr(i + 1);
      power.remove_prefix(power.starts_with('+') ? 1 : 0);
      exponent += number_of_text<int>(power).value_or(0);
      break;
    } else {
      digits = digits * 10 + (text[i] - '0');
      exponent -= behind_point ? 1 : 0;
    }
  }
  const cpp_int power = pow(cpp_int(10), static_cast<unsigned>(std::abs(exponent)));
  const ExactNumber number = exponent < 0 ? ExactNumber(digits, power) : ExactNumber(cpp_int(digits * power));
  return is_negative ? ExactNumber(-number) : number;
}

} // namespace

Decimal::Decimal(std::string text) : text_(std::move(text))
{
  const auto number = number_of_text<double>(text_);
  if (!number || !std::isfinite(*number)) {
    throw InputError(fmt::format("\"{}\" is not a number", text_));
  }
  nearest_ = *number;
  exact_ = exact_number_of(text_);
}

std::uint64_t Decimal::whole() const
{
  return boost::multiprecision::cpp_int(numerator(exact_) / denominator(exact_)).convert_to<std::uint64_t>();
}

} // namespace wormcast
