#include "wormcast/algorithms/grid_trees/two_trees.hpp"

#include "wormcast/algorithms/grid_trees/two_tree_blocks.hpp"
#include "wormcast/algorithms/grid_trees/two_tree_recipes.hpp"
#include "wormcast/algorithms/tuning/segments.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wormcast {

namespace {

constexpr std::string_view two_trees_name = "two_trees";

const TwoTreeRecipes* recipes_for(std::int64_t side)
{
  const auto found = std::ranges::find(two_tree_recipes(), side, &TwoTreeRecipes::side);
  return found == two_tree_recipes().end() ? nullptr : &*found;
}

/// The sizes with recipes next to one that has none: "8 and 16".
std::string sides_near(std::int64_t side)
{
  std::string below;
  for (const TwoTreeRecipes& recipes : two_tree_recipes()) {
    if (recipes.side > side) {
      return below.empty() ? fmt::to_string(recipes.side) : fmt::format("{} and {}", below, recipes.side);
    }
    below = fmt::to_string(recipes.side);
  }
  return below;
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

const Grid& require_square_mesh(const Topology& topology)
{
  const Grid& grid = require_grid(topology, two_trees_name);
  if (grid.wraps() || grid.sizes().size() != 2) {
    throw InputError(fmt::format("{} runs on meshes of 2 dimensions, not on the {}", two_trees_name, grid.title()));
  }
  for (std::size_t dimension = 0; dimension < 2; ++dimension) {
    const std::int64_t size = grid.sizes()[dimension];
    if (recipes_for(size) == nullptr) {
      throw InputError(
          fmt::format("{} has recipes for meshes of 4, 8, 16 and 32 nodes a side; the {} size of the {} is {}, "
                      "next to it: {}; two_combs serves all sizes",
                      two_trees_name, dimension_name(dimension), grid.title(), size, sides_near(size)));
    }
  }
  if (grid.sizes()[0] != grid.sizes()[1]) {
    throw InputError(
        fmt::format("{} needs equal sizes; the y size of the {} is {}, that of x is {}; two_combs serves all sizes",
                    two_trees_name, grid.title(), grid.sizes()[1], grid.sizes()[0]));
  }
  return grid;
}

[[noreturn]] void reject_source(const Grid& mesh, NodeId source)
{
  const TwoTreeRecipes& recipes = *recipes_for(mesh.sizes()[0]);
  std::optional<NodeId> nearest;
  for (std::uint32_t node = 0; node < mesh.node_count(); ++node) {
    const bool nearer = !nearest || mesh.distance(source, NodeId{node}) < mesh.distance(source, *nearest);
    if (nearer && serving(recipes, mesh, NodeId{node})) {
      nearest = NodeId{node};
    }
  }
  throw InputError(fmt::format("{} has no recipe for the source {} of the {}; the nearest one with a recipe is {}, and "
                               "two_combs serves all sources",
                               two_trees_name, mesh.node_name(source), mesh.title(), mesh.node_name(*nearest)));
}

SegmentTrees require_trees(const Grid& mesh, NodeId source)
{
  std::optional<SegmentTrees> trees = two_trees(mesh, source);
  if (!trees) {
    reject_source(mesh, source);
  }
  return std::move(*trees);
}

} // namespace

std::optional<SegmentTrees> two_trees(const Grid& mesh, NodeId source)
{
  const TwoTreeRecipes& recipes = *recipes_for(mesh.sizes()[0]);
  const std::optional<Serving> served = serving(recipes, mesh, source);
  if (!served) {
    return std::nullopt;
  }
  return trees_from_reflection(block_of(parse_recipe(recipes.recipes[served->recipe])), mesh, source,
                               served->reflection);
}

Algorithm two_trees_algorithm()
{
  Algorithm algorithm;
  algorithm.name = two_trees_name;
  algorithm.summary = "own design: segments go in turn down two shallow trees, in which every node sends at full rate";
  algorithm.ports = "one-port";
  algorithm.topologies =
      "mesh of 4 x 4, 8 x 8 and 16 x 16, all sources, and of 32 x 32, sources near the middle and some others";
  algorithm.costs = "k segments, k even: alpha = k + D, beta = alpha/k, where D is 5 (4 x 4), 9 or 10 (8 x 8), mostly "
                    "14 or 15 (16 x 16), "
                    "17 and more (32 x 32); k odd: at most one step more";
  algorithm.source =
      "own design, found by a computer search, not a published algorithm; the idea of two trees is that of "
      "Sanders, Speck & Traeff, Parallel Computing 35, 2009";
  algorithm.parameters.push_back(segments_parameter());
  algorithm.by_reversal = {Operation::reduce};
  algorithm.make = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& mesh = require_square_mesh(topology);
    return make_segmented(two_trees_name, require_trees(mesh, request.source), mesh, request);
  };
  algorithm.tune = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& mesh = require_square_mesh(topology);
    return best_segments(require_trees(mesh, request.source), mesh, request);
  };
  algorithm.segments = "segments";
  algorithm.segment_costs = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& mesh = require_square_mesh(topology);
    return segment_costs(require_trees(mesh, request.source), mesh);
  };
  return algorithm;
}

} // namespace wormcast
