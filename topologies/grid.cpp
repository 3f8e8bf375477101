#include "wormcast/topologies/grid.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

namespace wormcast {

namespace {

std::uint16_t direction_bit(std::size_t dimension, bool up)
{
  return static_cast<std::uint16_t>(1U << (2 * dimension + (up ? 1 : 0)));
}

/// The sizes of a description, each at least 1 and their product at most most_grid_nodes.
const std::vector<std::int64_t>& checked_sizes(const TopologyDescription& description)
{
  const std::vector<std::int64_t>& sizes = description.parameters.integers("dims");
  if (sizes.empty() || sizes.size() > max_grid_dimensions) {
    throw InputError(
        fmt::format("a {} of {} dimensions, expected 1 to {}", description.kind, sizes.size(), max_grid_dimensions));
  }
  std::int64_t nodes = 1;
  for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
    if (sizes[dimension] < 1) {
      throw InputError(fmt::format("the size of the {} in {} is {}, expected at least 1", description.kind,
                                   dimension_name(dimension), sizes[dimension]));
    }
    if (sizes[dimension] > most_grid_nodes / nodes) {
      throw InputError(fmt::format("a {} {} has too many nodes, expected at most {}", description.kind,
                                   fmt::join(sizes, " x "), most_grid_nodes));
    }
    nodes *= sizes[dimension];
  }
  constexpr std::uint64_t bytes_of_channels = 40; // of both directions of one dimension
  reserve_memory(static_cast<std::uint64_t>(nodes) * (8 + bytes_of_channels * sizes.size()),
                 fmt::format("a {} {} of {} nodes", description.kind, fmt::join(sizes, " x "), nodes));
  return sizes;
}

/// Which dimensions are rings.
struct Rings {
  std::array<bool, max_grid_dimensions> of{};
  bool any = false;
  bool mixed = false; ///< some dimensions of more than two nodes are rings and others lines
};

/// Whether a dimension's line has an end that a further link could close.
bool can_close(std::int64_t size)
{
  return size > 2;
}

/// The values of "wrap", or what they are without it.
std::vector<std::int64_t> wrap_of(const TopologyDescription& description)
{
  const std::size_t dimensions = description.parameters.integers("dims").size();
  if (!description.parameters.has("wrap")) {
    return std::vector<std::int64_t>(dimensions, description.kind == "torus" ? 1 : 0);
  }
  const std::vector<std::int64_t>& wrap = description.parameters.integers("wrap");
  if (wrap.size() != dimensions) {
    throw InputError(fmt::format("\"wrap\" has {} value{}, expected one for each of the {} sizes of \"dims\"",
                                 wrap.size(), wrap.size() == 1 ? "" : "s", dimensions));
  }
  return wrap;
}

/// Throws InputError where "wrap" does not fit "dims".
Rings rings_of(const TopologyDescription& description)
{
  const std::vector<std::int64_t>& sizes = checked_sizes(description);
  const std::vector<std::int64_t> wrap = wrap_of(description);
  bool ring = false;
  bool line = false;
  for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
    ring = ring || (can_close(sizes[dimension]) && wrap[dimension] != 0);
    line = line || (can_close(sizes[dimension]) && wrap[dimension] == 0);
  }
  Rings rings;
  rings.any = ring || (!line && std::ranges::any_of(wrap, [](std::int64_t closed) { return closed != 0; }));
  rings.mixed = ring && line;
  for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
    rings.of[dimension] = can_close(sizes[dimension]) ? wrap[dimension] != 0 : rings.any;
  }
  return rings;
}

struct Shape {
  std::span<const std::int64_t> sizes;
  std::array<bool, max_grid_dimensions> rings;

  /// Whether a node with this coordinate has a channel in this direction of the dimension.
  bool has_channel(std::size_t dimension, bool up, std::int64_t coordinate) const
  {
    const std::int64_t size = sizes[dimension];
    return (rings[dimension] && can_close(size)) || (up ? coordinate + 1 < size : coordinate > 0);
  }
};

