#include "wormcast/simulator/traffic/message_lengths.hpp"

#include <algorithm>
#include <cmath>

namespace wormcast {

namespace {

/// Returns the sum of the flits of messages of 1, 2, ... `bytes` bytes.
double flits_up_to(std::uint64_t bytes, std::uint64_t flit_bytes)
{
  const auto whole = static_cast<double>(bytes / flit_bytes);
  const auto rest = static_cast<double>(bytes % flit_bytes);
  return static_cast<double>(flit_bytes) * whole * (whole + 1) / 2 + rest * (whole + 1);
}

} // namespace

MessageLengths MessageLengths::fixed(std::uint64_t bytes)
{
  return between(bytes, bytes);
}

MessageLengths MessageLengths::between(std::uint64_t from, std::uint64_t to)
{
  MessageLengths lengths;
  lengths.from_ = from;
  lengths.to_ = to;
  lengths.mean_ = (static_cast<double>(from) + static_cast<double>(to)) / 2;
  return lengths;
}

MessageLengths MessageLengths::geometric(std::uint64_t mean)
{
  MessageLengths lengths;
  lengths.kind_ = Kind::geometric;
  lengths.mean_ = static_cast<double>(mean);
  lengths.failures_ = FailuresBeforeSuccess(1 / lengths.mean_);
  return lengths;
}

MessageLengths MessageLengths::weighted(std::vector<std::pair<std::uint64_t, std::uint64_t>> given)
{
  MessageLengths lengths;
  lengths.kind_ = Kind::weighted;
  lengths.lengths_ = std::move(given);
  double bytes = 0;
  for (const auto& [length, weight] : lengths.lengths_) {
    lengths.weight_ += weight;
    bytes += static_cast<double>(length) * static_cast<double>(weight);
  }
  lengths.mean_ = bytes / static_cast<double>(lengths.weight_);
  return lengths;
}

std::uint64_t MessageLengths::draw(RandomStream& random) const
{
  switch (kind_) {
  case Kind::between:
    return from_ == to_ ? from_ : from_ + random.below(to_ - from_ + 1);
  case Kind::geometric:
    return std::min(1 + failures_.draw(random), largest());
  case Kind::weighted:
    break;
  }
  std::uint64_t drawn = random.below(weight_);
  for (const auto& [length, weight] : lengths_) {
    if (drawn < weight) {
      return length;
    }
    drawn -= weight;
  }
  return lengths_.back().first;
}

double MessageLengths::mean_bytes() const
{
  return mean_;
}

double MessageLengths::mean_square_bytes() const
{
  switch (kind_) {
  case Kind::between: {
    const auto count = static_cast<double>(to_ - from_ + 1);
    return mean_ * mean_ + (count * count - 1) / 12;
  }
  case Kind::geometric:
    return 2 * mean_ * mean_ - mean_;
  case Kind::weighted:
    break;
  }
  double squares = 0;
  for (const auto& [length, weight] : lengths_) {
    squares += static_cast<double>(length) * static_cast<double>(length) * static_cast<double>(weight);
  }
  return squares / static_cast<double>(weight_);
}

double MessageLengths::mean_flits(const NetworkParameters& network) const
{
  const std::uint64_t flit_bytes = network.flit_bytes;
  switch (kind_) {
  case Kind::between:
    return (flits_up_to(to_, flit_bytes) - flits_up_to(from_ - 1, flit_bytes)) / static_cast<double>(to_ - from_ + 1);
  case Kind::geometric: {
    // A message has more than k flits if more than k * flit_bytes - 1 trials failed.
    const double another = std::pow(1 - 1 / mean_, static_cast<double>(flit_bytes));
    return 1 / (1 - another);
  }
  case Kind::weighted:
    break;
  }
  double flits = 0;
  for (const auto& [length, weight] : lengths_) {
    flits += static_cast<double>(flit_count(network, length)) * static_cast<double>(weight);
  }
  return flits / static_cast<double>(weight_);
}

std::uint64_t MessageLengths::largest() const
{
  if (kind_ == Kind::geometric) {
    return std::uint64_t{1} << 62;
  }
  return kind_ == Kind::between ? to_ : std::ranges::max(lengths_).first;
}

} // namespace wormcast
