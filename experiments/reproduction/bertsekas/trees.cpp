#include "wormcast/experiments/reproduction/bertsekas/trees.hpp"

#include "wormcast/algorithms/hypercube/rotation_classes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace wormcast::bertsekas {

namespace {

// Links to node 0; the number of nodes where a walk does not end there.
std::uint32_t depth(const Tree& parent, std::uint32_t id)
{
  std::uint32_t links = 0;
  while (id != 0 && links < parent.size()) {
    id = parent[id];
    ++links;
  }
  return links;
}

} // namespace

bool is_spanning_tree(const Tree& parent)
{
  for (std::uint32_t id = 1; id < parent.size(); ++id) {
    if (!std::has_single_bit(id ^ parent[id]) || depth(parent, id) == parent.size()) {
      return false;
    }
  }
  return true;
}

std::vector<std::uint32_t> subtree_of(const Tree& parent)
{
  std::vector<std::uint32_t> link(parent.size(), 0);
  for (std::uint32_t id = 1; id < parent.size(); ++id) {
    std::uint32_t first = id;
    while (parent[first] != 0) {
      first = parent[first];
    }
    link[id] = static_cast<std::uint32_t>(std::countr_zero(first));
  }
  return link;
}

std::vector<std::uint32_t> subtree_sizes(const Tree& parent, std::uint32_t dimension)
{
  const std::vector<std::uint32_t> link = subtree_of(parent);
  std::vector<std::uint32_t> sizes(dimension, 0);
  for (std::uint32_t id = 1; id < parent.size(); ++id) {
    ++sizes[link[id]];
  }
  return sizes;
}

Tree rotation_tree(std::uint32_t dimension)
{
  Tree parent(1U << dimension, 0);
  for (std::uint32_t id = 1; id < parent.size(); ++id) {
    const std::uint32_t smallest = smallest_rotation(id, dimension);
    std::uint32_t turned = smallest;
    std::uint32_t above = smallest ^ std::bit_floor(smallest);
    for (; turned != id; turned = rotate_left(turned, dimension)) {
      above = rotate_left(above, dimension);
    }
    parent[id] = above;
  }
  return parent;
}

std::vector<Hop> scatter_hops(const Tree& parent)
{
  const std::vector<std::uint32_t> link = subtree_of(parent);
  std::vector<std::uint32_t> depths(parent.size(), 0);
  for (std::uint32_t id = 1; id < parent.size(); ++id) {
    depths[id] = depth(parent, id);
  }
  std::vector<std::uint32_t> order(parent.size() - 1);
  std::iota(order.begin(), order.end(), 1U);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::uint32_t id) { return depths[id]; });
  std::vector<std::uint32_t> sent(32, 0); // by link
  std::vector<Hop> hops;
  for (const std::uint32_t packet : order) {
    std::uint32_t step = ++sent[link[packet]] + depths[packet] - 1;
    for (std::uint32_t to = packet; to != 0; to = parent[to], --step) {
      hops.push_back({step, parent[to], to, packet});
    }
  }
  return hops;
}

} // namespace wormcast::bertsekas
