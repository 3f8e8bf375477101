#include "wormcast/values/quantity.hpp"

#include "wormcast/values/input_error.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <span>

namespace wormcast {

namespace {

using boost::multiprecision::cpp_int;

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

constexpr std::array<Unit, 5> time_units{
    {{"s", 1'000'000'000'000}, {"ms", 1'000'000'000}, {"us", 1'000'000}, {"ns", 1'000}, {"ps", 1}}};

constexpr std::array<Unit, 10> byte_units{{{"", 1},
                                           {"B", 1},
                                           {"kB", 1'000},
                                           {"MB", 1'000'000},
                                           {"GB", 1'000'000'000},
                                           {"TB", 1'000'000'000'000},
                                           {"KiB", std::int64_t{1} << 10},
                                           {"MiB", std::int64_t{1} << 20},
                                           {"GiB", std::int64_t{1} << 30},
                                           {"TiB", std::int64_t{1} << 40}}};

/// Both characters that are written for micro, U+00B5 and U+03BC.
constexpr std::array<std::string_view, 2> micro_signs{"\u00b5s", "\u03bcs"};

constexpr std::string_view expected_time = "expected a time with a unit (s, ms, us, ns, ps), such as \"150us\"";
constexpr std::string_view expected_bytes =
    "expected a number of bytes, alone or with a unit (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB), such as \"4KiB\"";

/// Longer numbers are refused, so that exact arithmetic on them stays cheap.
constexpr std::size_t longest_number = 100;

/// A decimal number digits * 10^exponent followed by a unit.
struct Decimal {
  std::string digits;
  int exponent = 0;
  std::string_view unit;
};

bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

std::size_t count_digits(std::string_view text)
{
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) {
    ++count;
  }
  return count;
}

/// Splits "1.5e3 us"; nothing where the text does not begin with a number that is not negative.
std::optional<Decimal> split_number(std::string_view text)
{
  if (text.size() > longest_number) {
    return std::nullopt;
  }
  Decimal decimal;
  const std::size_t whole = count_digits(text);
  decimal.digits = text.substr(0, whole);
  text.remove_prefix(whole);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::size_t fraction = count_digits(text);
    if (fraction == 0) {
      return std::nullopt;
    }
    decimal.digits += text.substr(0, fraction);
    decimal.exponent = -static_cast<int>(fraction);
    text.remove_prefix(fraction);
  }
  if (whole == 0) {
    return std::nullopt;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    std::string_view rest = text.substr(1);
    const bool negative = rest.starts_with('-');
    if (negative || rest.starts_with('+')) {
      rest.remove_prefix(1);
    }
    const std::size_t length = count_digits(rest);
    if (length == 0) {
      return std::nullopt;
    }
    int exponent = 0;
    for (const char digit : rest.substr(0, length)) {
      exponent = std::min(10 * exponent + (digit - '0'), 10'000);
    }
    decimal.exponent += negative ? -exponent : exponent;
    text = rest.substr(length);
  }
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  decimal.unit = text;
  return decimal;
}

enum class Exactness { exact, fraction, too_large };

struct Product {
  Exactness exactness = Exactness::exact;
  std::uint64_t value = 0;
};

/// digits * 10^exponent * factor as a whole number of at most `maximum`.
Product multiply_exactly(const Decimal& decimal, std::int64_t factor, std::uint64_t maximum)
{
  const cpp_int digits(
      decimal.digits.substr(std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size() - 1)));
  if (digits == 0) {
    return {};
  }
  constexpr int largest_exponent = 2 * static_cast<int>(longest_number);
  if (decimal.exponent > largest_exponent) {
    return {Exactness::too_large};
  }
  if (decimal.exponent < -largest_exponent) {
    return {Exactness::fraction};
  }
  const cpp_int power = boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(std::abs(decimal.exponent)));
  cpp_int value = digits * factor;
  if (decimal.exponent >= 0) {
    value *= power;
  } else if (value % power != 0) {
    return {Exactness::fraction};
  } else {
    value /= power;
  }
  if (value > maximum) {
    return {Exactness::too_large};
  }
  return {Exactness::exact, value.convert_to<std::uint64_t>()};
}

std::string lower_case(std::string_view text)
{
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// "; did you mean kB or KiB?" for KB: the units that differ in the case of their letters, or in an i, alone.
std::string unit_suggestion(std::string_view found, std::span<const Unit> units)
{
  const auto skeleton = [](std::string_view name) {
    std::string letters = lower_case(name);
    std::erase(letters, 'i');
    return letters;
  };
  std::string near;
  for (const Unit& unit : units) {
    if (!unit.name.empty() && skeleton(unit.name) == skeleton(found)) {
      near += fmt::format("{}{}", near.empty() ? "" : " or ", unit.name);
    }
  }
  return near.empty() ? near : fmt::format("; did you mean {}?", near);
}

[[noreturn]] void throw_no_number(std::string_view text, std::string_view expected)
{
  const bool negative = text.size() > 1 && text[0] == '-' && (is_digit(text[1]) || text[1] == '.');
  throw InputError(fmt::format("\"{}\" is {}; {}", text, negative ? "negative" : "not a number with a unit", expected));
}

[[noreturn]] void throw_no_unit(std::string_view text, std::string_view unit, std::span<const Unit> units,
                                std::string_view expected)
{
  throw InputError(unit.empty() ? fmt::format("\"{}\" has no unit; {}", text, expected)
                                : fmt::format("\"{}\" has the unknown unit \"{}\"; {}{}", text, unit, expected,
                                              unit_suggestion(unit, units)));
}

/// The number with its unit. Throws InputError where there is none.
Decimal read_number(std::string_view text, std::string_view expected)
{
  std::optional<Decimal> decimal = split_number(text);
  if (!decimal) {
    throw_no_number(text, expected);
  }
  if (std::ranges::find(micro_signs, decimal->unit) != micro_signs.end()) {
    decimal->unit = "us";
  }
  return *std::move(decimal);
}

std::uint64_t parse_quantity(std::string_view text, std::span<const Unit> units, std::uint64_t maximum,
                             std::string_view expected, std::string_view smallest_unit, std::string_view limit)
{
  const Decimal decimal = read_number(text, expected);
  for (const Unit& unit : units) {
    if (unit.name == decimal.unit) {
      const Product product = multiply_exactly(decimal, unit.factor, maximum);
      if (product.exactness == Exactness::fraction) {
        throw InputError(fmt::format("\"{}\" is not a whole number of {}; {}", text, smallest_unit, expected));
      }
      if (product.exactness == Exactness::too_large) {
        throw InputError(fmt::format("\"{}\" is too large; expected at most {}", text, limit));
      }
      return product.value;
    }
  }
  throw_no_unit(text, decimal.unit, units, expected);
}

std::uint64_t magnitude(std::int64_t value)
{
  return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

/// Removes the zeros behind the last other decimal, and the point where nothing is left behind it.
std::string without_trailing_zeros(std::string decimal)
{
  decimal.erase(decimal.find_last_not_of('0') + 1);
  if (decimal.ends_with('.')) {
    decimal.pop_back();
  }
  return decimal;
}

} // namespace

Time parse_time(std::string_view text)
{
  constexpr std::uint64_t maximum = std::numeric_limits<std::int64_t>::max();
  const std::uint64_t picoseconds =
      parse_quantity(text, time_units, maximum, expected_time, "picoseconds", "9223372s (2^63 ps)");
  return {static_cast<std::int64_t>(picoseconds)};
}

ByteTime parse_byte_time(std::string_view text)
{
  constexpr std::size_t most_decimals = 6;
  constexpr std::int64_t parts = 1'000'000; // of a picosecond
  constexpr std::uint64_t maximum = std::numeric_limits<std::int64_t>::max();
  const Decimal decimal = read_number(text, expected_time);
  for (const Unit& unit : time_units) {
    if (unit.name == decimal.unit) {
      const Product whole = multiply_exactly(decimal, unit.factor, maximum);
      const Product product =
          whole.exactness == Exactness::fraction ? multiply_exactly(decimal, unit.factor * parts, maximum) : whole;
      if (product.exactness == Exactness::too_large) {
        throw InputError(
            fmt::format("\"{}\" is too large; expected at most 9223372s (2^63 ps), and with a fraction of a "
                        "picosecond at most 9s",
                        text));
      }
      if (product.exactness == Exactness::fraction) {
        throw InputError(
            fmt::format("\"{}\" has more than {} decimals of a picosecond; {}", text, most_decimals, expected_time));
      }
      const auto value = static_cast<std::int64_t>(product.value);
      return whole.exactness == Exactness::exact ? ByteTime(value) : ByteTime(value, parts);
    }
  }
  throw_no_unit(text, decimal.unit, time_units, expected_time);
}

std::string format_byte_time(ByteTime time)
{
  if (time.bytes() == 1) {
    return format_time(Time{time.picoseconds()});
  }
  constexpr std::int64_t parts = 1'000'000;
  if (parts % time.bytes() != 0) {
    return fmt::format("{}/{}ps", time.picoseconds(), time.bytes());
  }
  const std::int64_t fraction = time.picoseconds() % time.bytes() * (parts / time.bytes());
  return without_trailing_zeros(fmt::format("{}.{:06}", time.picoseconds() / time.bytes(), fraction)) + "ps";
}

std::optional<Time> time_of_bytes(ByteTime per_byte, std::uint64_t bytes)
{
  __extension__ using Wide = unsigned __int128;
  const auto divisor = static_cast<std::uint64_t>(per_byte.bytes());
  const Wide time = (Wide{bytes} * static_cast<std::uint64_t>(per_byte.picoseconds()) + divisor - 1) / divisor;
  return time > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
             ? std::nullopt
             : std::optional(Time{static_cast<std::int64_t>(time)});
}

std::string format_time(Time time)
{
  for (const Unit& unit : time_units) {
    if (time.picoseconds % unit.factor == 0) {
      return fmt::format("{}{}", time.picoseconds / unit.factor, unit.name);
    }
  }
  return fmt::format("{}ps", time.picoseconds);
}

std::string format_microseconds(Time time)
{
  constexpr std::uint64_t picoseconds = 1'000'000;
  const std::uint64_t value = magnitude(time.picoseconds);
  return without_trailing_zeros(
      fmt::format("{}{}.{:06}", time.picoseconds < 0 ? "-" : "", value / picoseconds, value % picoseconds));
}

std::string short_time(Time time)
{
  const std::string whole = format_time(time);
  const std::string microseconds = format_microseconds(time) + "us";
  return microseconds.size() <= whole.size() ? microseconds : whole;
}

std::string short_byte_time(ByteTime time)
{
  return time.bytes() == 1 ? short_time(Time{time.picoseconds()}) : format_byte_time(time);
}

std::string format_microseconds(TotalTime time)
{
  constexpr std::uint64_t picoseconds = 1'000'000;
  std::string whole;
  TotalTime::Picoseconds left = time.picoseconds / picoseconds;
  do {
    whole += static_cast<char>('0' + static_cast<int>(left % 10));
    left /= 10;
  } while (left > 0);
  std::reverse(whole.begin(), whole.end());
  return without_trailing_zeros(
      fmt::format("{}.{:06}", whole, static_cast<std::uint64_t>(time.picoseconds % picoseconds)));
}

std::uint64_t parse_bytes(std::string_view text)
{
  return parse_quantity(text, byte_units, std::uint64_t{1} << 62, expected_bytes, "bytes",
                        "4611686018427387904 (2^62)");
}

std::string format_bytes(std::uint64_t bytes)
{
  constexpr std::array<Unit, 3> binary_units{
      {{"GiB", std::int64_t{1} << 30}, {"MiB", std::int64_t{1} << 20}, {"KiB", std::int64_t{1} << 10}}};
  for (const Unit& unit : binary_units) {
    const auto factor = static_cast<std::uint64_t>(unit.factor);
    const std::uint64_t thousandths = bytes % factor * 1000;
    if (bytes >= factor && thousandths % factor == 0) {
      return fmt::format("{} {}", without_trailing_zeros(fmt::format("{}.{:03}", bytes / factor, thousandths / factor)),
                         unit.name);
    }
  }
  return fmt::format("{} B", bytes);
}

} // namespace wormcast
