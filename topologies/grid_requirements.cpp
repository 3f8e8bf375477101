#include "wormcast/topologies/grid_requirements.hpp"

#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <bit>

namespace wormcast {

namespace {

bool is_concentrated(const Topology& topology)
{
  return topology.description().parameters.has("concentration") && topology.has_switches();
}

} // namespace

const Grid& require_any_grid(const Topology& topology, std::string_view algorithm)
{
  const auto* grid = as_kind<Grid>(topology);
  if (grid == nullptr) {
    throw InputError(fmt::format("{} runs on a mesh or torus{}, not on a {}", algorithm,
                                 is_concentrated(topology) ? " of one host a router" : "", topology.title()));
  }
  return *grid;
}

const Grid& require_grid(const Topology& topology, std::string_view algorithm)
{
  const Grid& grid = require_any_grid(topology, algorithm);
  if (grid.mixes_rings_and_lines()) {
    throw InputError(fmt::format("{} runs on a mesh, or on a torus whose dimensions are all rings, not on a {}",
                                 algorithm, grid.title()));
  }
  return grid;
}

unsigned require_power_of_two(const Grid& grid, std::size_t dimension, std::string_view algorithm)
{
  const auto size = static_cast<std::uint64_t>(grid.sizes()[dimension]);
  if (!std::has_single_bit(size)) {
    throw InputError(fmt::format("{} needs sizes that are powers of two; the {} size of the {} is {}", algorithm,
                                 dimension_name(dimension), grid.title(), size));
  }
  return static_cast<unsigned>(std::countr_zero(size));
}

} // namespace wormcast
