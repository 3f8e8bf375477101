#include "wormcast/topologies/folding.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace wormcast {

namespace {

/// A position in the plane of a long and a small axis.
struct FoldedPosition {
  std::int64_t along = 0;
  std::int64_t across = 0;
};

using FoldedPath = std::vector<FoldedPosition>;

FoldedPath path_over_two(std::int64_t size)
{
  FoldedPath path;
  for (std::int64_t i = 0; i < size / 2; ++i) {
    path.push_back({i, 0});
  }
  for (std::int64_t i = size / 2; i-- > 0;) {
    path.push_back({i, 1});
  }
  return path;
}

FoldedPath path_over_three(std::int64_t size)
{
  const std::int64_t columns = (size + 2) / 3;
  std::int64_t singles = 3 * columns - size;
  FoldedPath path;
  for (std::int64_t i = 0; i < columns; ++i) {
    path.push_back({i, 0});
  }
  std::int64_t across = 2;
  for (std::int64_t i = columns; i-- > 0 && static_cast<std::int64_t>(path.size()) < size; --singles) {
    path.push_back({i, across});
    if (singles <= 0) {
      across = 3 - across;
      path.push_back({i, across});
    }
  }
  return path;
}

class Folding {
public:
  Folding(const Grid& folded, const Grid& box) : folded_(folded), box_(box), dimensions_(folded.sizes().size())
  {
    if (box.sizes().size() != 2 * dimensions_) {
      throw InputError(fmt::format("a {} cannot be folded into a {}: expected a box of {} dimensions, a long and a "
                                   "small axis for each, the long ones first",
                                   folded.title(), box.title(), 2 * dimensions_));
    }
    for (std::size_t dimension = 0; dimension < dimensions_; ++dimension) {
      paths_.push_back(path_of(dimension));
      check(dimension);
    }
  }

  std::vector<NodeId> nodes() const
  {
    std::vector<NodeId> nodes;
    nodes.reserve(folded_.node_count());
    for (std::uint32_t node = 0; node < folded_.node_count(); ++node) {
      std::int64_t at = 0;
      for (std::size_t dimension = 0; dimension < dimensions_; ++dimension) {
        const auto position = static_cast<std::size_t>(folded_.coordinate(NodeId{node}, dimension));
        const auto [along, across] = paths_[dimension][position];
        at += along * box_.stride(dimension) + across * box_.stride(dimensions_ + dimension);
      }
      nodes.push_back(NodeId{static_cast<std::uint32_t>(at)});
    }
    return nodes;
  }

private:
  [[noreturn]] void refuse(std::size_t dimension, const std::string& why) const
  {
    throw InputError(fmt::format("a {} cannot be folded into a {}: its dimension {} of {} nodes {}", folded_.title(),
                                 box_.title(), dimension_name(dimension), folded_.sizes()[dimension], why));
  }

  FoldedPath path_of(std::size_t dimension) const
  {
    const std::int64_t size = folded_.sizes()[dimension];
    const std::int64_t across = box_.sizes()[dimensions_ + dimension];
    FoldedPath path;
    if (across > 3) {
      refuse(dimension, fmt::format("has a small axis of {}, expected at most 3", across));
    }
    if (across == 3) {
      path = path_over_three(size);
    } else if (across == 2 && size > 1) {
      if (size % 2 != 0) {
        refuse(dimension, "is odd, and a small axis of 2 closes even rings only");
      }
      path = path_over_two(size);
    } else {
      for (std::int64_t i = 0; i < size; ++i) {
        path.push_back({i, 0});
      }
    }
    std::int64_t needed = 0;
    for (const FoldedPosition& position : path) {
      needed = std::max(needed, position.along + 1);
    }
    if (needed > box_.sizes()[dimension]) {
      refuse(dimension, fmt::format("needs {} nodes of the long axis, which has {}", needed, box_.sizes()[dimension]));
    }
    return path;
  }

  /// Neighbours of the folded dimension must be neighbours in the box.
  void check(std::size_t dimension) const
  {
    const FoldedPath& path = paths_[dimension];
    const bool closed = folded_.wraps(dimension) && path.size() > 2;
    for (std::size_t i = 0; i + (closed ? 0 : 1) < path.size(); ++i) {
      const FoldedPosition& here = path[i];
      const FoldedPosition& next = path[(i + 1) % path.size()];
      const std::int64_t hops = box_.travel(dimension, here.along, next.along).hops +
                                box_.travel(dimensions_ + dimension, here.across, next.across).hops;
      if (hops != 1) {
        refuse(dimension, fmt::format("would have neighbours {} hops apart: with so many nodes the small axis must be "
                                      "a ring, or without a small axis the long one",
                                      hops));
      }
    }
  }

  const Grid& folded_;
  const Grid& box_;
  std::size_t dimensions_;
  std::vector<FoldedPath> paths_; ///< by dimension of the folded grid
};

} // namespace

std::vector<NodeId> folded_nodes(const Grid& folded, const Grid& box)
{
  return Folding(folded, box).nodes();
}

} // namespace wormcast
