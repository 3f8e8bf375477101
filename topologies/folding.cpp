#include "wormcast/topologies/folding.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace wormcast {

namespace {

/// A position in the plane of the long axes, as one path, and the small axis.
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
  Folding(const Grid& folded, const Grid& box, const std::vector<FoldedAxes>& axes)
      : folded_(folded), box_(box), axes_(axes), paths_(axes.size())
  {
    check_axes();
    for (std::size_t dimension = 0; dimension < axes.size(); ++dimension) {
      for (const FoldedPosition& position : path_of(dimension)) {
        paths_[dimension].push_back(coordinates_of(dimension, position));
      }
      check(dimension);
    }
  }

  std::vector<NodeId> nodes() const
  {
    std::vector<NodeId> nodes;
    nodes.reserve(folded_.node_count());
    for (std::uint32_t node = 0; node < folded_.node_count(); ++node) {
      std::int64_t at = 0;
      for (std::size_t dimension = 0; dimension < axes_.size(); ++dimension) {
        const auto position = static_cast<std::size_t>(folded_.coordinate(NodeId{node}, dimension));
        const Coordinates& coordinates = paths_[dimension][position];
        for (std::size_t i = 0; i < coordinates.size(); ++i) {
          at += coordinates[i] * box_.stride(axes_[dimension][i]);
        }
      }
      nodes.push_back(NodeId{static_cast<std::uint32_t>(at)});
    }
    return nodes;
  }

private:
  using Coordinates = std::vector<std::int64_t>; // on the axes of a dimension

  [[noreturn]] void refuse(std::size_t dimension, const std::string& why) const
  {
    throw InputError(fmt::format("a {} cannot be folded into a {}: its dimension {} of {} nodes {}", folded_.title(),
                                 box_.title(), dimension_name(dimension), folded_.sizes()[dimension], why));
  }

  void check_axes() const
  {
    if (axes_.size() != folded_.sizes().size()) {
      throw InputError(fmt::format("a {} cannot be folded through axes of {} of its dimensions, expected those of all",
                                   folded_.title(), axes_.size()));
    }
    std::vector<bool> used(box_.sizes().size(), false);
    for (std::size_t dimension = 0; dimension < axes_.size(); ++dimension) {
      if (axes_[dimension].size() < 2) {
        refuse(dimension, "needs at least two axes, a long and a small one");
      }
      for (const std::size_t axis : axes_[dimension]) {
        if (axis >= used.size()) {
          refuse(dimension, fmt::format("has an axis {} of a box of {} dimensions", axis + 1, used.size()));
        }
        if (used[axis]) {
          refuse(dimension, fmt::format("has axis {}, which has a place already", axis + 1));
        }
        used[axis] = true;
      }
    }
  }

  std::int64_t long_size(std::size_t dimension) const
  {
    std::int64_t size = 1;
    for (std::size_t i = 0; i + 1 < axes_[dimension].size(); ++i) {
      size *= box_.sizes()[axes_[dimension][i]];
    }
    return size;
  }

  Coordinates coordinates_of(std::size_t dimension, const FoldedPosition& position) const
  {
    const FoldedAxes& axes = axes_[dimension];
    Coordinates coordinates;
    std::int64_t rest = position.along;
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
      const std::int64_t size = box_.sizes()[axes[i]];
      const std::int64_t at = rest % size;
      rest /= size;
      coordinates.push_back(rest % 2 == 0 ? at : size - 1 - at); // the snake turns whenever a later axis goes on
    }
    coordinates.push_back(position.across);
    return coordinates;
  }

  FoldedPath path_of(std::size_t dimension) const
  {
    const std::int64_t size = folded_.sizes()[dimension];
    const std::int64_t across = box_.sizes()[axes_[dimension].back()];
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
    if (needed > long_size(dimension)) {
      refuse(dimension, fmt::format("needs {} nodes of the long {}, which {} {}", needed,
                                    axes_[dimension].size() == 2 ? "axis" : "axes",
                                    axes_[dimension].size() == 2 ? "has" : "have", long_size(dimension)));
    }
    return path;
  }

  std::int64_t hops_between(std::size_t dimension, const Coordinates& from, const Coordinates& to) const
  {
    std::int64_t hops = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      hops += box_.travel(axes_[dimension][i], from[i], to[i]).hops;
    }
    return hops;
  }

  /// Neighbours of the folded dimension must be neighbours in the box.
  void check(std::size_t dimension) const
  {
    const std::vector<Coordinates>& path = paths_[dimension];
    const bool closed = folded_.wraps(dimension) && path.size() > 2;
    for (std::size_t i = 0; i + (closed ? 0 : 1) < path.size(); ++i) {
      const std::int64_t hops = hops_between(dimension, path[i], path[(i + 1) % path.size()]);
      if (hops != 1) {
        refuse(dimension, fmt::format("would have neighbours {} hops apart: with so many nodes the small axis must be "
                                      "a ring, or without a small axis the long one",
                                      hops));
      }
    }
  }

  const Grid& folded_;
  const Grid& box_;
  const std::vector<FoldedAxes>& axes_;
  std::vector<std::vector<Coordinates>> paths_; ///< by dimension of the folded grid, and position
};

} // namespace

std::vector<FoldedAxes> axes_in_order(std::size_t dimensions)
{
  std::vector<FoldedAxes> axes;
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    axes.push_back({dimension, dimensions + dimension});
  }
  return axes;
}

std::vector<NodeId> folded_nodes(const Grid& folded, const Grid& box, const std::vector<FoldedAxes>& axes)
{
  return Folding(folded, box, axes).nodes();
}

std::vector<NodeId> folded_nodes(const Grid& folded, const Grid& box)
{
  const std::size_t dimensions = folded.sizes().size();
  if (box.sizes().size() != 2 * dimensions) {
    throw InputError(fmt::format("a {} cannot be folded into a {}: expected a box of {} dimensions, a long and a small "
                                 "axis for each, the long ones first",
                                 folded.title(), box.title(), 2 * dimensions));
  }
  return folded_nodes(folded, box, axes_in_order(dimensions));
}

} // namespace wormcast
