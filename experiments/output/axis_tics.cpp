#include "wormcast/experiments/output/axis_tics.hpp"

#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

namespace wormcast {

namespace {

constexpr std::size_t least_labels = 3;

/// A number as mantissa * base^exponent.
struct TicPlace {
  double mantissa = 1;
  int exponent = 0;

  double decimal() const { return mantissa * std::pow(10.0, exponent); }
};

bool within(double value, AxisRange range)
{
  constexpr double rounding = 1e-9;
  const double slack = rounding * std::max(std::fabs(range.low), std::fabs(range.high));
  return value >= range.low - slack && value <= range.high + slack;
}

std::string decimal_text(double value)
{
  return fmt::format("{:.12g}", value);
}

std::string superscript(int exponent)
{
  constexpr std::array digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char character : fmt::format("{}", exponent)) {
    text += character == '-' ? "⁻" : digits[static_cast<std::size_t>(character - '0')];
  }
  return text;
}

/// "2·10⁶", "10⁶".
std::string power_text(const TicPlace& place)
{
  const std::string power = "10" + superscript(place.exponent);
  return place.mantissa == 1 ? power : fmt::format("{:g}·{}", place.mantissa, power);
}

int first_exponent(AxisRange range)
{
  return static_cast<int>(std::floor(std::log10(range.low) + 1e-9)) - 1;
}

int last_exponent(AxisRange range)
{
  return static_cast<int>(std::ceil(std::log10(range.high) - 1e-9)) + 1;
}

std::vector<TicPlace> places_at(AxisRange range, std::span<const double> mantissas, int every = 1)
{
  std::vector<TicPlace> places;
  for (int exponent = first_exponent(range); exponent <= last_exponent(range); ++exponent) {
    for (const double mantissa : mantissas) {
      const TicPlace place{mantissa, exponent};
      if (exponent % every == 0 && within(place.decimal(), range)) {
        places.push_back(place);
      }
    }
  }
  return places;
}

/// The marks with texts, and between them, where these are at every decade, the other whole mantissas without.
std::vector<PlotTic> decimal_tics(AxisRange range, const std::vector<TicPlace>& places)
{
  const bool powers = places.back().decimal() >= 1e6 || places.front().decimal() < 1e-4;
  std::vector<std::pair<double, std::string>> tics;
  for (const TicPlace& place : places) {
    tics.emplace_back(place.decimal(), powers ? power_text(place) : decimal_text(place.decimal()));
  }
  constexpr std::array whole = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
  constexpr int most_decades = 7;
  if (last_exponent(range) - first_exponent(range) <= most_decades + 2) {
    for (const TicPlace& place : places_at(range, whole)) {
      const bool labelled = std::ranges::any_of(
          tics, [&](const auto& tic) { return std::fabs(tic.first - place.decimal()) < 1e-6 * tic.first; });
      if (!labelled) {
        tics.emplace_back(place.decimal(), std::string());
      }
    }
  }
  std::ranges::sort(tics, {}, [](const auto& tic) { return tic.first; });
  std::vector<PlotTic> result;
  for (auto& [value, label] : tics) {
    result.push_back({decimal_text(value), std::move(label)});
  }
  return result;
}

std::vector<PlotTic> log_number_tics(AxisRange range, std::size_t most)
{
  static constexpr std::array one = {1.0};
  static constexpr std::array three = {1.0, 2.0, 5.0};
  static constexpr std::array seven = {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0};
  const std::vector<TicPlace> decades = places_at(range, one);
  const double orders = std::log10(range.high / range.low);
  if (orders >= 2 && decades.size() >= least_labels) {
    for (int every = 1;; ++every) {
      const std::vector<TicPlace> places = places_at(range, one, every);
      if (places.size() <= std::max(most, least_labels)) {
        return decimal_tics(range, places);
      }
    }
  }
  for (const std::span<const double> mantissas : {std::span<const double>(three), std::span<const double>(seven)}) {
    const std::vector<TicPlace> places = places_at(range, mantissas);
    if (places.size() >= least_labels) {
      return decimal_tics(range, places);
    }
  }
  return linear_tics(range, AxisUnit::number, most);
}

std::vector<PlotTic> log_byte_tics(AxisRange range, std::size_t most)
{
  const int first = static_cast<int>(std::ceil(std::log2(range.low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log2(range.high) + 1e-9));
  if (first < 0 || last - first + 1 < static_cast<int>(least_labels)) {
    return linear_tics(range, AxisUnit::bytes, most);
  }
  const auto labels = [&](int every) {
    std::size_t count = 0;
    for (int exponent = first; exponent <= last; ++exponent) {
      count += exponent % every == 0 ? 1 : 0;
    }
    return count;
  };
  int every = 1;
  for (const int candidate : {2, 4, 5, 10, 20}) {
    if (labels(every) > most && labels(candidate) > 0) {
      every = candidate;
    }
  }
  std::vector<PlotTic> tics;
  for (int exponent = first; exponent <= last; ++exponent) {
    const std::uint64_t bytes = std::uint64_t{1} << exponent;
    tics.push_back({fmt::format("{}", bytes), exponent % every == 0 ? format_bytes(bytes) : std::string()});
  }
  return tics;
}

/// The smallest distance of marks with which no more than `most` are in the range.
double tic_distance(AxisRange range, AxisUnit unit, std::size_t most)
{
  const double least = (range.high - range.low) / static_cast<double>(std::max<std::size_t>(1, most));
  if (unit == AxisUnit::bytes) {
    return std::max(1.0, std::pow(2.0, std::ceil(std::log2(least))));
  }
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double mantissa : {1.0, 2.0, 5.0}) {
    if (mantissa * power >= least) {
      return mantissa * power;
    }
  }
  return 10 * power;
}

} // namespace

std::vector<PlotTic> log_tics(AxisRange range, AxisUnit unit, std::size_t most)
{
  return unit == AxisUnit::bytes ? log_byte_tics(range, most) : log_number_tics(range, most);
}

std::vector<PlotTic> linear_tics(AxisRange range, AxisUnit unit, std::size_t most)
{
  std::vector<PlotTic> tics;
  if (!(range.low < range.high)) {
    return tics;
  }
  const double distance = tic_distance(range, unit, most);
  for (double step = std::ceil(range.low / distance - 1e-9); within(step * distance, range); ++step) {
    const double value = step * distance;
    const std::string text = decimal_text(value == 0 ? 0 : value);
    const bool bytes = unit == AxisUnit::bytes && value >= 0;
    tics.push_back({text, bytes ? format_bytes(static_cast<std::uint64_t>(value)) : text});
  }
  return tics;
}

std::vector<PlotTic> thinned_tics(std::vector<PlotTic> tics, std::size_t most)
{
  const std::size_t every = (tics.size() + most - 1) / std::max<std::size_t>(1, most);
  for (std::size_t i = 0; i < tics.size(); ++i) {
    if (every > 1 && i % every != 0) {
      tics[i].label.clear();
    }
  }
  return tics;
}

} // namespace wormcast