/// Calls visit(node, coordinates) for all nodes in ascending order.
template <typename Visit> void for_each_node(std::span<const std::int64_t> sizes, Visit visit)
{
  std::array<std::int64_t, max_grid_dimensions> place{};
  std::uint32_t node = 0;
  std::size_t dimension = 0;
  WorkSteps steps;
  while (dimension < sizes.size()) {
    steps.add();
    visit(node++, place);
    for (dimension = 0; dimension < sizes.size() && ++place[dimension] == sizes[dimension]; ++dimension) {
      place[dimension] = 0;
    }
  }
}

std::uint32_t count_nodes(std::span<const std::int64_t> sizes)
{
  std::int64_t nodes = 1;
  for (const std::int64_t size : sizes) {
    nodes *= size;
  }
  return static_cast<std::uint32_t>(nodes);
}

std::vector<ChannelEnds> grid_channels(const Shape& shape)
{
  std::vector<ChannelEnds> channels;
  channels.reserve(std::size_t{count_nodes(shape.sizes)} * 2 * shape.sizes.size());
  for_each_node(shape.sizes, [&](std::uint32_t node, const auto& place) {
    std::int64_t stride = 1;
    for (std::size_t dimension = 0; dimension < shape.sizes.size(); ++dimension) {
      const std::int64_t size = shape.sizes[dimension];
      for (const bool up : {false, true}) {
        if (shape.has_channel(dimension, up, place[dimension])) {
          const std::int64_t next = (place[dimension] + (up ? 1 : size - 1)) % size;
          const std::int64_t target = node + (next - place[dimension]) * stride;
          channels.push_back({NodeId{node}, NodeId{static_cast<std::uint32_t>(target)}});
        }
      }
      stride *= size;
    }
  });
  return channels;
}

} // namespace

Grid::Grid(const TopologyDescription& description, const RoutingChoice& routing)
    : Topology(description, count_nodes(checked_sizes(description)),
               grid_channels({checked_sizes(description), rings_of(description).of}), routing),
      sizes_(description.parameters.integers("dims")), ties_go_up_(tie_names.find(routing.tie) == Tie::positive)
{
  const Rings rings = rings_of(description);
  rings_ = rings.of;
  wraps_ = rings.any;
  mixed_ = rings.mixed;
  ties_are_drawn_ = wraps_ && tie_names.find(routing.tie) == Tie::random;
  std::int64_t stride = 1;
  for (const std::int64_t size : sizes_) {
    strides_.push_back(stride);
    stride *= size;
  }
  const Shape shape{sizes_, rings_};
  directions_.resize(node_count());
  for_each_node(sizes_, [&](std::uint32_t node, const auto& place) {
    std::uint16_t bits = 0;
    for (std::size_t dimension = 0; dimension < sizes_.size(); ++dimension) {
      for (const bool up : {false, true}) {
        if (shape.has_channel(dimension, up, place[dimension])) {
          bits = static_cast<std::uint16_t>(bits | direction_bit(dimension, up));
        }
      }
    }
    directions_[node] = bits;
  });
}

Grid::Travel Grid::travel(std::size_t dimension, std::int64_t from, std::int64_t to) const
{
  const bool direct_up = to > from;
  const std::int64_t direct = direct_up ? to - from : from - to;
  if (!rings_[dimension] || 2 * direct < sizes_[dimension]) {
    return {direct_up, direct};
  }
  const std::int64_t around = sizes_[dimension] - direct;
  if (around == direct) {
    // In a ring of two there is nothing but the direct link.
    return {direct_up || (ties_go_up_ && sizes_[dimension] > 2), direct};
  }
  return {!direct_up, around};
}

Grid::Travel Grid::drawn_travel(std::size_t dimension, std::int64_t from, std::int64_t to, std::uint64_t draw) const
{
  if (ties_are_drawn_ && is_tie(dimension, from, to)) {
    return {(draw >> dimension & 1U) != 0, sizes_[dimension] / 2};
  }
  return travel(dimension, from, to);
}

void Grid::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  append_lines(
      from, to,
      [this](std::size_t dimension, std::int64_t at, std::int64_t goal) { return travel(dimension, at, goal); }, route);
}

