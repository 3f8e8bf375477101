#include "wormcast/simulator/random/noise.hpp"

#include "wormcast/simulator/random/powers_of_two.hpp"
#include "wormcast/simulator/random/random_stream.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/text_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

__extension__ using Wide = unsigned __int128;

// Separates these numbers from the other uses of a seed.
constexpr std::uint64_t noise_stream = 0x6e6f697365ULL;

constexpr double largest = 1e6;
constexpr std::int64_t longest = std::int64_t{1} << 60; // picoseconds; then the run ends with an error anyway

std::uint64_t fine(double number)
{
  return static_cast<std::uint64_t>(std::ldexp(number, fine_bits));
}

std::uint64_t product(std::uint64_t factor, RandomStream::Exponential drawn)
{
  return factor * drawn.whole + static_cast<std::uint64_t>(Wide{factor} * drawn.fraction >> 64);
}

std::vector<double> read_values(const std::string& path)
{
  std::ifstream file(path);
  if (!file) {
    throw FileError(fmt::format("cannot read {}", path));
  }
  std::vector<double> values;
  std::string line;
  for (LineReader lines(file, "noise.file: " + path); lines.read(line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    while (words >> word) {
      const double value = number_of_text<double>(word).value_or(-1);
      const bool in_range = value >= 0 && value <= largest; // "nan" is not
      if (!in_range) {
        throw InputError(fmt::format("noise.file: {}:{}: found \"{}\", expected numbers from 0 to 1000000: how much "
                                     "longer start-ups took, as a share of network.startup",
                                     path, lines.number(), word));
      }
      values.push_back(value);
    }
  }
  if (values.empty()) {
    throw InputError(fmt::format("noise.file: {} holds no number", path));
  }
  return values;
}

constexpr const char* distribution_key = "noise.distribution";
constexpr const char* mean_key = "noise.mean";
constexpr const char* to_key = "noise.to";
constexpr const char* shape_key = "noise.shape";
constexpr const char* file_key = "noise.file";

// A value of distribution_key.
struct Distribution {
  std::string_view name;
  std::vector<std::string_view> keys; // the only keys that it has, all required
  Noise (*make)(const ParameterValues& values);
};

Noise pareto_noise(const ParameterValues& values)
{
  const double shape = values.number(shape_key);
  if (shape <= 1) {
    throw InputError(fmt::format("{}: found {}, expected more than 1: else there is no mean", shape_key, shape));
  }
  return Noise::pareto(values.number(mean_key), shape);
}

std::span<const Distribution> distributions()
{
  using Values = ParameterValues;
  static const std::vector<Distribution> all = {
      {"exponential", {mean_key}, [](const Values& values) { return Noise::exponential(values.number(mean_key)); }},
      {"uniform", {to_key}, [](const Values& values) { return Noise::uniform(values.number(to_key)); }},
      {"pareto", {mean_key, shape_key}, pareto_noise},
      {"file", {file_key}, [](const Values& values) { return Noise::values(read_values(values.text(file_key))); }}};
  return all;
}

} // namespace

Noise::Noise(Kind kind, double scale) : kind_(kind), scale_(fine(scale)) {}

Noise Noise::exponential(double mean)
{
  return {Kind::exponential, mean};
}

Noise Noise::uniform(double to)
{
  return {Kind::uniform, to};
}

Noise Noise::pareto(double mean, double shape)
{
  constexpr double inverse_of_ln_2 = 1.4426950408889634;
  Noise noise(Kind::pareto, mean * (shape - 1) / shape);
  noise.doublings_ = fine(inverse_of_ln_2 / shape);
  return noise;
}

Noise Noise::values(const std::vector<double>& values)
{
  Noise noise(Kind::values, 0);
  std::vector<std::uint64_t> fine_values;
  fine_values.reserve(values.size());
  std::ranges::transform(values, std::back_inserter(fine_values), fine);
  noise.values_ = std::make_shared<const std::vector<std::uint64_t>>(std::move(fine_values));
  return noise;
}

Time Noise::extra(Time startup, std::uint64_t seed, std::uint64_t message) const
{
  RandomStream random(seed ^ noise_stream, message);
  std::uint64_t drawn = 0;
  switch (kind_) {
  case Kind::exponential:
    drawn = product(scale_, random.exponential());
    break;
  case Kind::uniform:
    drawn = random.below(scale_);
    break;
  case Kind::pareto: // of an exponential number E: x_m * e^(E / shape)
    drawn = times_power_of_two(scale_, product(doublings_, random.exponential()));
    break;
  case Kind::values:
    drawn = (*values_)[random.below(values_->size())];
    break;
  }
  const Wide extra = Wide{static_cast<std::uint64_t>(startup.picoseconds)} * drawn >> fine_bits;
  return Time{static_cast<std::int64_t>(std::min<Wide>(extra, longest))};
}

std::vector<Parameter> noise_declarations()
{
  std::vector<std::string> names;
  for (const Distribution& distribution : distributions()) {
    names.emplace_back(distribution.name);
  }
  std::vector<Parameter> all;
  all.push_back(
      {.name = distribution_key,
       .type = ParameterType::choice,
       .text = "every start-up takes startup * (1 + X), where X is drawn for each message, a function of seed and "
               "message (docs/network-model.md, \"Noise\")",
       .optional = true,
       .choices = std::move(names)});
  const auto number = [&](std::string name, std::string text) {
    all.push_back({.name = std::move(name),
                   .type = ParameterType::number,
                   .text = std::move(text),
                   .optional = true,
                   .maximum = static_cast<std::int64_t>(largest)});
  };
  number(mean_key, "noise \"exponential\" and \"pareto\": mean of X");
  number(to_key, "noise \"uniform\": X is uniform from 0 to this");
  number(shape_key, "noise \"pareto\": X > x with a probability that falls as x^-shape; above 1");
  all.push_back({.name = file_key,
                 .type = ParameterType::file,
                 .text = "noise \"file\": numbers, one a line, of which each X is one",
                 .optional = true});
  return all;
}

Noise noise_of(const ParameterValues& values)
{
  const std::string& name = values.text(distribution_key);
  const auto chosen = std::ranges::find(distributions(), name, &Distribution::name);
  if (chosen == distributions().end()) {
    throw std::logic_error(fmt::format("a distribution of noise \"{}\" that was not declared", name));
  }
  for (const char* key : {mean_key, to_key, shape_key, file_key}) {
    const bool needed = std::ranges::find(chosen->keys, key) != chosen->keys.end();
    if (values.has(key) != needed) {
      throw InputError(
          needed ? fmt::format("{}: missing, {} \"{}\" needs it", key, distribution_key, name)
                 : fmt::format("{}: found with {} \"{}\", which does not have it", key, distribution_key, name));
    }
  }
  return chosen->make(values);
}

} // namespace wormcast
