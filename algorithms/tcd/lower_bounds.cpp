#include "wormcast/algorithms/tcd/lower_bounds.hpp"

#include "wormcast/topologies/grid_requirements.hpp"

#include <algorithm>
#include <bit>

namespace wormcast {

namespace {

using Wide = std::int64_t;

Wide two_to_the(std::uint32_t exponent)
{
  return Wide{1} << exponent;
}

/// Sum of degree - D over labels below 2^m, with `neighbours` instead of the source's D.
Wide degree_excess(std::uint32_t t, std::uint32_t m, Wide most_neighbours, Wide neighbours)
{
  Wide excess = t - neighbours;
  for (std::uint32_t bit = 0; bit < m; ++bit) {
    excess += two_to_the(bit) * (static_cast<Wide>(t - bit) - most_neighbours);
  }
  return excess;
}

/// Least sum of (length - 1) that satisfies the degree bound of the labels below 2^m and lets the sum of (length - 1) *
/// weight be at least `needed`.
Wide least_extra_length(std::uint32_t t, std::uint32_t m, Wide excess, Wide needed)
{
  const Wide heaviest = two_to_the(t - 1);
  Wide reached = 0;
  Wide left = std::max<Wide>(excess, 0);
  for (std::uint32_t bit = 0; bit < t && left > 0; ++bit) {
    // Edges inside of H may be 3 long, those that leave it 2, at no cost beyond the degree bound.
    const Wide free = bit < m ? 2 * two_to_the(bit) : two_to_the(m);
    const Wide used = std::min(left, free);
    reached += used * two_to_the(t - 1 - bit);
    left -= used;
  }
  const Wide beyond = needed > reached ? (needed - reached + heaviest - 1) / heaviest : 0;
  return std::max<Wide>(excess, 0) + beyond;
}

std::uint32_t most_neighbours(const Grid& grid)
{
  std::uint32_t most = 0;
  for (const std::int64_t size : grid.sizes()) {
    most += static_cast<std::uint32_t>(std::min<std::int64_t>(size - 1, 2));
  }
  return most;
}

/// Sum of the distances from `place` to all positions of an axis.
Wide axis_distance_sum(std::int64_t place, std::int64_t size, bool wraps)
{
  if (wraps) {
    return size / 2 * (size - size / 2);
  }
  const Wide above = size - 1 - place;
  return place * (place + 1) / 2 + above * (above + 1) / 2;
}

} // namespace

std::uint32_t binomial_degree(std::uint64_t label, std::uint32_t t)
{
  return label == 0 ? t : t + 1 - static_cast<std::uint32_t>(std::bit_width(label));
}

std::uint64_t degree_bound(std::uint32_t t, std::uint32_t most_neighbours)
{
  return degree_bound_from(t, most_neighbours, most_neighbours);
}

std::uint64_t degree_bound_from(std::uint32_t t, std::uint32_t most_neighbours, std::uint32_t neighbours)
{
  const Wide messages = two_to_the(t) - 1;
  if (t < most_neighbours) {
    return static_cast<std::uint64_t>(messages + (t > neighbours ? t - neighbours : 0));
  }
  const Wide of_any_source = 2 * (two_to_the(t - most_neighbours) - 1);
  return static_cast<std::uint64_t>(messages + of_any_source + (most_neighbours - neighbours));
}

std::uint64_t distance_bound(std::uint32_t t, std::uint32_t most_neighbours, std::uint32_t neighbours,
                             std::uint64_t distance_sum)
{
  if (t == 0) {
    return 0;
  }
  const Wide with_unit_lengths = t * two_to_the(t - 1);
  const Wide needed = static_cast<Wide>(distance_sum) - with_unit_lengths;
  Wide extra = 0;
  for (std::uint32_t m = 0; m <= t; ++m) {
    const Wide excess = degree_excess(t, m, most_neighbours, neighbours);
    extra = std::max(extra, least_extra_length(t, m, excess, needed));
  }
  return static_cast<std::uint64_t>(two_to_the(t) - 1 + extra);
}

std::uint32_t cut_bound(std::uint64_t m, std::uint32_t t)
{
  // The non-adjacent form of m has its non-zero digits where m and 3m differ.
  const auto digits = [](std::uint64_t value) {
    return static_cast<std::uint32_t>(std::popcount(value ^ (3 * value)));
  };
  return std::min(digits(m), digits((std::uint64_t{1} << t) - m));
}

std::uint64_t line_cut_bound(std::uint32_t t)
{
  std::uint64_t messages = 0;
  for (std::uint64_t m = 1; m < std::uint64_t{1} << t; ++m) {
    messages += cut_bound(m, t);
  }
  return messages;
}

std::vector<std::uint64_t> tcd_lower_bounds(const Grid& grid)
{
  const std::size_t dimensions = grid.sizes().size();
  std::uint32_t t = 0;
  std::size_t long_dimensions = 0;
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    const unsigned exponent = require_power_of_two(grid, dimension, "the lower bound on the TCD");
    t += exponent;
    long_dimensions += exponent > 0 ? 1 : 0;
  }
  const bool is_line = long_dimensions <= 1 && !grid.wraps();
  const std::uint64_t of_cuts = is_line ? line_cut_bound(t) : 0;
  const std::uint32_t most = most_neighbours(grid);
  std::vector<std::uint64_t> bounds(grid.node_count());
  for (std::uint32_t id = 0; id < grid.node_count(); ++id) {
    const NodeId source{id};
    Wide distances = 0;
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
      const std::int64_t size = grid.sizes()[dimension];
      distances += axis_distance_sum(grid.coordinate(source, dimension), size, grid.wraps(dimension)) *
                   (grid.node_count() / size);
    }
    bounds[id] =
        std::max(of_cuts, distance_bound(t, most, grid.out_degree(source), static_cast<std::uint64_t>(distances)));
  }
  return bounds;
}

} // namespace wormcast