void Grid::append_drawn_route(NodeId from, NodeId to, std::uint64_t draw, std::vector<ChannelId>& route) const
{
  append_lines(
      from, to,
      [this, draw](std::size_t dimension, std::int64_t at, std::int64_t goal) {
        return drawn_travel(dimension, at, goal, draw);
      },
      route);
}

std::uint32_t Grid::drawn_bits() const
{
  bool has_ties = false;
  for (std::size_t dimension = 0; dimension < sizes_.size(); ++dimension) {
    has_ties = has_ties || is_tie(dimension, 0, sizes_[dimension] / 2);
  }
  return ties_are_drawn_ && has_ties ? static_cast<std::uint32_t>(sizes_.size()) : 0;
}

bool Grid::draws_route(NodeId from, NodeId to) const
{
  for (std::size_t dimension = 0; ties_are_drawn_ && dimension < sizes_.size(); ++dimension) {
    if (is_tie(dimension, coordinate(from, dimension), coordinate(to, dimension))) {
      return true;
    }
  }
  return false;
}

template <typename TravelIn>
void Grid::append_lines(NodeId from, NodeId to, TravelIn travel_in, std::vector<ChannelId>& route) const
{
  std::uint32_t node = index(from);
  std::uint32_t rest_from = index(from);
  std::uint32_t rest_to = index(to);
  for (std::size_t dimension = 0; rest_from != rest_to; ++dimension) {
    const auto size = static_cast<std::uint32_t>(sizes_[dimension]);
    std::uint32_t coordinate = rest_from % size;
    const std::uint32_t goal = rest_to % size;
    rest_from /= size;
    rest_to /= size;
    if (coordinate == goal) {
      continue;
    }
    const auto stride = static_cast<std::uint32_t>(strides_[dimension]);
    const std::uint32_t down_bit = direction_bit(dimension, false);
    // The channels of lower dimensions that a node has stay the same along this dimension.
    const auto lower = static_cast<std::uint32_t>(std::popcount(directions_[node] & (down_bit - 1U)));
    const Travel part = travel_in(dimension, coordinate, goal);
    for (std::int64_t hop = 0; hop < part.hops; ++hop) {
      const std::uint32_t before_up = part.up && (directions_[node] & down_bit) != 0 ? 1 : 0;
      route.push_back(ChannelId{index(first_channel(NodeId{node})) + lower + before_up});
      if (part.up) {
        const bool last = coordinate + 1 == size;
        node = last ? node - (size - 1) * stride : node + stride;
        coordinate = last ? 0 : coordinate + 1;
      } else {
        const bool first = coordinate == 0;
        node = first ? node + (size - 1) * stride : node - stride;
        coordinate = first ? size - 1 : coordinate - 1;
      }
    }
  }
}

std::uint32_t Grid::distance(NodeId from, NodeId to) const
{
  std::int64_t hops = 0;
  for (std::size_t dimension = 0; dimension < sizes_.size(); ++dimension) {
    hops += travel(dimension, coordinate(from, dimension), coordinate(to, dimension)).hops;
  }
  return static_cast<std::uint32_t>(hops);
}

std::uint32_t Grid::longest_route() const
{
  std::int64_t hops = 0;
  for (std::size_t dimension = 0; dimension < sizes_.size(); ++dimension) {
    hops += rings_[dimension] ? sizes_[dimension] / 2 : sizes_[dimension] - 1;
  }
  return static_cast<std::uint32_t>(hops);
}

std::vector<std::int64_t> Grid::coordinates(NodeId node) const
{
  std::vector<std::int64_t> place;
  for (std::size_t dimension = 0; dimension < sizes_.size(); ++dimension) {
    place.push_back(coordinate(node, dimension));
  }
  return place;
}

