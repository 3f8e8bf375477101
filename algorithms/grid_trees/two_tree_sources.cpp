// Trees from any source: the squares of two_tree_squares.hpp with a cell for the source, free rows from there to the
// middle, and the last edges.

#include "wormcast/algorithms/grid_trees/two_tree_blocks.hpp"
#include "wormcast/algorithms/grid_trees/two_tree_squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

/// The source in a mesh that is reflected so that the source lies in its upper right quarter, and of a wide mesh, whose
/// right square is reflected in y, in its lower right one.
struct PlacedSource {
  Spot node;                    ///< in the reflected mesh
  std::uint32_t reflection = 0; ///< of the mesh
};

Spot mirrored_in(const Grid& mesh, std::uint32_t reflection, Spot node)
{
  return {mirrored(static_cast<std::int32_t>(mesh.sizes()[0]), reflection, node).x,
          mirrored(static_cast<std::int32_t>(mesh.sizes()[1]), reflection, node).y};
}

PlacedSource placed_source(const Grid& mesh, NodeId source)
{
  const std::int64_t width = mesh.sizes()[0];
  const std::int64_t height = mesh.sizes()[1];
  const std::int64_t x = mesh.coordinate(source, 0);
  const std::int64_t y = mesh.coordinate(source, 1);
  const bool is_upper = y >= height / 2;
  const std::uint32_t reflection = (x < width / 2 ? 1U : 0U) | (is_upper == (width == height) ? 0U : 2U);
  return {mirrored_in(mesh, reflection, {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)}), reflection};
}

/// `spot` in the frame of the cell at `place`.
Spot in_cell(const SquarePlace& place, Spot spot)
{
  return mirrored(cell_side, place.change.reflection, {spot.x - place.origin.x, spot.y - place.origin.y});
}

/// Where the source's trees leave its cell, in one design.
struct Exit {
  const CellDesign* design = nullptr;
  const TwoTreeCell* cell = nullptr;
  SquarePlace place; ///< of the source's cell
  Spot node;         ///< the source, or the relay
};

/// In each design that has a cell for the source, those without a relay first.
std::vector<Exit> exits_of(const SquarePlace& place, Spot source)
{
  const Spot inner = in_cell(place, source);
  std::vector<Exit> exits;
  for (const CellDesign& design : cell_designs()) {
    if (const TwoTreeCell* cell = design.find(fmt::format("S{},{}", inner.x, inner.y))) {
      const Spot exit = mirrored(cell_side, place.change.reflection, cell->relay.value_or(inner));
      exits.push_back({&design, cell, place, {place.origin.x + exit.x, place.origin.y + exit.y}});
    }
  }
  std::ranges::stable_sort(exits, {}, [](const Exit& exit) { return exit.cell->relay.has_value(); });
  return exits;
}

/// The normal cells, the source's, and to the left of it, from column `first` on, those that leave the exit's row free;
/// null where the design has no such cell.
const TwoTreeCell* cell_for(const Exit& exit, const SquarePlace& place, std::int32_t first)
{
  const Spot source_origin = exit.place.origin;
  if (place.origin == source_origin) {
    return exit.cell;
  }
  if (place.origin.y != source_origin.y || place.origin.x > source_origin.x || place.origin.x < first) {
    return exit.design->find("N");
  }
  const Spot row = in_cell(place, {place.origin.x, exit.node.y});
  const bool leftwards = (place.change.reflection & 1U) == 0;
  return exit.design->find(fmt::format("L{}{}", row.y, leftwards ? 1 : 0));
}

/// All edges but the source's, and the nodes that the source is to feed.
struct MeshEdges {
  std::vector<ColouredEdge> edges;
  std::array<Spot, 2> root = {};
  std::array<std::uint32_t, 2> root_colour = {0, 0};
};

/// How squares cover a mesh.
struct MeshPlan {
  std::vector<SquarePlace> squares; ///< one, or the right and the left one, placed as the lower two of a join
  std::int32_t first_free = 0;      ///< the source's row is free from this column on
};

/// Each spare gets the tree that it lacks from the other one.
void close(const SquareInterface& square, std::vector<ColouredEdge>& edges)
{
  for (const std::uint32_t tree : {0U, 1U}) {
    edges.push_back({square.spare[1 - tree], square.spare[tree], tree, square.spare_colour[tree]});
  }
}

/// None where the design lacks a cell.
std::optional<MeshEdges> mesh_edges(const MeshPlan& plan, const Exit& exit)
{
  bool complete = true;
  const CellAt cell_at = [&](const SquarePlace& place) -> const TwoTreeCell& {
    const TwoTreeCell* cell = cell_for(exit, place, plan.first_free);
    complete = complete && cell != nullptr;
    return cell == nullptr ? *exit.design->find("N") : *cell;
  };
  MeshEdges result;
  const SquareInterface first = append_square(*exit.design, plan.squares[0], cell_at, result.edges);
  close(first, result.edges);
  result.root = first.root;
  result.root_colour = first.root_colour;
  if (plan.squares.size() > 1) {
    const SquareInterface left = append_square(*exit.design, plan.squares[1], cell_at, result.edges);
    for (const std::uint32_t tree : {0U, 1U}) {
      result.edges.push_back({left.spare[tree], left.root[tree], tree, left.root_colour[tree]});
      result.edges.push_back({left.spare[tree], first.root[tree], tree, first.root_colour[tree]});
    }
    result.root = left.spare;
    result.root_colour = left.spare_colour;
  }
  return complete ? std::optional(std::move(result)) : std::nullopt;
}

