#include "wormcast/algorithms/grid_trees/edge_disjoint_trees.hpp"

#include "wormcast/algorithms/tuning/segments.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

constexpr std::string_view edge_disjoint_trees_name = "edge_disjoint_trees";

/// A tree that grows by edges between neighbours, each a step after the one that reaches its sender.
class NeighbourTree {
public:
  NeighbourTree(const Grid& grid, NodeId source, std::size_t first_dimension)
      : grid_(grid), first_(first_dimension), depth_(grid.node_count(), 0), source_(source)
  {}

  std::int64_t size(std::size_t axis) const { return grid_.sizes()[dimension(axis)]; }
  std::int64_t source(std::size_t axis) const { return grid_.coordinate(source_, dimension(axis)); }

  /// The node at these positions along the tree's first and its other dimension.
  NodeId at(std::int64_t along, std::int64_t across) const
  {
    return NodeId{static_cast<std::uint32_t>(along * grid_.stride(dimension(0)) + across * grid_.stride(dimension(1)))};
  }

  void add(NodeId from, NodeId to)
  {
    edges_.push_back({from, to, depth_[index(from)]});
    depth_[index(to)] = depth_[index(from)] + 1;
  }

  std::vector<TreeEdge> take() { return std::move(edges_); }

private:
  std::size_t dimension(std::size_t axis) const { return axis == 0 ? first_ : 1 - first_; }

  const Grid& grid_;
  std::size_t first_;
  std::vector<std::uint32_t> depth_; ///< by node
  NodeId source_;
  std::vector<TreeEdge> edges_;
};

/// Calls visit(position, position before) from `center` outwards to both ends of 0 .. size-1.
template <typename Visit> void outwards(std::int64_t center, std::int64_t size, Visit&& visit)
{
  for (std::int64_t place = center + 1; place < size; ++place) {
    visit(place, place - 1);
  }
  for (std::int64_t place = center; place-- > 0;) {
    visit(place, place + 1);
  }
}

/// The source's line outwards, from it all lines across outwards but the source's own, whose nodes are reached at last,
/// each from the line beside it.
std::vector<TreeEdge> mesh_tree(const Grid& grid, NodeId source, std::size_t first_dimension)
{
  NeighbourTree tree(grid, source, first_dimension);
  const std::int64_t along = tree.source(0);
  const std::int64_t across = tree.source(1);
  outwards(along, tree.size(0),
           [&](std::int64_t to, std::int64_t from) { tree.add(tree.at(from, across), tree.at(to, across)); });
  for (std::int64_t line = 0; line < tree.size(0); ++line) {
    if (line != along) {
      outwards(across, tree.size(1),
               [&](std::int64_t to, std::int64_t from) { tree.add(tree.at(line, from), tree.at(line, to)); });
    }
  }
  const std::int64_t beside = along + 1 < tree.size(0) ? along + 1 : along - 1;
  for (std::int64_t place = 0; place < tree.size(1); ++place) {
    if (place != across) {
      tree.add(tree.at(beside, place), tree.at(along, place));
    }
  }
  return tree.take();
}

/// Round the source's ring in one direction, from each node there round its ring across in the same direction, and at
/// last the source's ring across, each node from the one behind it.
std::vector<TreeEdge> torus_tree(const Grid& grid, NodeId source, std::size_t first_dimension, std::int64_t direction)
{
  NeighbourTree tree(grid, source, first_dimension);
  const std::int64_t length = tree.size(0);
  const std::int64_t height = tree.size(1);
  const auto at = [&](std::int64_t along, std::int64_t across) { // in hops from the source in the tree's direction
    return tree.at(((tree.source(0) + direction * along) % length + length) % length,
                   ((tree.source(1) + direction * across) % height + height) % height);
  };
  for (std::int64_t along = 1; along < length; ++along) {
    tree.add(at(along - 1, 0), at(along, 0));
  }
  for (std::int64_t along = 1; along < length; ++along) {
    for (std::int64_t across = 1; across < height; ++across) {
      tree.add(at(along, across - 1), at(along, across));
    }
  }
  for (std::int64_t across = 1; across < height; ++across) {
    tree.add(at(length - 1, across), at(0, across));
  }
  return tree.take();
}

const Grid& require_grid_for_trees(const Topology& topology)
{
  const Grid& grid = require_grid(topology, edge_disjoint_trees_name);
  if (grid.sizes().size() != 2) {
    throw InputError(fmt::format("{} runs in 2 dimensions; the {} has {}", edge_disjoint_trees_name, grid.title(),
                                 grid.sizes().size()));
  }
  const std::int64_t least = grid.wraps() ? 3 : 2;
  for (std::size_t dimension = 0; dimension < 2; ++dimension) {
    if (grid.sizes()[dimension] < least) {
      throw InputError(fmt::format("{} needs sizes of at least {} on a {}; the {} size of the {} is {}",
                                   edge_disjoint_trees_name, least, grid.wraps() ? "torus" : "mesh",
                                   dimension_name(dimension), grid.title(), grid.sizes()[dimension]));
    }
  }
  return grid;
}

} // namespace

SegmentTrees edge_disjoint_trees(const Grid& grid, NodeId source)
{
  if (!grid.wraps()) {
    return {.period = 1, .trees = {mesh_tree(grid, source, 0), mesh_tree(grid, source, 1)}};
  }
  return {.period = 1,
          .trees = {torus_tree(grid, source, 0, 1), torus_tree(grid, source, 1, 1), torus_tree(grid, source, 0, -1),
                    torus_tree(grid, source, 1, -1)}};
}

Algorithm edge_disjoint_trees_algorithm()
{
  Algorithm algorithm;
  algorithm.name = edge_disjoint_trees_name;
  algorithm.summary = "segments go in turn down spanning trees of neighbours that share no channel";
  algorithm.ports = "all-port";
  algorithm.topologies = "mesh of 2 dimensions, sizes of at least 2; torus of 2 dimensions, sizes of at least 3";
  algorithm.costs = "k segments, mesh, source (sx, sy), ex = max(sx, X - 1 - sx), ey alike, k even: alpha = k/2 - 1 + "
                    "max(ex + ey, ex + "
                    "2, ey + 2); torus: alpha = ceil(k/4) + X + Y - 2, or less if k < 4; beta = alpha/k, towards 1/2 "
                    "and 1/4 (optimal)";
  algorithm.source =
      "torus: the multi-colour rectangle broadcast of Blue Gene, a reconstruction; mesh: own design after it, "
      "not a published algorithm";
  algorithm.parameters.push_back(segments_parameter());
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& grid = require_grid_for_trees(topology);
    return make_segmented(edge_disjoint_trees_name, edge_disjoint_trees(grid, request.source), grid, request);
  };
  algorithm.tune = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& grid = require_grid_for_trees(topology);
    return best_segments(edge_disjoint_trees(grid, request.source), grid, request);
  };
  algorithm.segments = "segments";
  algorithm.segment_costs = [](const Topology& topology, const ScheduleRequest& request) {
    const Grid& grid = require_grid_for_trees(topology);
    return segment_costs(edge_disjoint_trees(grid, request.source), grid);
  };
  return algorithm;
}

} // namespace wormcast