NodeId Grid::node_at(std::span<const std::int64_t> coordinates) const
{
  if (coordinates.size() != sizes_.size()) {
    throw InputError(fmt::format("[{}] has {} coordinates, but the {} has {} dimension{}", fmt::join(coordinates, ", "),
                                 coordinates.size(), title(), sizes_.size(), sizes_.size() == 1 ? "" : "s"));
  }
  std::int64_t node = 0;
  for (std::size_t dimension = 0; dimension < sizes_.size(); ++dimension) {
    if (coordinates[dimension] < 0 || coordinates[dimension] >= sizes_[dimension]) {
      throw InputError(fmt::format("node ({}) is outside of the {}: its coordinate in {} is {}, expected 0 to {}",
                                   fmt::join(coordinates, ", "), title(), dimension_name(dimension),
                                   coordinates[dimension], sizes_[dimension] - 1));
    }
    node += coordinates[dimension] * strides_[dimension];
  }
  return NodeId{static_cast<std::uint32_t>(node)};
}

std::vector<std::string> Grid::link_classes() const
{
  return dimension_names(sizes_.size());
}

std::uint32_t Grid::link_class(ChannelId channel) const
{
  const NodeId from = channel_source(channel);
  const NodeId to = channel_target(channel);
  std::uint32_t dimension = 0;
  while (coordinate(from, dimension) == coordinate(to, dimension)) {
    ++dimension;
  }
  return dimension;
}

std::uint32_t Grid::virtual_channel_classes(std::uint32_t virtual_channels) const
{
  return wraps_ && virtual_channels >= 2 ? 2 : 1;
}

void Grid::assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                          std::span<std::uint8_t> classes) const
{
  std::fill_n(classes.begin(), route.size(), std::uint8_t{0});
  if (virtual_channel_classes(virtual_channels) == 1) {
    return;
  }
  std::size_t dimension = 0;
  bool behind_dateline = false;
  for (std::size_t hop = 0; hop < route.size(); ++hop) {
    const NodeId from = channel_source(route[hop]);
    const NodeId to = channel_target(route[hop]);
    while (coordinate(from, dimension) == coordinate(to, dimension)) {
      ++dimension;
      behind_dateline = false;
    }
    classes[hop] = behind_dateline ? 1 : 0;
    const std::int64_t step = coordinate(to, dimension) - coordinate(from, dimension);
    behind_dateline = behind_dateline || (step != 1 && step != -1);
  }
}

std::string Grid::title() const
{
  return grid_title(description());
}

std::uint32_t grid_node_count(const TopologyDescription& description)
{
  return count_nodes(checked_sizes(description));
}

std::string grid_title(const TopologyDescription& description)
{
  const std::vector<std::int64_t>& sizes = description.parameters.integers("dims");
  const std::string title = fmt::format("{} {}", description.kind, fmt::join(sizes, " x "));
  const std::int64_t hosts = hosts_of_router(description);
  const std::string of_hosts = hosts > 1 ? fmt::format(" with {} hosts at each router", hosts) : "";
  if (!description.parameters.has("wrap")) {
    return title + of_hosts;
  }
  const std::vector<std::int64_t>& wrap = description.parameters.integers("wrap");
  std::vector<std::string> rings;
  bool all = wrap.size() == sizes.size();
  for (std::size_t dimension = 0; dimension < std::min(wrap.size(), sizes.size()); ++dimension) {
    const bool ring = wrap[dimension] != 0;
    all = all && (ring || !can_close(sizes[dimension]));
    if (ring && can_close(sizes[dimension])) {
      rings.push_back(dimension_name(dimension));
    }
  }
  const std::string of_rings = all             ? ""
                               : rings.empty() ? " without rings"
                                               : fmt::format(" closed in {}", fmt::join(rings, " and "));
  return title + of_rings + of_hosts;
}

std::int64_t hosts_of_router(const TopologyDescription& description)
{
  return description.parameters.has("concentration") ? description.parameters.integer("concentration") : 1;
}

std::string dimension_name(std::size_t dimension)
{
  constexpr std::string_view names = "xyz";
  return dimension < names.size() ? std::string(1, names[dimension]) : fmt::format("dimension {}", dimension + 1);
}

std::vector<std::string> dimension_names(std::size_t count)
{
  std::vector<std::string> names;
  for (std::size_t dimension = 0; dimension < count; ++dimension) {
    names.push_back(dimension_name(dimension));
  }
  return names;
}

} // namespace wormcast
