#include "wormcast/algorithms/grid_trees/two_trees.hpp"

#include "wormcast/algorithms/grid_trees/two_tree_blocks.hpp"
#include "wormcast/algorithms/grid_trees/two_tree_recipes.hpp"
#include "wormcast/algorithms/grid_trees/two_tree_squares.hpp"
#include "wormcast/algorithms/tuning/segments.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

constexpr std::string_view two_trees_name = "two_trees";

const TwoTreeRecipes* recipes_for(const Grid& mesh)
{
  const auto found = std::ranges::find(two_tree_recipes(), mesh.sizes()[0], &TwoTreeRecipes::side);
  return found == two_tree_recipes().end() || mesh.sizes()[0] != mesh.sizes()[1] ? nullptr : &*found;
}

/// How a source is served.
struct Serving {
  std::size_t recipe = 0;
  std::uint32_t reflection = 0;
};

/// The recipe that serves a source, or none.
std::optional<Serving> serving(const TwoTreeRecipes& recipes, const Grid& mesh, NodeId source)
{
  std::uint32_t reflection = 0; // into the quarter at the origin
  std::array<std::size_t, 2> folded = {0, 0};
  for (const std::size_t dimension : {0U, 1U}) {
    const std::int64_t place = mesh.coordinate(source, dimension);
    const bool beyond = place >= recipes.side / 2;
    reflection |= beyond ? 1U << dimension : 0U;
    folded[dimension] = static_cast<std::size_t>(beyond ? recipes.side - 1 - place : place);
  }
  const std::size_t position = folded[0] + folded[1] * static_cast<std::size_t>(recipes.side / 2);
  const char name = recipes.by_source[position];
  if (name == '.') {
    return std::nullopt;
  }
  return Serving{static_cast<std::size_t>(name >= 'a' ? name - 'a' : name - 'A' + 26),
                 reflection ^ static_cast<std::uint32_t>(recipes.reflections[position] - '0')};
}

/// The served mesh next to the one of these sizes, "32 x 32".
std::string nearest_mesh(std::int64_t width, std::int64_t height)
{
  const auto distance = [&](std::int64_t w, std::int64_t h) { return std::abs(width - w) + std::abs(height - h); };
  std::array<std::int64_t, 2> nearest = {4, 4};
  for (std::int64_t side = 4; side <= std::int64_t{1} << 20U; side *= 2) {
    for (const std::int64_t other : {side, 2 * side}) {
      const bool served = other == side || (side >= 16 && side <= widest_checked_height);
      if (served && distance(other, side) < distance(nearest[0], nearest[1])) {
        nearest = {other, side};
      }
    }
  }
  return fmt::format("{} x {}", nearest[0], nearest[1]);
}

const Grid& require_served_mesh(const Topology& topology)
{
  const Grid& grid = require_grid(topology, two_trees_name);
  if (grid.wraps() || grid.sizes().size() != 2) {
    throw InputError(fmt::format("{} runs on meshes of 2 dimensions, not on the {}", two_trees_name, grid.title()));
  }
  if (recipes_for(grid) == nullptr && !has_constructed_trees(grid)) {
    throw InputError(fmt::format("{} runs on meshes of 2^n x 2^n nodes, n from 2 on, and of 2^(n+1) x 2^n, n from 4 to "
                                 "7, not on the {}; the nearest size is {}, and two_combs runs on all sizes",
                                 two_trees_name, grid.title(), nearest_mesh(grid.sizes()[0], grid.sizes()[1])));
  }
  return grid;
}

std::optional<SegmentTrees> trees_by_recipe(const Grid& mesh, NodeId source)
{
  const TwoTreeRecipes* recipes = recipes_for(mesh);
  const std::optional<Serving> served = recipes == nullptr ? std::nullopt : serving(*recipes, mesh, source);
  if (!served) {
    return std::nullopt;
  }
  return trees_from_reflection(block_of(parse_recipe(recipes->recipes[served->recipe])), mesh, source,
                               served->reflection);
}

} // namespace

SegmentTrees two_trees(const Grid& mesh, NodeId source)
{
  std::optional<SegmentTrees> by_recipe = trees_by_recipe(mesh, source);
  if (!has_constructed_trees(mesh)) {
    return std::move(by_recipe).value();
  }
  SegmentTrees constructed = constructed_two_trees(mesh, source);
  return by_recipe && depth_of(*by_recipe) <= depth_of(constructed) ? std::move(*by_recipe) : std::move(constructed);
}

Algorithm two_trees_algorithm()
{
  Algorithm algorithm;
  algorithm.name = two_trees_name;
  algorithm.summary = "own design: segments go in turn down two shallow trees, in which every node sends at full rate";
  algorithm.ports = "one-port";
  algorithm.topologies = "mesh of 2^n x 2^n nodes, n from 2 on, and of 2^(n+1) x 2^n, n from 4 to 7; all sources";
  algorithm.costs =
      "k segments, k even: alpha = k + D, beta = alpha/k, where D is 5 (4 x 4), 9 or 10 (8 x 8), and from "
      "16 x 16 on 4n - 2 or 4n - 1, for some sources of 32 x 32 one less; k odd: at most one step more";
  algorithm.source =
      "own design, not a published algorithm (docs/papers/two_trees.md); the idea of two trees is that of "
      "Sanders, Speck & Traeff, Parallel Computing 35, 2009";
  algorithm.parameters.push_back(segments_parameter());
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& mesh = require_served_mesh(topology);
    return make_segmented(two_trees_name, two_trees(mesh, request.source), mesh, request);
  };
  algorithm.tune = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& mesh = require_served_mesh(topology);
    return best_segments(two_trees(mesh, request.source), mesh, request);
  };
  algorithm.segments = "segments";
  algorithm.segment_costs = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& mesh = require_served_mesh(topology);
    return segment_costs(two_trees(mesh, request.source), mesh);
  };
  return algorithm;
}

} // namespace wormcast
