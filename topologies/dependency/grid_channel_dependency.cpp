#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/grid.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

std::uint32_t ring_class_count(const Grid& grid, std::uint32_t virtual_channels, RingClasses rings)
{
  if (rings == RingClasses::by_dateline) {
    return grid.virtual_channel_classes(virtual_channels);
  }
  return !grid.wraps() || virtual_channels == 1 ? 1 : virtual_channels % 2 == 0 ? 2 : 3;
}

/// The use of virtual channels by the worms of one line or ring of a dimension. Dimension order makes it the same for
/// all lines of the dimension: the class of a channel depends on the coordinates in it alone.
class LineUse {
public:
  LineUse(const Grid& grid, std::size_t dimension, std::uint32_t virtual_channels, RingClasses rings)
      : grid_(grid), dimension_(dimension), virtual_channels_(virtual_channels), rings_(rings),
        classes_(ring_class_count(grid, virtual_channels, rings)), size_(grid.sizes()[dimension]),
        uses_(static_cast<std::size_t>(size_) * 2 * classes_)
  {
    // Every route in the line is the beginning of one of the longest from its source, one in each direction; if a class
    // is retained on a ring, of those that cross the wrap-around channel and of those that do not.
    for (std::int64_t from = 0; from < size_; ++from) {
      if (grid.wraps(dimension)) {
        for (const std::int64_t hops : {size_ / 2, (size_ - 1) / 2}) {
          walk(from, (from + hops) % size_);
          walk(from, (from + size_ - hops) % size_);
          walk(from, std::min(from + hops, size_ - 1));
          walk(from, std::max<std::int64_t>(from - hops, 0));
        }
      } else {
        walk(from, 0);
        walk(from, size_ - 1);
      }
    }
  }

  /// Returns whether some worm uses this channel in this class.
  bool used(std::int64_t coordinate, bool up, std::uint32_t number) const
  {
    return uses_[place(coordinate, up, number)].used;
  }
  /// Returns whether some worm uses this channel in this class as its first one in the dimension.
  bool entered(std::int64_t coordinate, bool up, std::uint32_t number) const
  {
    return uses_[place(coordinate, up, number)].entered;
  }
  /// Returns whether some worm uses this channel in this class as its last one in the dimension.
  bool left(std::int64_t coordinate, bool up, std::uint32_t number) const
  {
    return uses_[place(coordinate, up, number)].left;
  }
  /// Whether some worm goes straight on from this channel to the next one in class `next`.
  bool goes_on(std::int64_t coordinate, bool up, std::uint32_t number, std::uint32_t next) const
  {
    return (uses_[place(coordinate, up, number)].goes_on_to >> next & 1U) != 0;
  }

private:
  struct Use {
    bool used = false;
    bool entered = false;
    bool left = false;
    std::uint64_t goes_on_to = 0; ///< bit by class
  };

  std::size_t place(std::int64_t coordinate, bool up, std::uint32_t number) const
  {
    return (static_cast<std::size_t>(coordinate) * 2 + (up ? 1 : 0)) * classes_ + number;
  }

  void walk(std::int64_t from, std::int64_t to)
  {
    constexpr std::uint64_t all_bits = ~std::uint64_t{0};
    walk(from, to, 0);
    if (grid_.ties_are_drawn() && grid_.is_tie(dimension_, from, to)) {
      walk(from, to, all_bits);
    }
  }

  void walk(std::int64_t from, std::int64_t to, std::uint64_t draw)
  {
    const auto node = [&](std::int64_t coordinate) {
      return NodeId{static_cast<std::uint32_t>(coordinate * grid_.stride(dimension_))};
    };
    route_.clear();
    grid_.append_drawn_route(node(from), node(to), draw, route_);
    assign_classes(from, to);
    for (std::size_t hop = 0; hop < route_.size(); ++hop) {
      const std::int64_t source = grid_.coordinate(grid_.channel_source(route_[hop]), dimension_);
      const std::int64_t target = grid_.coordinate(grid_.channel_target(route_[hop]), dimension_);
      const bool wraps_around = std::abs(target - source) > 1;
      for (std::uint32_t number = 0; number < classes_; ++number) {
        if ((assigned_[hop] >> number & 1U) != 0) {
          Use& use = uses_[place(source, (target > source) != wraps_around, number)];
          use.used = true;
          use.entered = use.entered || hop == 0;
          // The worms that end here, too: a retained class depends on the end of a worm.
          use.left = use.left || rings_ == RingClasses::by_dateline || (from > target) == (from > to);
          use.goes_on_to |= hop + 1 < route_.size() ? assigned_[hop + 1] : 0;
        }
      }
    }
  }

