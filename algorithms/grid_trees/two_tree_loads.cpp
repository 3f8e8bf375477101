#include "wormcast/algorithms/grid_trees/two_tree_loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace wormcast {

namespace {

/// Channels in a row or a column, used in one colour: those that leave the nodes from `low` to `high` of the line.
struct Segment {
  Heading heading = Heading::right;
  std::int32_t line = 0;
  std::int32_t low = 0;
  std::int32_t high = 0;
  std::uint32_t colour = 0;

  bool is_row() const { return heading == Heading::right || heading == Heading::left; }
  friend auto operator<=>(const Segment&, const Segment&) = default;
};

using Load = std::vector<Segment>;

/// A load without the size of its square: each position relative to one of three lines.
using LoadKey = std::set<std::array<std::int32_t, 8>>;

Heading opposite(Heading heading)
{
  return static_cast<Heading>(static_cast<std::uint8_t>(heading) ^ 1U);
}

void append_segments(Spot from, Spot to, std::uint32_t colour, Load& load)
{
  if (to.x > from.x) {
    load.push_back({Heading::right, from.y, from.x, to.x - 1, colour});
  } else if (to.x < from.x) {
    load.push_back({Heading::left, from.y, to.x + 1, from.x, colour});
  }
  if (to.y > from.y) {
    load.push_back({Heading::up, to.x, from.y, to.y - 1, colour});
  } else if (to.y < from.y) {
    load.push_back({Heading::down, to.x, to.y + 1, from.y, colour});
  }
}

bool has_conflict(Load load)
{
  std::ranges::sort(load, {}, [](const Segment& segment) {
    return std::tuple(segment.heading, segment.line, segment.colour, segment.low);
  });
  for (std::size_t i = 1; i < load.size(); ++i) {
    const Segment& before = load[i - 1];
    const Segment& next = load[i];
    if (before.heading == next.heading && before.line == next.line && before.colour == next.colour &&
        next.low <= before.high) {
      return true;
    }
  }
  return false;
}

/// What lies inside of a part of a square, in the part's own frame. Channels across its border belong to no part.
Load load_of_part(const Load& load, const SquarePlace& part)
{
  const std::int32_t side = part.side();
  Load inner;
  for (const Segment& outer : load) {
    Segment segment = outer;
    const bool row = segment.is_row();
    const std::int32_t along = row ? part.origin.x : part.origin.y;
    const std::int32_t across = row ? part.origin.y : part.origin.x;
    const bool forwards = segment.heading == Heading::right || segment.heading == Heading::up;
    segment.line -= across;
    segment.low = std::max(segment.low - along, forwards ? 0 : 1);
    segment.high = std::min(segment.high - along, forwards ? side - 2 : side - 1);
    if (segment.line < 0 || segment.line >= side || segment.low > segment.high) {
      continue;
    }
    const bool reflects_x = (part.change.reflection & 1U) != 0;
    const bool reflects_y = (part.change.reflection & 2U) != 0;
    if (row ? reflects_y : reflects_x) {
      segment.line = side - 1 - segment.line;
    }
    if (row ? reflects_x : reflects_y) {
      segment.heading = opposite(segment.heading);
      segment.low = std::exchange(segment.high, side - 1 - segment.low);
      segment.low = side - 1 - segment.low;
    }
    segment.colour ^= part.change.exchanges_colours;
    inner.push_back(segment);
  }
  return inner;
}

/// Follows loads from the largest square down to the cells.
class ClosureSearch {
public:
  ClosureSearch(const CellDesign& design, const std::array<JoinedCopy, 4>& copies, const std::array<JoinEdge, 6>& edges)
      : design_(design), copies_(copies), edges_(edges)
  {}

  LoadClosure run(std::uint32_t largest)
  {
    check_colours();
    for (std::uint32_t n = 4; n <= largest; ++n) {
      descend(n);
    }
    for (const auto& [load, first] : first_seen_) {
      found_.last_new_load = std::max(found_.last_new_load, first);
      for (std::uint32_t part = 0; part < 4; ++part) {
        const auto next = next_.find({load, part});
        closed_ = closed_ && next != next_.end() && first_seen_.contains(next->second);
      }
    }
    found_.is_closed = closed_;
    found_.loads = first_seen_.size();
    if ((found_.in_cells & ~design_.reserved).any()) {
      add_fault("an edge passes through a cell outside of the reserved channels");
    }
    return std::move(found_);
  }

private:
  void add_fault(std::string_view fault)
  {
    if (std::ranges::find(found_.faults, fault) == found_.faults.end()) {
      found_.faults.emplace_back(fault);
    }
  }

  std::array<SquarePlace, 4> parts(const SquarePlace& square) const { return parts_of(square, copies_); }

  /// Whoever is spare t of a square of this level at its place: a corner cell's.
  Spot spare(SquarePlace square, std::uint32_t tree) const
  {
    while (square.level > 0) {
      square = parts(square)[3];
    }
    return node_in_mesh(square, design_.spare[tree ^ square.change.exchanges_trees]);
  }

  /// Root t of a square of level >= 1.
  Spot root(const SquarePlace& square, std::uint32_t tree) const { return spare(parts(square)[1], tree); }

  // Both are the same for squares of all sizes: check_colours().
  std::uint32_t root_colour(const SquarePlace& square, std::uint32_t tree) const
  {
    return design_.root_colour[tree ^ square.change.exchanges_trees] ^ square.change.exchanges_colours;
  }
  std::uint32_t spare_colour(const SquarePlace& square, std::uint32_t tree) const
  {
    return design_.spare_colour[tree ^ square.change.exchanges_trees] ^ square.change.exchanges_colours;
  }

