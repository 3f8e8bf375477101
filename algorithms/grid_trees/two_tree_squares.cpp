#include "wormcast/algorithms/grid_trees/two_tree_squares.hpp"

#include <algorithm>
#include <stdexcept>

namespace wormcast {

namespace {

SquareInterface append_cell(const CellDesign& design, const SquarePlace& place, const TwoTreeCell& cell,
                            std::vector<ColouredEdge>& edges)
{
  const std::uint32_t trees = place.change.exchanges_trees;
  const std::uint32_t colours = place.change.exchanges_colours;
  for (const ColouredEdge& edge : cell.edges) {
    edges.push_back(
        {node_in_mesh(place, edge.from), node_in_mesh(place, edge.to), edge.tree ^ trees, edge.colour ^ colours});
  }
  SquareInterface shown;
  for (const std::uint32_t tree : {0U, 1U}) {
    shown.root[tree] = node_in_mesh(place, cell.root[tree ^ trees]);
    shown.spare[tree] = node_in_mesh(place, design.spare[tree ^ trees]);
    shown.root_colour[tree] = design.root_colour[tree ^ trees] ^ colours;
    shown.spare_colour[tree] = design.spare_colour[tree ^ trees] ^ colours;
  }
  return shown;
}

void append_join(const std::array<SquareInterface, 4>& parts, std::uint32_t tree, std::vector<ColouredEdge>& edges)
{
  for (const JoinEdge& edge : join_edges) {
    const SquareInterface& receiver = parts[edge.to];
    edges.push_back({parts[edge.from].spare[tree], edge.to_root ? receiver.root[tree] : receiver.spare[tree], tree,
                     edge.to_root ? receiver.root_colour[tree] : receiver.spare_colour[tree]});
  }
}

} // namespace

Spot node_in_mesh(const SquarePlace& square, Spot inner)
{
  const Spot placed = mirrored(square.side(), square.change.reflection, inner);
  return {square.origin.x + placed.x, square.origin.y + placed.y};
}

std::array<SquarePlace, 4> parts_of(const SquarePlace& square, const std::array<JoinedCopy, 4>& copies)
{
  // A join is seen from the opposite corner: in the frame of the larger square its spares lie at the lower left.
  const std::uint32_t seen = square.change.reflection ^ 3U;
  const std::int32_t half = square.side() / 2;
  std::array<SquarePlace, 4> parts;
  for (std::uint32_t part = 0; part < 4; ++part) {
    const std::uint32_t where = part ^ seen;
    const JoinedCopy& copy = copies[part];
    parts[part] = {
        .level = square.level - 1,
        .origin = {square.origin.x + ((where & 1U) != 0 ? half : 0), square.origin.y + ((where & 2U) != 0 ? half : 0)},
        .change = {.reflection = copy.reflection ^ seen,
                   .exchanges_trees = copy.exchanges_trees ^ square.change.exchanges_trees,
                   .exchanges_colours = copy.exchanges_colours ^ square.change.exchanges_colours}};
  }
  return parts;
}

SquareInterface append_square(const CellDesign& design, const SquarePlace& square, const CellAt& cell_at,
                              std::vector<ColouredEdge>& edges)
{
  if (square.level == 0) {
    return append_cell(design, square, cell_at(square), edges);
  }
  std::array<SquareInterface, 4> parts;
  const std::array<SquarePlace, 4> places = parts_of(square);
  for (std::size_t part = 0; part < 4; ++part) {
    parts[part] = append_square(design, places[part], cell_at, edges);
  }
  for (const std::uint32_t tree : {0U, 1U}) {
    append_join(parts, tree, edges);
  }
  return {.root = parts[1].spare,
          .spare = parts[3].spare,
          .root_colour = parts[1].spare_colour,
          .spare_colour = parts[3].spare_colour};
}

SquarePlace cell_place(SquarePlace square, Spot spot)
{
  while (square.level > 0) {
    const std::array<SquarePlace, 4> parts = parts_of(square);
    square = *std::ranges::find_if(parts, [&](const SquarePlace& part) {
      return spot.x >= part.origin.x && spot.x < part.origin.x + part.side() && spot.y >= part.origin.y &&
             spot.y < part.origin.y + part.side();
    });
  }
  return square;
}

} // namespace wormcast
