#include "wormcast/algorithms/tcd/closed_forms.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace wormcast {

namespace {

/// Wide enough for 2^(8 (61 + 1)) and the factors before it; an overflow throws.
using Exact = boost::multiprecision::checked_int1024_t;

Exact power_of_two(unsigned exponent)
{
  return Exact(1) << exponent;
}

int alternating_sign(unsigned k)
{
  return k % 2 == 0 ? 1 : -1;
}

std::int64_t in_63_bits(const Exact& value)
{
  if (value > std::numeric_limits<std::int64_t>::max()) {
    throw std::overflow_error("a total communication distance passes 2^63");
  }
  return value.convert_to<std::int64_t>();
}

} // namespace

std::int64_t level_excess(std::span<const std::int64_t> offsets, unsigned k)
{
  const auto d = static_cast<std::int64_t>(offsets.size());
  std::int64_t excess = 0;
  for (std::int64_t r = 1; const std::int64_t u : offsets) {
    excess += u + (r - 1) * std::abs(u) + (d - r) * closest_target_distance(u, k);
    ++r;
  }
  return excess;
}

std::int64_t naive_level_excess(std::span<const std::int64_t> offsets)
{
  const auto d = static_cast<std::int64_t>(offsets.size());
  std::int64_t excess = 0;
  for (const std::int64_t u : offsets) {
    excess += u + (d - 1) * std::abs(u);
  }
  return excess;
}

std::int64_t level_excess_2d(std::int64_t u, std::int64_t v, unsigned k)
{
  switch (region_2d(u, v, k)) {
  case 1:
    return 0;
  case 2:
    return 2 * v;
  case 3:
    return 2 * u;
  case 4:
    return 2 * u + 2 * v;
  case 5:
    return u + std::abs(u - eye_distance(k - 1));
  default:
    return u + std::abs(u - eye_distance(k - 1)) + 2 * v;
  }
}

std::int64_t level_excess_3d(std::int64_t u, std::int64_t v, std::int64_t w, unsigned k)
{
  const std::int64_t a = eye_distance(k - 1);
  const std::int64_t last = 2 * std::abs(w) + w;
  switch (region_3d(u, v, k)) {
  case 1:
    return 2 * std::abs(u) + u + 2 * std::abs(v) + v + last;
  case 2:
    return 2 * std::abs(u) + u + 2 * std::abs(v) + std::abs(v - a) + last;
  case 3:
    return std::abs(u) + 2 * std::abs(u - a) + 2 * std::abs(v) + v + last;
  default:
    return std::abs(u) + 2 * std::abs(u - a) + 2 * std::abs(v) + std::abs(v - a) + last;
  }
}

std::int64_t theorem_1_excess(std::int64_t u, std::int64_t v, std::int64_t w, unsigned k)
{
  const std::int64_t a = eye_distance(k - 1);
  const std::int64_t last = 2 * std::abs(w) + w;
  switch (theorem_1_region(u, v, k)) {
  case 1:
    return -(u + v) + last;
  case 2:
    return -u + 3 * v + last;
  case 3:
    return -u + 2 * v + std::abs(v - a) + last;
  case 4:
    return 3 * u - v + last;
  case 5:
    return 3 * u + 3 * v + last;
  case 6:
    return 3 * u + 2 * v + std::abs(v - a) + last;
  case 7:
    return u + 2 * std::abs(u - a) - v + last;
  case 8:
    return u + 2 * std::abs(u - a) + 3 * v + last;
  default:
    return u + 2 * std::abs(u - a) + 2 * v + std::abs(v - a) + last;
  }
}

std::int64_t unit_mesh_tcd(unsigned d)
{
  return in_63_bits(power_of_two(d) - 1);
}

std::int64_t next_optimal_tcd(unsigned d, unsigned k, std::int64_t previous)
{
  return in_63_bits((power_of_two(d) - 1) * eye_distance(k) + power_of_two(d) * previous);
}

std::int64_t optimal_tcd(unsigned d, unsigned k)
{
  if (d == 0) {
    throw std::out_of_range("a mesh has at least one axis");
  }
  if (d == 1) {
    return optimal_tcd_line(k);
  }
  const Exact factor = power_of_two(d) - 1;
  const Exact divisor = 3 * (power_of_two(d) + 1) * (power_of_two(d - 1) - 1);
  return in_63_bits(factor *
                    (3 * power_of_two(d * (k + 1) - 1) - alternating_sign(k) * (power_of_two(d - 1) - 1) -
                     power_of_two(k) * (power_of_two(d) + 1)) /
                    divisor);
}

std::int64_t optimal_tcd_line(unsigned k)
{
  return in_63_bits((3 * k * power_of_two(k) + power_of_two(k) - alternating_sign(k)) / 9);
}

std::int64_t optimal_tcd_2d(unsigned k)
{
  return in_63_bits((3 * power_of_two(2 * k + 1) - alternating_sign(k)) / 5 - power_of_two(k));
}

std::int64_t optimal_tcd_3d(unsigned k)
{
  return in_63_bits(7 * (power_of_two(3 * k + 2) - alternating_sign(k) - 3 * power_of_two(k)) / 27);
}

std::int64_t next_corner_tcd_2d(unsigned k, std::int64_t corner, std::int64_t eye)
{
  return in_63_bits(5 * power_of_two(k - 1) - 2 - 2 * eye_distance(k - 1) + Exact(corner) + 3 * Exact(eye));
}

std::int64_t corner_tcd_2d(unsigned k)
{
  return in_63_bits((36 * power_of_two(2 * k) + 40 * power_of_two(k) - 60 * k - alternating_sign(k) - 75) / 30);
}

std::int64_t two_step_distance(EyeOffsets2d source, EyeOffsets2d second, EyeOffsets2d third, EyeOffsets2d fourth,
                               unsigned k)
{
  const std::int64_t a = eye_distance(k);
  const std::int64_t first_step = a + source.u - second.v + std::abs(source.v + second.u);
  const std::int64_t source_again = a + source.v - third.u + std::abs(source.u + third.v);
  const std::int64_t second_node = a - second.u - fourth.v + std::abs(second.v - fourth.u);
  return first_step + source_again + second_node;
}

std::int64_t source_excess(std::span<const std::int64_t> position, unsigned k, AxisOrder order)
{
  const std::size_t d = position.size();
  std::int64_t excess = 0;
  AxisValues offsets{};
  AxisValues crossed{};
  for (unsigned level = 2; level <= k; ++level) {
    const std::int64_t within = (std::int64_t{1} << level) - 1;
    for (std::size_t axis = 0; axis < d; ++axis) {
      offsets[axis] = eye_offset(position[axis] & within, level);
    }
    if (order == AxisOrder::naive) {
      excess += naive_level_excess({offsets.data(), d});
      continue;
    }
    const CrossingOrder axes = crossing_order(order, {offsets.data(), d}, level);
    for (std::size_t place = 0; place < d; ++place) {
      crossed[place] = offsets[axes.axes[place]];
    }
    excess += level_excess({crossed.data(), d}, level);
  }
  return excess;
}

std::int64_t source_tcd(std::span<const std::int64_t> position, unsigned k, AxisOrder order)
{
  return in_63_bits(Exact(source_excess(position, k, order)) + optimal_tcd(static_cast<unsigned>(position.size()), k));
}

} // namespace wormcast
