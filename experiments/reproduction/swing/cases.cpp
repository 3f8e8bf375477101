#include "wormcast/experiments/reproduction/swing/cases.hpp"

#include "wormcast/algorithms/torus_all_reduce/swing.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>

namespace wormcast::swing {

BroadcastCase on_torus(const Sides& sides, const std::string& algorithm, const std::string& variant)
{
  BroadcastCase broadcast{.kind = "torus", .dims = sides, .algorithm = algorithm};
  broadcast.ports.count = PortModel::all;
  if (!variant.empty()) {
    broadcast.parameters.emplace("variant", variant);
  }
  return broadcast;
}

BroadcastCase with_one_port(BroadcastCase broadcast)
{
  broadcast.ports = {};
  return broadcast;
}

std::int64_t distance(std::uint32_t step)
{
  return std::abs(swing_distance(step));
}

std::uint32_t log2_of(std::int64_t power)
{
  return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(power))) - 1;
}

std::int64_t peer(std::int64_t node, std::uint32_t step, std::int64_t size)
{
  const std::int64_t ahead = node % 2 == 0 ? swing_distance(step) : -swing_distance(step);
  const std::int64_t to = (node + ahead) % size;
  return to < 0 ? to + size : to;
}

namespace {

/// For each step of one half the relative step of the collectives in each dimension that they serve.
std::vector<std::vector<std::uint32_t>> served(const Sides& sides)
{
  std::vector<std::vector<std::uint32_t>> by_step; // by step the relative steps of the collectives
  std::vector<std::uint32_t> steps;
  std::ranges::transform(sides, std::back_inserter(steps), log2_of);
  const std::uint32_t all = std::accumulate(steps.begin(), steps.end(), 0U);
  by_step.assign(all, std::vector<std::uint32_t>(sides.size() * sides.size(), 0));
  for (std::size_t first = 0; first < sides.size(); ++first) {
    std::vector<std::uint32_t> done(sides.size(), 0);
    for (std::uint32_t step = 0; step < all; ++step) {
      std::size_t dimension = (first + step) % sides.size();
      while (done[dimension] == steps[dimension]) {
        dimension = (dimension + 1) % sides.size();
      }
      // entry [first][dimension] is 1 + the relative step, 0 elsewhere
      by_step[step][first * sides.size() + dimension] = ++done[dimension];
    }
  }
  return by_step;
}

} // namespace

Fraction swing_load(const Sides& sides)
{
  Fraction sum(0);
  std::int64_t parts = 1;
  for (const std::vector<std::uint32_t>& step : served(sides)) {
    parts *= 2;
    std::int64_t greatest = 0;
    for (std::size_t dimension = 0; dimension < sides.size(); ++dimension) {
      std::int64_t load = 0;
      for (std::size_t first = 0; first < sides.size(); ++first) {
        const std::uint32_t relative = step[first * sides.size() + dimension];
        load += relative == 0 ? 0 : distance(relative - 1);
      }
      greatest = std::max(greatest, load);
    }
    sum += Fraction(greatest, parts);
  }
  return sum;
}

std::int64_t swing_hops(const Sides& sides)
{
  std::int64_t sum = 0;
  for (const std::vector<std::uint32_t>& step : served(sides)) {
    sum += distance(std::ranges::max(step) - 1);
  }
  return sum;
}

Fraction bucket_load(const Sides& sides)
{
  const auto [shortest, longest] = std::ranges::minmax(sides);
  if (shortest == longest) {
    return Fraction(1) - Fraction(1, nodes(sides));
  }
  return (Fraction(1) - Fraction(1, longest)) * (Fraction(1) + Fraction(1, shortest));
}

std::int64_t bucket_steps(const Sides& sides)
{
  return 2 * static_cast<std::int64_t>(sides.size()) * (std::ranges::max(sides) - 1);
}

std::int64_t nodes(const Sides& sides)
{
  return std::accumulate(sides.begin(), sides.end(), std::int64_t{1}, std::multiplies<>());
}

std::string sides_text(const Sides& sides)
{
  return fmt::format("{}", fmt::join(sides, " x "));
}

double number(const Fraction& fraction)
{
  return boost::rational_cast<double>(fraction);
}

Observation fraction_is(const std::string& what, const Fraction& claimed, const Fraction& found)
{
  const Fraction expected = as_claimed(claimed);
  return {
      .what = what, .expected = format_fraction(expected), .found = format_fraction(found), .holds = expected == found};
}

Check shown_check(const std::string& name, const BroadcastCase& shown, std::function<Evidence()> measure)
{
  return check_of(name, {config_text(shown), "wormcast check CONFIG"}, std::move(measure));
}

} // namespace wormcast::swing
