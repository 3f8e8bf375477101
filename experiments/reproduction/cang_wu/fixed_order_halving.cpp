#include "wormcast/experiments/reproduction/cang_wu/fixed_order_halving.hpp"

#include <algorithm>
#include <limits>

namespace wormcast {

namespace {

constexpr std::int64_t unreachable = std::numeric_limits<std::int64_t>::max() / 4;

/// A value for every node of a box, by its id in the box.
struct Box {
  std::vector<std::size_t> sizes;
  std::vector<std::int64_t> values;

  std::size_t stride(std::size_t axis) const
  {
    std::size_t stride = 1;
    for (std::size_t lower = 0; lower < axis; ++lower) {
      stride *= sizes[lower];
    }
    return stride;
  }
};

/// Replaces every value by the least of |p - q| + value(q) over the nodes q: forwards and backwards along each axis.
void spread(Box& box)
{
  for (std::size_t axis = 0; axis < box.sizes.size(); ++axis) {
    const std::size_t stride = box.stride(axis);
    const auto place = [&](std::size_t node) { return node / stride % box.sizes[axis]; };
    for (std::size_t node = 0; node < box.values.size(); ++node) {
      if (place(node) > 0) {
        box.values[node] = std::min(box.values[node], box.values[node - stride] + 1);
      }
    }
    for (std::size_t node = box.values.size(); node-- > 0;) {
      if (place(node) + 1 < box.sizes[axis]) {
        box.values[node] = std::min(box.values[node], box.values[node + stride] + 1);
      }
    }
  }
}

/// The box that is cut into two like `half` across `axis`.
Box uncut(const Box& half, std::size_t axis)
{
  const std::size_t stride = half.stride(axis);
  const std::size_t length = half.sizes[axis];
  Box box{half.sizes, {}};
  box.sizes[axis] = 2 * length;
  const std::size_t nodes = 2 * half.values.size();
  const auto is_upper = [&](std::size_t node) { return node / stride % (2 * length) >= length; };
  const auto in_half = [&](std::size_t node) {
    const std::size_t place = node / stride % (2 * length) % length;
    return node % stride + stride * (place + length * (node / (stride * 2 * length)));
  };
  box.values.resize(nodes);
  for (const bool upper : {false, true}) {
    Box reached{box.sizes, std::vector<std::int64_t>(nodes, unreachable)};
    for (std::size_t node = 0; node < nodes; ++node) {
      if (is_upper(node) != upper) {
        reached.values[node] = half.values[in_half(node)];
      }
    }
    spread(reached);
    for (std::size_t node = 0; node < nodes; ++node) {
      if (is_upper(node) == upper) {
        box.values[node] = half.values[in_half(node)] + reached.values[node];
      }
    }
  }
  return box;
}

} // namespace

std::vector<std::int64_t> fixed_order_halving_tcds(std::span<const std::size_t> crossed, unsigned k)
{
  Box box{std::vector<std::size_t>(crossed.size(), 1), {0}};
  for (unsigned level = 1; level <= k; ++level) {
    for (std::size_t r = crossed.size(); r-- > 0;) {
      box = uncut(box, crossed[r]);
    }
  }
  return box.values;
}

} // namespace wormcast