  /// A larger square's roots and spares wait in the same colours as a cell's, each sender of a join sends its two edges
  /// in different colours, and each root and all but two of the spares are fed in each tree.
  void check_colours()
  {
    const std::array<SquarePlace, 4> four = parts({.level = 1, .origin = {}, .change = {}});
    for (const std::uint32_t tree : {0U, 1U}) {
      if (spare_colour(four[1], tree) != design_.root_colour[tree] ||
          spare_colour(four[3], tree) != design_.spare_colour[tree]) {
        add_fault("the colours in which roots and spares wait are not the same at every size");
      }
      std::set<std::pair<std::uint32_t, std::uint32_t>> sent; // square of the sender, colour
      std::multiset<std::pair<std::uint32_t, bool>> fed;
      for (const JoinEdge& edge : edges_) {
        const std::uint32_t colour =
            edge.to_root ? root_colour(four[edge.to], tree) : spare_colour(four[edge.to], tree);
        if (!sent.emplace(edge.from, colour).second) {
          add_fault("a spare sends twice in a colour");
        }
        fed.emplace(edge.to, edge.to_root);
      }
      const std::multiset<std::pair<std::uint32_t, bool>> expected = {{0, true}, {1, true},  {2, true},
                                                                      {3, true}, {0, false}, {2, false}};
      if (fed != expected) {
        add_fault("a join does not feed each root and the spares of its first and its third square once in a tree");
      }
    }
  }

  /// The edges of a square's own join. Of edges to the roots of cells, whose columns the cells leave free, only the row
  /// as far as the other border of the cell.
  Load own_edges(const SquarePlace& square)
  {
    const std::array<SquarePlace, 4> four = parts(square);
    Load load;
    for (const std::uint32_t tree : {0U, 1U}) {
      for (const JoinEdge& edge : edges_) {
        const SquarePlace& to = four[edge.to];
        const Spot from = spare(four[edge.from], tree);
        const std::uint32_t colour = edge.to_root ? root_colour(to, tree) : spare_colour(to, tree);
        if (!edge.to_root) {
          append_segments(from, spare(to, tree), colour, load);
        } else if (to.level > 0) {
          append_segments(from, root(to, tree), colour, load);
        } else {
          if (from.y < to.origin.y || from.y >= to.origin.y + cell_side) {
            add_fault("an edge to the root of a cell does not enter the cell by a row of it");
          }
          append_segments(from, {to.origin.x == 0 ? 0 : 2 * cell_side - 1, from.y}, colour, load);
        }
      }
    }
    return load;
  }

  LoadKey key_of(std::int32_t side, const Load& load)
  {
    LoadKey key;
    for (const Segment& segment : load) {
      std::array<std::int32_t, 8> entry = {static_cast<std::int32_t>(segment.heading),
                                           static_cast<std::int32_t>(segment.colour)};
      std::size_t next = 2;
      for (const std::int32_t position : {segment.line, segment.low, segment.high}) {
        const std::array<std::int32_t, 3> lines = {0, side / 2, side};
        const auto near = std::ranges::find_if(
            lines, [&](std::int32_t line) { return position - line >= -4 && position - line < 4; });
        if (near == lines.end()) {
          add_fault("a load that is not near the borders or the centre");
          continue;
        }
        entry[next++] = static_cast<std::int32_t>(near - lines.begin());
        entry[next++] = position - *near;
      }
      key.insert(entry);
    }
    return key;
  }

  void descend(std::uint32_t n)
  {
    SquarePlace square{.level = n - 3, .origin = {}, .change = {}};
    std::map<LoadKey, Load> loads = {{LoadKey{}, Load{}}};
    for (; square.level > 0; --square.level) {
      const std::array<SquarePlace, 4> four = parts(square);
      const Load own = own_edges(square);
      std::map<LoadKey, Load> next;
      for (const auto& [key, load] : loads) {
        first_seen_.emplace(key, n);
        Load together = load;
        together.insert(together.end(), own.begin(), own.end());
        if (has_conflict(together)) {
          add_fault("two edges share a channel in a colour");
        }
        for (std::uint32_t part = 0; part < 4; ++part) {
          const Load inner = load_of_part(together, four[part]);
          if (four[part].level == 0) {
            add_to_cells(inner);
            continue;
          }
          const LoadKey inner_key = key_of(four[part].side(), inner);
          next.emplace(inner_key, inner);
          if (next_.try_emplace({key, part}, inner_key).first->second != inner_key) {
            add_fault("the load of a part is not the same at every size");
          }
        }
      }
      loads = std::move(next);
    }
  }

  void add_to_cells(const Load& load)
  {
    for (const Segment& segment : load) {
      for (std::int32_t position = segment.low; position <= segment.high; ++position) {
        const Spot node = segment.is_row() ? Spot{position, segment.line} : Spot{segment.line, position};
        found_.in_cells.set(lane(segment.colour, segment.heading, node));
      }
    }
  }

  const CellDesign& design_;
  const std::array<JoinedCopy, 4>& copies_;
  const std::array<JoinEdge, 6>& edges_;
  std::map<LoadKey, std::uint32_t> first_seen_; ///< with n of the smallest mesh
  std::map<std::pair<LoadKey, std::uint32_t>, LoadKey> next_;
  bool closed_ = true;
  LoadClosure found_;
};

} // namespace

LoadClosure load_closure(const CellDesign& design, std::uint32_t largest, const std::array<JoinedCopy, 4>& copies,
                         const std::array<JoinEdge, 6>& edges)
{
  return ClosureSearch(design, copies, edges).run(largest);
}

} // namespace wormcast
