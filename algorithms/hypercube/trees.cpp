#include "wormcast/algorithms/hypercube/trees.hpp"

#include "wormcast/algorithms/hypercube/rotation_classes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

namespace wormcast {

namespace {

std::uint32_t lowest_bit(std::uint32_t id)
{
  return id & (~id + 1);
}

std::uint32_t highest_bit(std::uint32_t id)
{
  return std::bit_floor(id);
}

/// A tree made of parent(id) and step(id).
template <typename Parent, typename Step>
BroadcastTree broadcast_tree(std::uint32_t dimension, Parent&& parent, Step&& step)
{
  const std::uint32_t nodes = 1U << dimension;
  BroadcastTree tree{std::vector<std::uint32_t>(nodes), std::vector<std::uint32_t>(nodes)};
  for (std::uint32_t id = 1; id < nodes; ++id) {
    tree.parent[id] = parent(id);
    tree.step[id] = step(id);
  }
  return tree;
}

// The order in which a scatter sends: the farthest first, then by id.
std::vector<std::uint32_t> farthest_first(std::size_t nodes)
{
  std::vector<std::uint32_t> order(nodes - 1);
  std::iota(order.begin(), order.end(), 1U);
  std::ranges::stable_sort(order, std::ranges::greater{}, [](std::uint32_t id) { return std::popcount(id); });
  return order;
}

/// Puts the classes into the tree T of section 3, one after the other.
class BalancedTree {
public:
  explicit BalancedTree(std::uint32_t dimension)
      : dimension_(dimension), classes_(rotation_classes(dimension)), parent_(1U << dimension), number_(1U << dimension)
  {}

  std::vector<std::uint32_t> build()
  {
    add_neighbours();
    for (std::size_t position = 1; position + 1 < classes_.size(); ++position) {
      add_class(position);
    }
    if (dimension_ > 1) {
      add_last();
    }
    return std::move(parent_);
  }

private:
  std::uint32_t link(std::uint32_t id) const { return link_of_number(number_[id], dimension_); }

  // R_11
  void add_neighbours()
  {
    for (std::uint32_t k = 1; k <= dimension_; ++k) {
      number_[link_bit(k)] = k;
    }
  }

  void add_class(std::size_t position)
  {
    const RotationClass& added = classes_[position];
    const RotationClass& above = classes_[compatible_class(classes_, position, dimension_)];
    std::uint32_t parent = of_link(above, link_of_number(added.first_number, dimension_));
    std::uint32_t id = smallest_containing(added, parent);
    for (std::uint32_t turn = 0; turn < added.size; ++turn) {
      number_[id] = added.first_number + turn;
      parent_[id] = parent;
      id = rotate_left(id, dimension_);
      parent = rotate_left(parent, dimension_);
    }
  }

  // 1..1 goes below the id of R_(d-1)1 that keeps it in the subtree of its link.
  void add_last()
  {
    const RotationClass& last = classes_.back();
    number_[last.smallest] = last.first_number;
    parent_[last.smallest] = of_link(classes_[classes_.size() - 2], link(last.smallest));
  }

  // The id of a class of d ids that belongs to a link.
  std::uint32_t of_link(const RotationClass& rotation_class, std::uint32_t wanted) const
  {
    std::uint32_t id = rotation_class.smallest;
    while (link(id) != wanted) {
      id = rotate_left(id, dimension_);
    }
    return id;
  }

  std::uint32_t smallest_containing(const RotationClass& rotation_class, std::uint32_t bits) const
  {
    std::uint32_t smallest = ~0U;
    std::uint32_t id = rotation_class.smallest;
    for (std::uint32_t turn = 0; turn < rotation_class.size; ++turn) {
      if ((id & bits) == bits) {
        smallest = std::min(smallest, id);
      }
      id = rotate_left(id, dimension_);
    }
    return smallest;
  }

  std::uint32_t dimension_;
  std::vector<RotationClass> classes_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> number_; // n(t) of section 3, by id
};

} // namespace

BroadcastTree multinode_broadcast_tree(std::uint32_t dimension)
{
  const std::uint32_t nodes = 1U << dimension;
  BroadcastTree tree{std::vector<std::uint32_t>(nodes), std::vector<std::uint32_t>(nodes)};
  std::uint32_t number = 0;
  for (const std::uint32_t id : multinode_broadcast_order(dimension)) {
    ++number;
    tree.parent[id] = id ^ link_bit(link_of_number(number, dimension));
    tree.step[id] = (number - 1) / dimension;
  }
  return tree;
}

BroadcastTree one_port_multinode_broadcast_tree(std::uint32_t dimension)
{
  // The stage of link k begins in step 2^(k-1) - 1; the packet of node 0 is at j < 2^(k-1) and leaves in its step j.
  return broadcast_tree(
      dimension, [](std::uint32_t id) { return id ^ highest_bit(id); }, [](std::uint32_t id) { return id - 1; });
}

BroadcastTree binomial_tree(std::uint32_t dimension)
{
  return broadcast_tree(
      dimension, [](std::uint32_t id) { return id ^ lowest_bit(id); },
      [&](std::uint32_t id) { return dimension - 1 - static_cast<std::uint32_t>(std::countr_zero(id)); });
}

BroadcastTree all_port_broadcast_tree(std::uint32_t dimension)
{
  return broadcast_tree(
      dimension, [](std::uint32_t id) { return id ^ highest_bit(id); },
      [](std::uint32_t id) { return static_cast<std::uint32_t>(std::popcount(id)) - 1; });
}

std::vector<std::uint32_t> balanced_tree(std::uint32_t dimension)
{
  return BalancedTree(dimension).build();
}

ScatterTree balanced_scatter_tree(std::uint32_t dimension)
{
  ScatterTree tree{balanced_tree(dimension), {}};
  tree.start.resize(tree.parent.size());
  const std::vector<std::uint32_t> neighbour = first_hops(tree.parent);
  std::vector<std::uint32_t> sent(dimension, 0); // by link
  for (const std::uint32_t id : farthest_first(tree.parent.size())) {
    tree.start[id] = sent[static_cast<std::size_t>(std::countr_zero(neighbour[id]))]++;
  }
  return tree;
}

ScatterTree one_port_scatter_tree(std::uint32_t dimension)
{
  ScatterTree tree{binomial_tree(dimension).parent, std::vector<std::uint32_t>(1U << dimension)};
  std::uint32_t sent = 0;
  for (const std::uint32_t id : farthest_first(tree.parent.size())) {
    tree.start[id] = sent++;
  }
  return tree;
}

std::vector<std::uint32_t> first_hops(const std::vector<std::uint32_t>& parent)
{
  std::vector<std::uint32_t> neighbour(parent.size(), 0);
  for (std::uint32_t id = 1; id < parent.size(); ++id) { // a parent is smaller than its children
    neighbour[id] = parent[id] == 0 ? id : neighbour[parent[id]];
  }
  return neighbour;
}

} // namespace wormcast
