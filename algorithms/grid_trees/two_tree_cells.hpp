#pragma once

#include <array>
#include <bitset>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

// Cells of 8 x 8 nodes from which two trees for every mesh of 2^n x 2^n nodes are built (two_tree_squares.hpp; own
// design, the cells found by a SAT solver). Steps have two colours, even and odd; an edge is used in the steps of its
// colour alone, so two edges conflict only if they share a channel in one colour.

/// The nodes of a cell's side.
inline constexpr std::int32_t cell_side = 8;

/// A position in a square: of a cell, of a block of cells, or of the mesh.
struct Spot {
  std::int32_t x = 0;
  std::int32_t y = 0;

  friend auto operator<=>(Spot, Spot) = default;
};

/// The position of `spot` in a square of side `side` that is reflected; bit 1 of `reflection`: in x, bit 2: in y.
constexpr Spot mirrored(std::int32_t side, std::uint32_t reflection, Spot spot)
{
  return {(reflection & 1U) != 0 ? side - 1 - spot.x : spot.x, (reflection & 2U) != 0 ? side - 1 - spot.y : spot.y};
}

/// An edge of tree 0 or 1, used in the steps of its colour.
struct ColouredEdge {
  Spot from;
  Spot to;
  std::uint32_t tree = 0;
  std::uint32_t colour = 0;

  friend bool operator==(const ColouredEdge&, const ColouredEdge&) = default;
};

/// Directions of a channel, in the order of the files: towards larger x, smaller x, larger y, smaller y.
enum class Heading : std::uint8_t { right, left, up, down };

/// The use of a channel in one colour, as an index below lane_count: the channel leaves `node` of a cell.
inline constexpr std::size_t lane_count = std::size_t{2} * 4 * cell_side * cell_side;
std::size_t lane(std::uint32_t colour, Heading heading, Spot node);

/// Uses of channels of a cell, by lane().
using Lanes = std::bitset<lane_count>;

/// Calls visit(heading, node) for each channel of the route from `from` to `to`: first along x, then along y.
template <typename Visit> void for_each_channel(Spot from, Spot to, Visit&& visit)
{
  for (; from.x != to.x; from.x += from.x < to.x ? 1 : -1) {
    visit(from.x < to.x ? Heading::right : Heading::left, from);
  }
  for (; from.y != to.y; from.y += from.y < to.y ? 1 : -1) {
    visit(from.y < to.y ? Heading::up : Heading::down, from);
  }
}

/// One cell: tree t of a cell spans all nodes but the spare t, the source and the relay.
struct TwoTreeCell {
  /// The use of the cell:
  /// "N": a normal cell;
  /// "L<row><d>": both colours of the row are free, to the right (d = 0) or to the left (d = 1);
  /// "S<x>,<y>": the source is at (x, y); it, and the relay where there is one, take part in no edge of the cell.
  std::string name;
  std::array<Spot, 2> root = {}; ///< by tree
  std::optional<Spot> source = {};
  std::optional<Spot> relay = {}; ///< the node to which the source sends both trees first
  std::vector<ColouredEdge> edges = {};
};

/// Cells that can stand in for each other: they have the same interface.
struct CellDesign {
  std::array<Spot, 2> spare = {};                     ///< spare t is not in tree t, and has sent nothing
  std::array<std::uint32_t, 2> root_colour = {0, 0};  ///< in which root t is to receive tree t
  std::array<std::uint32_t, 2> spare_colour = {0, 0}; ///< in which spare t is to receive tree t
  Lanes reserved = {};                                ///< left free by every cell, for the edges between cells
  std::vector<TwoTreeCell> cells = {};

  /// The cell of a name; null: there is none.
  const TwoTreeCell* find(std::string_view name) const;
};

/// Reads a design: lines "spares YX YX", "colours" (of the roots, then of the spares), "reserved" with the lanes as
/// COLOUR DIRECTION Y X, then a line for each cell: name, roots, source and relay ("--": none), and the edges, three
/// digits of base 64 each: from + 64*to + 4096*tree + 8192*colour, where a node is x + 8*y. Throws std::logic_error
/// where the text is not of this form.
CellDesign parse_cell_design(std::string_view text);

/// Both designs: the second one has the cells for the sources that the first one does not have.
std::span<const CellDesign> cell_designs();

/// What is wrong with a cell by the conditions that the proof for all n needs (docs/papers/two_trees.md); empty: it
/// meets all of them. Nothing that the table says is trusted but the interface itself.
std::vector<std::string> faults_of_cell(const CellDesign& design, const TwoTreeCell& cell);

/// The last step in which an edge of the cell starts, where root t receives tree t in step root_colour[t]. Needs a cell
/// without faults.
std::uint32_t last_start_in_cell(const CellDesign& design, const TwoTreeCell& cell);

} // namespace wormcast
