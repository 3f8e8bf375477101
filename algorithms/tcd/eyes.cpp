#include "wormcast/algorithms/tcd/eyes.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

namespace wormcast {

namespace {

void require_level(unsigned k, unsigned least)
{
  if (k < least || k > most_tcd_level) {
    throw std::out_of_range(fmt::format("level {} is outside of {} to {}", k, least, most_tcd_level));
  }
}

} // namespace

std::int64_t eye_distance(unsigned k)
{
  require_level(k, 0);
  const std::int64_t sign = k % 2 == 0 ? 1 : -1;
  return ((std::int64_t{1} << k) - sign) / 3;
}

EyeCoordinates eye_coordinates(unsigned k)
{
  const std::int64_t low = ((std::int64_t{1} << k) - 1 - eye_distance(k)) / 2;
  return {low, low + eye_distance(k)};
}

bool is_eye(std::span<const std::int64_t> position, unsigned k)
{
  const EyeCoordinates eyes = eye_coordinates(k);
  return std::ranges::all_of(position, [eyes](std::int64_t x) { return x == eyes.low || x == eyes.high; });
}

std::int64_t eye_offset(std::int64_t position, unsigned k)
{
  require_level(k, 1);
  const EyeCoordinates eyes = eye_coordinates(k);
  const bool low_half = position < std::int64_t{1} << (k - 1);
  return low_half ? eyes.low - position : position - eyes.high;
}

AxisTargets axis_targets(std::int64_t position, unsigned k)
{
  require_level(k, 1);
  const EyeCoordinates eyes = eye_coordinates(k);
  const std::int64_t inner_to_outer = eye_distance(k - 1);
  const bool low_half = position < std::int64_t{1} << (k - 1);
  AxisTargets targets;
  targets.near = low_half ? eyes.low : eyes.high;
  targets.mirrored = low_half ? eyes.high : eyes.low;
  targets.outer = low_half ? eyes.low - inner_to_outer : eyes.high + inner_to_outer;
  targets.closest = is_outside(eye_offset(position, k), k) ? targets.outer : targets.near;
  return targets;
}

std::int64_t closest_target_distance(std::int64_t u, unsigned k)
{
  require_level(k, 1);
  return std::min(std::abs(u), std::abs(u - eye_distance(k - 1)));
}

bool is_outside(std::int64_t u, unsigned k)
{
  require_level(k, 1);
  return u > eye_distance(k - 1) - u;
}

int region_2d(std::int64_t u, std::int64_t v, unsigned k)
{
  const int column = u <= 0 ? 0 : is_outside(u, k) ? 2 : 1;
  return 1 + 2 * column + (v > 0 ? 1 : 0);
}

int region_3d(std::int64_t u, std::int64_t v, unsigned k)
{
  return 1 + (is_outside(u, k) ? 2 : 0) + (is_outside(v, k) ? 1 : 0);
}

int theorem_1_region(std::int64_t u, std::int64_t v, unsigned k)
{
  const auto part = [k](std::int64_t offset) { return offset <= 0 ? 0 : is_outside(offset, k) ? 2 : 1; };
  return 1 + 3 * part(u) + part(v);
}

std::int64_t crossing_gain(std::int64_t u, unsigned k)
{
  return std::abs(u) - closest_target_distance(u, k);
}

CrossingOrder crossing_order(AxisOrder order, std::span<const std::int64_t> offsets, unsigned k)
{
  CrossingOrder result;
  result.count = offsets.size();
  const std::span<std::size_t> axes(result.axes.data(), result.count);
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  if (order == AxisOrder::best) {
    std::ranges::stable_sort(axes, std::ranges::greater{},
                             [offsets, k](std::size_t axis) { return crossing_gain(offsets[axis], k); });
  } else if (axes.size() == 3) {
    std::swap(axes[1], axes[2]);
  }
  return result;
}

} // namespace wormcast
