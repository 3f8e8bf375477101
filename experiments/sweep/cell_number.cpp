#include "wormcast/experiments/sweep/cell_number.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <utility>

namespace wormcast {

namespace {

std::optional<double> finite_number(std::string_view text)
{
  const auto number = number_of_text<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::string> fraction_decimals(std::string_view cell)
{
  const std::size_t slash = cell.find('/');
  if (slash == std::string_view::npos) {
    return std::nullopt;
  }
  const auto numerator = finite_number(cell.substr(0, slash));
  const auto denominator = finite_number(cell.substr(slash + 1));
  if (!numerator || denominator.value_or(0) == 0) {
    return std::nullopt;
  }
  return fmt::format("{:.12g}", *numerator / *denominator);
}

} // namespace

std::optional<CellNumber> read_cell(std::string_view cell)
{
  if (finite_number(cell)) {
    return CellNumber{std::string(cell)};
  }
  if (cell.empty() || cell.front() < '0' || cell.front() > '9') {
    return std::nullopt;
  }
  if (auto decimals = fraction_decimals(cell)) {
    return CellNumber{*std::move(decimals)};
  }
  try {
    return CellNumber{format_microseconds(parse_time(cell)), CellUnit::microseconds};
  } catch (const InputError&) { // not a time
  }
  try {
    return CellNumber{fmt::format("{}", parse_bytes(cell)), CellUnit::bytes};
  } catch (const InputError&) { // not a size
  }
  return std::nullopt;
}

std::optional<std::string> cell_number(std::string_view cell)
{
  std::optional<CellNumber> number = read_cell(cell);
  return number ? std::optional(std::move(number->decimal)) : std::nullopt;
}

std::optional<double> cell_value(std::string_view cell)
{
  const std::optional<CellNumber> number = read_cell(cell);
  return number ? std::optional(decimal_value(number->decimal)) : std::nullopt;
}

Cell Cell::read(std::string text)
{
  const Type type = text.empty() ? Type::none : finite_number(text) ? Type::number : Type::text;
  return {type, std::move(text)};
}

double decimal_value(const std::string& decimal)
{
  return std::strtod(decimal.c_str(), nullptr);
}

} // namespace wormcast
