// The conditions that a cell must meet for the proof that two trees built of cells are right for every n.

#include "wormcast/algorithms/grid_trees/two_tree_cells.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace wormcast {

namespace {

/// The edge by which a node receives a tree.
using Receptions = std::map<std::pair<Spot, std::uint32_t>, const ColouredEdge*>;

/// Reads one cell and collects what is wrong with it.
class CellCheck {
public:
  CellCheck(const CellDesign& design, const TwoTreeCell& cell) : design_(design), cell_(cell) {}

  std::vector<std::string> faults()
  {
    read_edges();
    if (!faults_.empty()) {
      return std::move(faults_);
    }
    check_trees();
    check_colours();
    check_free_slots();
    check_free_lanes();
    return std::move(faults_);
  }

  /// Steps until the node sends tree `tree`: an edge takes one step where its receiver waits in the other colour than
  /// the sender did, else two. Needs trees without faults.
  std::uint32_t step_of(Spot node, std::uint32_t tree)
  {
    const auto received = receptions_.find({node, tree});
    if (received == receptions_.end()) {
      return design_.root_colour[tree];
    }
    const std::uint32_t before = step_of(received->second->from, tree);
    return before + ((before + 1) % 2 == received->second->colour ? 1 : 2);
  }

  std::uint32_t last_start()
  {
    read_edges();
    std::uint32_t last = 0;
    for (const ColouredEdge& edge : cell_.edges) {
      last = std::max(last, step_of(edge.to, edge.tree));
    }
    return last;
  }

private:
  void add(std::string_view fault)
  {
    if (std::ranges::find(faults_, fault) == faults_.end()) {
      faults_.emplace_back(fault);
    }
  }

  bool takes_no_part(Spot node) const { return node == cell_.source || node == cell_.relay; }

  void read_edges()
  {
    for (const ColouredEdge& edge : cell_.edges) {
      if (!senders_.emplace(edge.from, edge.colour).second) {
        add("a node sends twice in a colour");
      }
      if (!receptions_.emplace(std::pair(edge.to, edge.tree), &edge).second) {
        add("a node receives a tree twice");
      }
      for_each_channel(edge.from, edge.to, [&](Heading heading, Spot node) {
        const std::size_t used = lane(edge.colour, heading, node);
        if (used_[used]) {
          add("two edges share a channel in a colour");
        }
        used_.set(used);
      });
    }
  }

  template <typename Visit> static void for_each_node(Visit&& visit)
  {
    for (Spot node; node.y < cell_side; ++node.y) {
      for (node.x = 0; node.x < cell_side; ++node.x) {
        visit(node);
      }
    }
  }

  bool reaches_root(Spot node, std::uint32_t tree) const
  {
    for (int edges = 0; edges <= cell_side * cell_side && node != cell_.root[tree]; ++edges) {
      const auto received = receptions_.find({node, tree});
      if (received == receptions_.end()) {
        return false;
      }
      node = received->second->from;
    }
    return node == cell_.root[tree];
  }

  void check_trees()
  {
    for (const std::uint32_t tree : {0U, 1U}) {
      if (receptions_.contains({cell_.root[tree], tree})) {
        add("a root is entered by its tree");
      }
      for_each_node([&](Spot node) {
        if (takes_no_part(node) || node == design_.spare[tree]) {
          if (receptions_.contains({node, tree})) {
            add("a spare, the source or the relay is entered");
          }
        } else if (!reaches_root(node, tree)) {
          add("a node is not reached from the root of a tree");
        }
      });
    }
  }

  std::uint32_t colour_of(Spot node, std::uint32_t tree) const
  {
    if (node == design_.spare[tree]) {
      return design_.spare_colour[tree];
    }
    const auto received = receptions_.find({node, tree});
    return received == receptions_.end() ? design_.root_colour[tree] : received->second->colour;
  }

  void check_colours()
  {
    for_each_node([&](Spot node) {
      if (!takes_no_part(node) && colour_of(node, 0) == colour_of(node, 1)) {
        add("a node receives both trees in one colour");
      }
    });
  }

  void check_free_slots()
  {
    for (const auto& [node, colour] : senders_) {
      if (node == design_.spare[0] || node == design_.spare[1] || takes_no_part(node)) {
        add("a spare, the source or the relay sends");
      }
    }
  }

  void require_free(std::uint32_t colour, Heading heading, Spot node, bool also_of_others, std::string_view what)
  {
    const std::size_t needed = lane(colour, heading, node);
    if (used_[needed] || (also_of_others && design_.reserved[needed])) {
      add(what);
    }
  }

  void check_free_lanes()
  {
    if ((used_ & design_.reserved).any()) {
      add("an edge uses a reserved channel");
    }
    for (const std::uint32_t tree : {0U, 1U}) {
      const Spot root = cell_.root[tree];
      for (std::int32_t y = 0; y < cell_side; ++y) {
        if (y != root.y) {
          require_free(design_.root_colour[tree], y < root.y ? Heading::up : Heading::down, {root.x, y}, true,
                       "the column from the border to a root is not free");
        }
      }
    }
    for (const std::uint32_t colour : {0U, 1U}) {
      if (cell_.name.starts_with('L') && cell_.name.size() == 3) {
        require_row(colour, cell_.name[1] - '0', cell_.name[2] == '0' ? Heading::right : Heading::left, std::nullopt);
      }
      if (cell_.source) {
        const Spot exit = cell_.relay.value_or(*cell_.source);
        require_row(colour, exit.y, Heading::right, exit);
        require_row(colour, exit.y, Heading::left, exit);
        for_each_channel(*cell_.source, exit, [&](Heading heading, Spot node) {
          require_free(colour, heading, node, true, "the route from the source to the relay is not free");
        });
      }
    }
  }

  /// The row is free as far as the border from `exit` on, or throughout.
  void require_row(std::uint32_t colour, std::int32_t row, Heading heading, std::optional<Spot> exit)
  {
    for (std::int32_t x = 0; x < cell_side; ++x) {
      const bool leaves_the_cell = heading == Heading::right ? x == cell_side - 1 : x == 0;
      const bool behind = exit && (heading == Heading::right ? x < exit->x : x > exit->x);
      if (!leaves_the_cell && !behind) {
        require_free(colour, heading, {x, row}, true, "a row that the source needs is not free");
      }
    }
  }

  const CellDesign& design_;
  const TwoTreeCell& cell_;
  std::set<std::pair<Spot, std::uint32_t>> senders_; ///< with the colour
  Receptions receptions_;
  Lanes used_;
  std::vector<std::string> faults_;
};

} // namespace

std::vector<std::string> faults_of_cell(const CellDesign& design, const TwoTreeCell& cell)
{
  return CellCheck(design, cell).faults();
}

std::uint32_t last_start_in_cell(const CellDesign& design, const TwoTreeCell& cell)
{
  return CellCheck(design, cell).last_start();
}

} // namespace wormcast
