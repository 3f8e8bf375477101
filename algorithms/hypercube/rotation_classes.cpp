#include "wormcast/algorithms/hypercube/rotation_classes.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

bool has_bit(std::uint32_t id, std::uint32_t link)
{
  return (id & link_bit(link)) != 0;
}

// R_k1.
bool holds_lowest_bits(const RotationClass& rotation_class)
{
  return (rotation_class.smallest & (rotation_class.smallest + 1)) == 0;
}

std::uint32_t class_size(std::uint32_t id, std::uint32_t dimension)
{
  std::uint32_t size = 1;
  for (std::uint32_t rotated = rotate_left(id, dimension); rotated != id; rotated = rotate_left(rotated, dimension)) {
    ++size;
  }
  return size;
}

} // namespace

std::uint32_t smallest_rotation(std::uint32_t id, std::uint32_t dimension)
{
  std::uint32_t smallest = id;
  for (std::uint32_t turn = 1; turn < dimension; ++turn) {
    id = rotate_left(id, dimension);
    smallest = std::min(smallest, id);
  }
  return smallest;
}

std::vector<RotationClass> rotation_classes(std::uint32_t dimension)
{
  std::vector<RotationClass> classes;
  for (std::uint32_t id = 1; id < 1U << dimension; ++id) {
    if (smallest_rotation(id, dimension) == id) {
      classes.push_back({id, class_size(id, dimension), 0});
    }
  }
  std::ranges::stable_sort(classes, {}, &RotationClass::ones);
  std::uint32_t number = 1;
  for (RotationClass& rotation_class : classes) {
    rotation_class.first_number = number;
    number += rotation_class.size;
  }
  return classes;
}

std::uint32_t first_of_class(const RotationClass& rotation_class, std::uint32_t dimension)
{
  const std::uint32_t link = link_of_number(rotation_class.first_number, dimension);
  const std::uint32_t below = link == 1 ? dimension : link - 1;
  const bool zero_below = holds_lowest_bits(rotation_class) && rotation_class.size > 1;
  std::uint32_t first = ~0U;
  std::uint32_t id = rotation_class.smallest;
  for (std::uint32_t turn = 0; turn < rotation_class.size; ++turn) {
    if (has_bit(id, link) && !(zero_below && has_bit(id, below))) {
      first = std::min(first, id);
    }
    id = rotate_left(id, dimension);
  }
  return first;
}

std::vector<std::uint32_t> multinode_broadcast_order(std::uint32_t dimension)
{
  std::vector<std::uint32_t> order;
  order.reserve(1U << dimension);
  for (const RotationClass& rotation_class : rotation_classes(dimension)) {
    std::uint32_t id = first_of_class(rotation_class, dimension);
    for (std::uint32_t turn = 0; turn < rotation_class.size; ++turn) {
      order.push_back(id);
      id = rotate_left(id, dimension);
    }
  }
  return order;
}

std::size_t compatible_class(std::span<const RotationClass> classes, std::size_t position, std::uint32_t dimension)
{
  const auto key = [](const RotationClass& one) { return std::pair(one.ones(), one.smallest); };
  const std::uint32_t id = classes[position].smallest; // the others differ by rotation only
  std::size_t first = classes.size();
  for (std::uint32_t rest = id; rest != 0; rest &= rest - 1) {
    const std::uint32_t bit = rest & (~rest + 1);
    const std::pair wanted{classes[position].ones() - 1, smallest_rotation(id & ~bit, dimension)};
    const auto found = std::ranges::lower_bound(classes, wanted, {}, key);
    if (found->size == dimension) {
      first = std::min(first, static_cast<std::size_t>(found - classes.begin()));
    }
  }
  if (first == classes.size()) {
    throw std::logic_error("a rotation class without a compatible one");
  }
  return first;
}

} // namespace wormcast
