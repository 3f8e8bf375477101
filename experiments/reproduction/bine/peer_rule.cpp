#include "wormcast/experiments/reproduction/bine/peer_rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace wormcast::bine {

PeerRule::PeerRule(std::vector<std::int64_t> shape, Family family, std::uint32_t port)
    : shape_(std::move(shape)), family_(family), mirrored_(port / shape_.size() % 2 == 1)
{
  for (const std::int64_t size : shape_) {
    nodes_ *= size;
  }
  bool steps_left = true;
  for (std::uint32_t exponent = 0; steps_left; ++exponent) {
    steps_left = false;
    for (std::size_t turn = 0; turn < shape_.size(); ++turn) {
      const std::size_t dimension = (port + turn) % shape_.size();
      if (std::int64_t{1} << exponent < shape_[dimension]) {
        steps_.push_back({dimension, exponent});
        steps_left = true;
      }
    }
  }
}

std::int64_t PeerRule::peer(std::int64_t node, const ExchangeStep& step) const
{
  std::int64_t stride = 1;
  for (std::size_t dimension = 0; dimension < step.dimension; ++dimension) {
    stride *= shape_[dimension];
  }
  const std::int64_t size = shape_[step.dimension];
  const std::int64_t x = node / stride % size;
  std::int64_t distance = family_ == Family::bine ? (x % 2 == 0 ? 1 : -1) * signed_distance(step.exponent)
                                                  : (x ^ std::int64_t{1} << step.exponent) - x;
  if (mirrored_) {
    distance = -distance;
  }
  const std::int64_t to = ((x + distance) % size + size) % size;
  return node + (to - x) * stride;
}

std::int64_t signed_distance(std::uint32_t exponent)
{
  std::int64_t distance = 0; // the sum of (-2)^i for i up to k
  for (std::uint32_t i = 0; i <= exponent; ++i) {
    distance += (i % 2 == 0 ? 1 : -1) * (std::int64_t{1} << i);
  }
  return distance;
}

const std::vector<std::vector<std::int64_t>>& measured_shapes()
{
  static const std::vector<std::vector<std::int64_t>> shapes = {{2, 2, 2}, {4, 4, 4}, {8, 8, 8}, {64, 64}, {32, 256}};
  return shapes;
}

std::string shape_text(const std::vector<std::int64_t>& shape)
{
  return fmt::format("{}", fmt::join(shape, "x"));
}

} // namespace wormcast::bine