  // Bits of the classes that each hop may use.
  void assign_classes(std::int64_t from, std::int64_t to)
  {
    if (rings_ == RingClasses::kept) {
      const std::uint64_t all = (std::uint64_t{1} << classes_) - 1;
      // The middle virtual channel of an odd number is in both halves.
      const std::uint64_t upper = classes_ == 3 ? 6 : 2;
      const std::uint64_t lower = classes_ == 3 ? 3 : 1;
      assigned_.assign(route_.size(), classes_ == 1 ? all : from > to ? upper : lower);
      return;
    }
    numbers_.resize(route_.size());
    grid_.assign_virtual_channel_classes(route_, virtual_channels_, numbers_);
    assigned_.clear();
    for (const std::uint8_t number : numbers_) {
      assigned_.push_back(std::uint64_t{1} << number);
    }
  }

  const Grid& grid_;
  std::size_t dimension_;
  std::uint32_t virtual_channels_;
  RingClasses rings_;
  std::uint32_t classes_;
  std::int64_t size_;
  std::vector<Use> uses_;
  std::vector<ChannelId> route_;
  std::vector<std::uint8_t> numbers_;
  std::vector<std::uint64_t> assigned_; // by hop: bits of classes
};

/// The channels of one node by dimension and direction.
class NodeChannels {
public:
  NodeChannels(const Grid& grid, NodeId node)
  {
    const std::uint32_t first = index(grid.first_channel(node));
    for (std::uint32_t id = first; id < first + grid.out_degree(node); ++id) {
      const NodeId target = grid.channel_target(ChannelId{id});
      std::size_t dimension = 0;
      while (grid.coordinate(node, dimension) == grid.coordinate(target, dimension)) {
        ++dimension;
      }
      const std::int64_t step = grid.coordinate(target, dimension) - grid.coordinate(node, dimension);
      ids_[dimension][(step > 0) != (std::abs(step) > 1) ? 1 : 0] = id;
    }
  }

  bool has(std::size_t dimension, bool up) const { return ids_[dimension][up ? 1 : 0] != none; }
  std::uint32_t id(std::size_t dimension, bool up) const { return ids_[dimension][up ? 1 : 0]; }

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::array<std::uint32_t, 2> no_channels{none, none};

  std::array<std::array<std::uint32_t, 2>, max_grid_dimensions> ids_{
      no_channels, no_channels, no_channels, no_channels, no_channels, no_channels, no_channels, no_channels};
};

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Appends the dependencies of one channel in one class: those straight on, then those that turn into a higher
/// dimension.
void append_dependencies(const Grid& grid, const std::vector<LineUse>& lines, std::size_t dimension, bool up,
                         VirtualChannel held, std::uint32_t classes, Edges& edges)
{
  const std::uint32_t vertex = index(held.channel) * classes + held.number;
  const std::int64_t coordinate = grid.coordinate(grid.channel_source(held.channel), dimension);
  const NodeId at = grid.channel_target(held.channel);
  const NodeChannels next(grid, at);
  for (std::uint32_t number = 0; number < classes; ++number) {
    if (lines[dimension].goes_on(coordinate, up, held.number, number)) {
      edges.emplace_back(vertex, next.id(dimension, up) * classes + number);
    }
  }
  const bool turns = lines[dimension].left(coordinate, up, held.number);
  for (std::size_t turn = dimension + 1; turns && turn < lines.size(); ++turn) {
    for (const bool turn_up : {false, true}) {
      for (std::uint32_t number = 0; number < classes && next.has(turn, turn_up); ++number) {
        if (lines[turn].entered(grid.coordinate(at, turn), turn_up, number)) {
          edges.emplace_back(vertex, next.id(turn, turn_up) * classes + number);
        }
      }
    }
  }
}

} // namespace

ChannelDependencies grid_channel_dependencies(const Grid& grid, std::uint32_t virtual_channels, RingClasses rings)
{
  const std::uint32_t classes = ring_class_count(grid, virtual_channels, rings);
  if (classes > 64) {
    throw std::logic_error("more classes of virtual channels than a grid can have");
  }
  std::vector<LineUse> lines;
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    lines.emplace_back(grid, dimension, virtual_channels, rings);
  }
  Edges edges;
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
    const NodeChannels channels(grid, NodeId{node});
    for (std::size_t dimension = 0; dimension < lines.size(); ++dimension) {
      for (const bool up : {false, true}) {
        for (std::uint32_t number = 0; number < classes && channels.has(dimension, up); ++number) {
          if (lines[dimension].used(grid.coordinate(NodeId{node}, dimension), up, number)) {
            const VirtualChannel held{ChannelId{channels.id(dimension, up)}, number};
            append_dependencies(grid, lines, dimension, up, held, classes, edges);
          }
        }
      }
    }
  }
  return {
      ChannelDependencies::Graph(boost::edges_are_sorted, edges.begin(), edges.end(), grid.channel_count() * classes),
      classes};
}

} // namespace wormcast
