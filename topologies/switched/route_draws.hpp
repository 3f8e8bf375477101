#pragma once

#include <cstdint>

namespace wormcast {

/// Numbers drawn one after the other from the random bits of a message: a linear congruential generator's high half.
class RouteDraws {
public:
  explicit RouteDraws(std::uint64_t draw) : state_(draw) {}

  /// Returns a number from 0 to count - 1; all are equally likely, within one in 2^32.
  std::uint32_t below(std::uint32_t count)
  {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>((state_ >> 32) * count >> 32);
  }

private:
  std::uint64_t state_;
};

} // namespace wormcast
