#include "wormcast/algorithms/hypercube/rotation_classes.hpp"
#include "wormcast/algorithms/hypercube/trees.hpp"
#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"
#include "wormcast/experiments/reproduction/bertsekas/trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

namespace wormcast::bertsekas {

namespace {

std::uint32_t class_size(std::uint32_t id, std::uint32_t d)
{
  std::uint32_t size = 1;
  for (std::uint32_t turned = rotate_left(id, d); turned != id; turned = rotate_left(turned, d)) {
    ++size;
  }
  return size;
}

// What the rule makes of t, whose rightmost bit is 1 and leftmost 0: t without the 1 to the right of a longest string
// of zeros, for each such string.
std::vector<std::uint32_t> without_one_behind_zeros(std::uint32_t t, std::uint32_t d)
{
  std::uint32_t longest = 0;
  std::vector<std::uint32_t> results;
  for (std::uint32_t left = d; left > 0; --left) {
    std::uint32_t right = left; // bits left .. right + 1 are zeros
    while (right > 0 && (t & link_bit(right)) == 0) {
      --right;
    }
    const std::uint32_t zeros = left - right;
    if (zeros == 0) {
      continue;
    }
    if (zeros > longest) {
      longest = zeros;
      results.clear();
    }
    if (zeros == longest) {
      results.push_back(t ^ link_bit(right));
    }
    left = right + 1;
  }
  return results;
}

Evidence compatible_classes_exist()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 3; d <= 14; ++d) {
    std::uint64_t tried = 0;
    std::uint64_t small = 0;
    const std::uint32_t leftmost = link_bit(d);
    for (std::uint32_t t = 3; t < leftmost; t += 2) {
      for (const std::uint32_t below : without_one_behind_zeros(t, d)) {
        ++tried;
        small += class_size(below, d) != as_claimed(d);
      }
    }
    observations.push_back(none(fmt::format("classes of fewer than d ids, of {} ids t', d = {}", tried, d), small));
    const std::vector<RotationClass> classes = rotation_classes(d);
    std::uint64_t found = 0;
    std::uint64_t wanted = 0;
    for (std::size_t position = 0; position < classes.size(); ++position) {
      const std::uint32_t ones = classes[position].ones();
      if (ones >= 2 && ones < d) {
        ++wanted;
        const RotationClass& compatible = classes[compatible_class(classes, position, d)];
        found += compatible.size == d && compatible.ones() + 1 == ones;
      }
    }
    observations.push_back(equal(fmt::format("classes with a compatible class, d = {}", d), wanted, found));
  }
  const auto example = [](std::uint32_t t, const std::vector<std::uint32_t>& expected) {
    std::vector<std::uint32_t> found = without_one_behind_zeros(t, 7);
    std::string text;
    for (const std::uint32_t id : found) {
      text += (text.empty() ? "" : " or ") + bits(id, 7);
    }
    std::ranges::sort(found);
    return Observation{
        .what = "t' of t = " + bits(t, 7), .expected = "as printed", .found = text, .holds = found == expected};
  };
  observations.push_back(example(0b0010011, {0b0000011, 0b0010001}));
  observations.push_back(example(0b0010001, {0b0010000}));
  return all_hold("d = 3..14, every id t and every string of zeros; both examples", observations);
}

/// The construction of T with all of its choices: the first id of R_11, compatible classes, the first ids that contain
/// t'.
class BalancedTrees {
public:
  BalancedTrees(std::uint32_t dimension, std::function<void(const Tree&)> visit)
      : dimension_(dimension), classes_(rotation_classes(dimension)), visit_(std::move(visit)),
        parent_(1U << dimension, 0), link_(1U << dimension, 0)
  {}

  void visit_all()
  {
    std::uint32_t first = 1;
    for (std::uint32_t turn = 0; turn < dimension_; ++turn) {
      std::uint32_t id = first;
      for (std::uint32_t number = 1; number <= dimension_; ++number) {
        link_[id] = number;
        id = rotate_left(id, dimension_);
      }
      add_class(1);
      first = rotate_left(first, dimension_);
    }
  }

private:
  void add_class(std::size_t position)
  {
    if (position >= classes_.size()) { // d = 1
      visit_(parent_);
      return;
    }
    const RotationClass& added = classes_[position];
    const std::uint32_t link = link_of_number(added.first_number, dimension_);
    if (position + 1 == classes_.size()) {
      parent_[added.smallest] = of_link(classes_[position - 1], link);
      visit_(parent_);
      return;
    }
    for (const RotationClass& above : classes_) {
      if (above.ones() + 1 == added.ones() && above.size == dimension_) {
        add_below(position, of_link(above, link));
      }
    }
  }

  void add_below(std::size_t position, std::uint32_t first_parent)
  {
    const RotationClass& added = classes_[position];
    std::uint32_t first = added.smallest;
    for (std::uint32_t choice = 0; choice < added.size; ++choice, first = rotate_left(first, dimension_)) {
      if ((first & first_parent) != first_parent) {
        continue;
      }
      std::uint32_t id = first;
      std::uint32_t parent = first_parent;
      for (std::uint32_t turn = 0; turn < added.size; ++turn) {
        parent_[id] = parent;
        link_[id] = link_of_number(added.first_number + turn, dimension_);
        id = rotate_left(id, dimension_);
        parent = rotate_left(parent, dimension_);
      }
      add_class(position + 1);
    }
  }

  std::uint32_t of_link(const RotationClass& one, std::uint32_t wanted) const
  {
    std::uint32_t id = one.smallest;
    while (link_[id] != wanted) {
      id = rotate_left(id, dimension_);
    }
    return id;
  }

