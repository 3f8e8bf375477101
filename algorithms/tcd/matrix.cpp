#include "wormcast/algorithms/tcd/matrix.hpp"

#include "wormcast/algorithms/tcd/lower_bounds.hpp"
#include "wormcast/algorithms/tcd/minimum_tcd.hpp"
#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace wormcast {

namespace {

bool sizes_are_powers_of_two(const Grid& grid)
{
  return std::ranges::all_of(grid.sizes(),
                             [](std::int64_t size) { return std::has_single_bit(static_cast<std::uint64_t>(size)); });
}

bool sizes_are_equal(const Grid& grid)
{
  return std::ranges::adjacent_find(grid.sizes(), std::ranges::not_equal_to{}) == grid.sizes().end();
}

std::vector<std::uint64_t> tcd_by_source(const Grid& grid, TcdVariant variant)
{
  switch (variant) {
  case TcdVariant::paper:
    return minimum_tcds(grid, AxisOrder::paper);
  case TcdVariant::best:
    return minimum_tcds(grid, AxisOrder::best);
  case TcdVariant::naive:
    return minimum_tcds(grid, AxisOrder::naive);
  case TcdVariant::halving:
    return recursive_halving_tcds(grid);
  case TcdVariant::lower_bound:
    return tcd_lower_bounds(grid);
  }
  throw std::logic_error("a variant of the TCD that does not exist");
}

std::vector<bool> eyes_of(const Grid& grid)
{
  std::vector<bool> eyes(grid.node_count(), false);
  if (!sizes_are_equal(grid)) {
    return eyes;
  }
  const auto k = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(grid.sizes().front())));
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
    eyes[node] = grid.wraps() || is_eye(grid.coordinates(NodeId{node}), k);
  }
  return eyes;
}

} // namespace

bool has_tcd_matrix(const Grid& grid, TcdVariant variant)
{
  const bool needs_equal_sizes = variant != TcdVariant::halving && variant != TcdVariant::lower_bound;
  return sizes_are_powers_of_two(grid) && (sizes_are_equal(grid) || !needs_equal_sizes);
}

TcdMatrix tcd_matrix(const Grid& grid, TcdVariant variant)
{
  TcdMatrix matrix;
  matrix.tcd = tcd_by_source(grid, variant);
  matrix.sizes.assign(grid.sizes().begin(), grid.sizes().end());
  matrix.eyes = eyes_of(grid);
  return matrix;
}

} // namespace wormcast