MeshPlan plan_of(const Grid& mesh)
{
  const auto width = static_cast<std::int32_t>(mesh.sizes()[0]);
  const auto height = static_cast<std::int32_t>(mesh.sizes()[1]);
  const auto level = static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint32_t>(height))) - 3;
  if (width == height) {
    return {{SquarePlace{.level = level, .origin = {}, .change = {}}}, width / 2 - cell_side};
  }
  return {{SquarePlace{.level = level, .origin = {height, 0}, .change = joined_copies[1]},
           SquarePlace{.level = level, .origin = {0, 0}, .change = joined_copies[0]}},
          height - cell_side};
}

/// Edges by their sender.
class EdgesBySender {
public:
  EdgesBySender(const std::vector<ColouredEdge>& edges, std::int32_t width, std::size_t nodes)
      : width_(width), first_(nodes + 1), edges_(edges.size())
  {
    for (const ColouredEdge& edge : edges) {
      ++first_[position(edge.from) + 1];
    }
    for (std::size_t node = 0; node < nodes; ++node) {
      first_[node + 1] += first_[node];
    }
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (const ColouredEdge& edge : edges) {
      edges_[next[position(edge.from)]++] = edge;
    }
  }

  std::span<const ColouredEdge> of(Spot node) const
  {
    const std::size_t at = position(node);
    return std::span(edges_).subspan(first_[at], first_[at + 1] - first_[at]);
  }

private:
  std::size_t position(Spot node) const
  {
    return static_cast<std::size_t>(node.y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(node.x);
  }

  std::int32_t width_;
  std::vector<std::uint32_t> first_;
  std::vector<ColouredEdge> edges_;
};

/// Each edge starts in the first step of its colour after its sender has received the tree; step 0 has colour
/// `first_colour`. The result starts with step 0.
SegmentTrees earliest_starts(const EdgesBySender& edges, const PlacedSource& source, std::uint32_t first_colour,
                             const Grid& mesh)
{
  const auto id = [&](Spot node) {
    const Spot spot = mirrored_in(mesh, source.reflection, node);
    return mesh.node_at(std::array<std::int64_t, 2>{spot.x, spot.y});
  };
  SegmentTrees trees{.period = 2, .trees = std::vector<std::vector<TreeEdge>>(2)};
  std::uint32_t first = ~std::uint32_t{0};
  for (const std::uint32_t tree : {0U, 1U}) {
    std::vector<std::pair<Spot, std::uint32_t>> ready = {{source.node, 0}}; // with the first step in which it can send
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const auto [node, step] = ready[i];
      for (const ColouredEdge& edge : edges.of(node)) {
        if (edge.tree == tree) {
          const std::uint32_t start = step + ((step ^ edge.colour ^ first_colour) & 1U);
          trees.trees[tree].push_back({id(edge.from), id(edge.to), start});
          ready.emplace_back(edge.to, start + 1);
          first = std::min(first, start);
        }
      }
    }
    if (ready.size() != mesh.node_count()) {
      throw std::logic_error("a tree of two_trees that does not span the mesh");
    }
  }
  for (std::vector<TreeEdge>& tree : trees.trees) {
    for (TreeEdge& edge : tree) {
      edge.start -= first;
    }
  }
  return trees;
}

void keep_shallower(std::optional<SegmentTrees>& best, std::optional<SegmentTrees> trees)
{
  if (trees && (!best || depth_of(*trees) < depth_of(*best))) {
    best = std::move(trees);
  }
}

/// The shallowest trees whose source sends to `exit.node`, or is it; none where the design lacks a cell.
std::optional<SegmentTrees> trees_from_exit(const MeshPlan& plan, const Exit& exit, const PlacedSource& placed,
                                            const Grid& mesh)
{
  std::optional<MeshEdges> built = mesh_edges(plan, exit);
  if (!built) {
    return std::nullopt;
  }
  std::vector<ColouredEdge>& edges = built->edges;
  for (const std::uint32_t tree : {0U, 1U}) {
    edges.push_back({exit.node, built->root[tree], tree, built->root_colour[tree]});
  }
  const std::size_t count = edges.size();
  const bool relayed = exit.node != placed.node;
  std::optional<SegmentTrees> best;
  for (std::uint32_t colour = 0; colour < (relayed ? 2U : 1U); ++colour) {
    edges.resize(count);
    for (std::uint32_t tree = 0; relayed && tree < 2; ++tree) {
      edges.push_back({placed.node, exit.node, tree, tree ^ colour});
    }
    const EdgesBySender by_sender(edges, static_cast<std::int32_t>(mesh.sizes()[0]), mesh.node_count());
    for (const std::uint32_t first_colour : {0U, 1U}) {
      keep_shallower(best, earliest_starts(by_sender, placed, first_colour, mesh));
    }
  }
  return best;
}

} // namespace

bool has_constructed_trees(const Grid& mesh)
{
  if (mesh.wraps() || mesh.sizes().size() != 2) {
    return false;
  }
  const std::int64_t width = mesh.sizes()[0];
  const std::int64_t height = mesh.sizes()[1];
  return std::has_single_bit(static_cast<std::uint64_t>(height)) && height >= 16 &&
         (width == height || (width == 2 * height && height <= widest_checked_height));
}

SegmentTrees constructed_two_trees(const Grid& mesh, NodeId source)
{
  const PlacedSource placed = placed_source(mesh, source);
  const MeshPlan plan = plan_of(mesh);
  std::optional<SegmentTrees> best;
  for (const Exit& exit : exits_of(cell_place(plan.squares.front(), placed.node), placed.node)) {
    if (best && plan.squares.size() == 1) {
      break; // on a square the first design that has all cells is as good as the other one
    }
    keep_shallower(best, trees_from_exit(plan, exit, placed, mesh));
  }
  if (!best) {
    throw std::logic_error("two_trees has no cells for a source");
  }
  return std::move(*best);
}

} // namespace wormcast