  std::uint32_t dimension_;
  std::vector<RotationClass> classes_;
  std::function<void(const Tree&)> visit_;
  Tree parent_;
  std::vector<std::uint32_t> link_; // m(x), by id
};

bool is_shortest_path_tree(const Tree& tree)
{
  for (std::uint32_t id = 1; id < tree.size(); ++id) {
    if (!std::has_single_bit(id ^ tree[id]) || tree[id] > id) {
      return false;
    }
  }
  return true;
}

bool is_perfectly_balanced(const std::vector<std::uint32_t>& sizes, std::uint32_t d)
{
  const std::uint32_t nodes = (1U << d) - 1;
  return std::ranges::min(sizes) == as_claimed(nodes / d) && std::ranges::max(sizes) == as_claimed(packets_per_link(d));
}

// The largest subtrees of T and of the trees of dimension order.
ExhibitFigure largest_subtrees()
{
  std::vector<double> balanced;
  std::vector<double> binomial;
  std::vector<double> bound;
  for (std::uint32_t d = 1; d <= 12; ++d) {
    balanced.push_back(std::ranges::max(subtree_sizes(balanced_tree(d), d)));
    binomial.push_back(std::ranges::max(subtree_sizes(binomial_tree(d).parent, d)));
    bound.push_back(static_cast<double>(packets_per_link(d)));
  }
  return {.title = "Largest subtree: time of a scatter",
          .x_label = "dimension d",
          .y_label = "nodes",
          .log_y = true,
          .series = {series_by_dimension("perfectly balanced tree", ExhibitSeries::Kind::measured, 1, balanced),
                     series_by_dimension("binomial tree (e-cube)", ExhibitSeries::Kind::measured, 1, binomial),
                     series_by_dimension("ceil((2^d - 1) / d)", ExhibitSeries::Kind::predicted, 1, bound)},
          .marks = {}};
}

Evidence perfectly_balanced()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 14; ++d) {
    const Tree tree = balanced_tree(d);
    const std::vector<std::uint32_t> sizes = subtree_sizes(tree, d);
    const auto [least, most] = std::ranges::minmax(sizes);
    observations.push_back({.what = fmt::format("d = {}", d),
                            .expected = fmt::format("shortest paths, subtrees of {} to {} nodes",
                                                    as_claimed(((1U << d) - 1) / d), as_claimed(packets_per_link(d))),
                            .found = fmt::format("subtrees of {} to {} nodes", least, most),
                            .holds = is_shortest_path_tree(tree) && is_perfectly_balanced(sizes, d)});
  }
  for (std::uint32_t d = 1; d <= 6; ++d) {
    std::uint64_t trees = 0;
    std::uint64_t wrong = 0;
    BalancedTrees(d, [&](const Tree& tree) {
      ++trees;
      wrong += !is_shortest_path_tree(tree) || !is_perfectly_balanced(subtree_sizes(tree, d), d);
    }).visit_all();
    observations.push_back(none(fmt::format("wrong ones of all {} trees, d = {}", trees, d), wrong));
  }
  Evidence evidence = all_hold("the program's tree for d = 1..14; for d = 1..6 all trees that the construction allows "
                               "with the classes in the program's order",
                               observations);
  evidence.figures.push_back(largest_subtrees());
  return evidence;
}

// Rows are numbers of ones, columns the subtrees T_1, T_2, ...
ExhibitTable tree_table(std::uint32_t d)
{
  const Tree tree = balanced_tree(d);
  const std::vector<std::uint32_t> subtree = subtree_of(tree);
  ExhibitTable table{.title = fmt::format("T of the {}-cube", d), .header = {"links from the root"}, .rows = {}};
  for (std::uint32_t link = 1; link <= d; ++link) {
    table.header.push_back(fmt::format("T_{}", link));
  }
  for (std::uint32_t ones = 1; ones <= d; ++ones) {
    table.rows.emplace_back(d + 1);
    table.rows.back()[0] = fmt::to_string(ones);
    for (std::uint32_t id = 1; id < tree.size(); ++id) {
      if (static_cast<std::uint32_t>(std::popcount(id)) == ones) {
        std::string& cell = table.rows.back()[subtree[id] + 1];
        cell += fmt::format("{}{} > {}", cell.empty() ? "" : ", ", bits(tree[id], d), bits(id, d));
      }
    }
  }
  return table;
}

Evidence figure_4()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 3; d <= 4; ++d) {
    const auto cube = make_cube(d);
    std::uint32_t count = 0;
    BalancedTrees(d, [&](const Tree& tree) {
      observations.push_back(costs(fmt::format("tree {}, d = {}", ++count, d), *cube,
                                   schedule_of_hops(scatter_hops(tree), Operation::scatter, *cube), packets_per_link(d),
                                   std::uint64_t{d} << (d - 1)));
    }).visit_all();
  }
  Evidence evidence = not_testable(
      lost_drawing, all_hold("scatters down all trees that the construction allows for d = 3, 4", observations));
  evidence.tables.push_back(tree_table(3));
  evidence.tables.push_back(tree_table(4));
  return evidence;
}

} // namespace

std::vector<Check> balanced_tree_checks()
{
  const Demonstration shown = checked({.dimension = 4, .algorithm = "single_node_scatter"});
  return {check_of("compatible_classes", shown, compatible_classes_exist),
          check_of("perfectly_balanced", shown, perfectly_balanced), check_of("figure_4", shown, figure_4)};
}

} // namespace wormcast::bertsekas
