#include "wormcast/simulator/random/random_stream.hpp"

#include <algorithm>
#include <cmath>

namespace wormcast {

namespace {

__extension__ using Wide = unsigned __int128;

// Separates these streams from the other uses of a seed.
constexpr std::uint64_t traffic_stream = 0x74726166666963ULL;

constexpr std::size_t most_digits = 62; // of a number of failures

} // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream)
    : key_(seeded_number(seed ^ traffic_stream, stream))
{}

RandomStream::Exponential RandomStream::exponential()
{
  Exponential drawn;
  while (true) {
    drawn.fraction = next();
    bool odd = true; // length of the run of descending numbers
    std::uint64_t last = drawn.fraction;
    for (std::uint64_t number = next(); number < last; number = next()) {
      last = number;
      odd = !odd;
    }
    if (odd) {
      return drawn;
    }
    ++drawn.whole;
  }
}

FailuresBeforeSuccess::FailuresBeforeSuccess(double success)
{
  if (success >= 1) {
    return;
  }
  const auto scaled = static_cast<std::uint64_t>(std::ldexp(success, 64));
  std::uint64_t failure = 0 - std::max<std::uint64_t>(scaled, 1); // q * 2^64, then its powers
  while (failure != 0 && ones_.size() < most_digits) {
    const Wide one = Wide{1} << 64;
    ones_.push_back(static_cast<std::uint64_t>((Wide{failure} << 64) / (one + failure)));
    failure = static_cast<std::uint64_t>((Wide{failure} * failure) >> 64);
  }
}

std::uint64_t FailuresBeforeSuccess::draw(RandomStream& random) const
{
  RandomStream drawn = random; // in registers
  std::uint64_t failures = 0;
  for (auto one = ones_.rbegin(); one != ones_.rend(); ++one) {
    failures = failures << 1 | static_cast<std::uint64_t>(drawn.next() < *one);
  }
  random = drawn;
  return failures;
}

} // namespace wormcast
