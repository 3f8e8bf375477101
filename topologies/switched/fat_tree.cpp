#include "wormcast/topologies/switched/fat_tree.hpp"

#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/topologies/switched/route_draws.hpp"
#include "wormcast/topologies/switched/switched_size.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

constexpr std::uint32_t most_levels = 16;
constexpr std::int64_t most_ports = 1 << 16;

std::vector<std::uint32_t> sizes_of(const TopologyDescription& description, const char* key, std::size_t levels)
{
  if (!description.parameters.has(key)) {
    return std::vector<std::uint32_t>(levels, 1);
  }
  const std::vector<std::int64_t>& values = description.parameters.integers(key);
  if (values.size() != levels) {
    throw InputError(
        fmt::format("{}: found [{}], expected one number for each of {} levels", key, fmt::join(values, ", "), levels));
  }
  return {values.begin(), values.end()};
}

std::string fat_tree_title(const FatTreeSizes& sizes)
{
  return fmt::format("fat tree {};{};{};{}", sizes.levels(), fmt::join(sizes.children, ","),
                     fmt::join(sizes.parents, ","), fmt::join(sizes.parallel, ","));
}

/// A product that stays at 2^63 where it would be larger.
std::uint64_t product(std::uint64_t a, std::uint64_t b)
{
  std::uint64_t result = 0;
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  return __builtin_mul_overflow(a, b, &result) || result > most ? most : result;
}

std::uint64_t nodes_of(const FatTreeSizes& sizes, std::uint32_t level)
{
  std::uint64_t nodes = 1;
  for (std::uint32_t j = 0; j < sizes.levels(); ++j) {
    nodes = product(nodes, j < level ? sizes.parents[j] : sizes.children[j]);
  }
  return nodes;
}

FatTreeSizes fat_tree_sizes(const TopologyDescription& description)
{
  const auto levels = static_cast<std::size_t>(description.parameters.integer("levels"));
  FatTreeSizes sizes{sizes_of(description, "children", levels), sizes_of(description, "parents", levels),
                     sizes_of(description, "links", levels)};
  const std::string title = fat_tree_title(sizes);
  std::uint64_t nodes = 0;
  std::uint64_t channels = 0;
  for (std::uint32_t level = 0; level <= levels; ++level) {
    const std::uint64_t here = nodes_of(sizes, level);
    const std::uint64_t up = level < levels ? std::uint64_t{sizes.parents[level]} * sizes.parallel[level] : 0;
    nodes += std::min(here, std::uint64_t{1} << 40);
    channels += std::min(product(2 * up, here), std::uint64_t{1} << 40);
    check_switched_size(nodes, channels, title);
  }
  return sizes;
}

std::uint32_t node_count_of(const FatTreeSizes& sizes)
{
  std::uint64_t nodes = 0;
  for (std::uint32_t level = 0; level <= sizes.levels(); ++level) {
    nodes += nodes_of(sizes, level);
  }
  return static_cast<std::uint32_t>(nodes);
}

std::vector<std::vector<std::uint32_t>> strides_of(const FatTreeSizes& sizes)
{
  std::vector<std::vector<std::uint32_t>> strides(sizes.levels() + 1);
  for (std::uint32_t level = 0; level <= sizes.levels(); ++level) {
    std::uint32_t stride = 1;
    for (std::uint32_t j = 0; j <= sizes.levels(); ++j) {
      strides[level].push_back(stride);
      stride *= j == sizes.levels() ? 1 : j < level ? sizes.parents[j] : sizes.children[j];
    }
  }
  return strides;
}

/// The number of a neighbour of level `to`, which differs in one digit.
std::uint32_t neighbour_of(const std::vector<std::vector<std::uint32_t>>& strides, std::uint32_t number,
                           std::uint32_t from, std::uint32_t to, std::uint32_t digit)
{
  const std::uint32_t changed = std::min(from, to);
  const std::uint32_t below = number % strides[from][changed];
  const std::uint32_t above = number / strides[from][changed + 1];
  return below + digit * strides[to][changed] + above * strides[to][changed + 1];
}

/// Of each node first the channels up, then those down: of each kind the first of parallel links to all neighbours,
/// then the second, and so on.
std::vector<ChannelEnds> fat_tree_channels(const FatTreeSizes& sizes)
{
  const std::vector<std::vector<std::uint32_t>> strides = strides_of(sizes);
  std::vector<ChannelEnds> channels;
  std::uint32_t first = 0;
  std::uint32_t first_below = 0;
  for (std::uint32_t level = 0; level <= sizes.levels(); ++level) {
    const auto here = static_cast<std::uint32_t>(nodes_of(sizes, level));
    for (std::uint32_t number = 0; number < here; ++number) {
      const NodeId node{first + number};
      for (std::uint32_t port = 0; level < sizes.levels() && port < sizes.parents[level] * sizes.parallel[level];
           ++port) {
        const std::uint32_t parent = neighbour_of(strides, number, level, level + 1, port % sizes.parents[level]);
        channels.push_back({node, NodeId{first + here + parent}});
      }
      for (std::uint32_t port = 0; level > 0 && port < sizes.children[level - 1] * sizes.parallel[level - 1]; ++port) {
        const std::uint32_t child = neighbour_of(strides, number, level, level - 1, port % sizes.children[level - 1]);
        channels.push_back({node, NodeId{first_below + child}});
      }
    }
    first_below = first;
    first += here;
  }
  return channels;
}

std::unique_ptr<Topology> make_fat_tree(const TopologyDescription& description, const RoutingChoice& routing)
{
  return std::make_unique<FatTree>(description, fat_tree_sizes(description), routing);
}

Parameter list_parameter(std::string name, std::string text)
{
  return {.name = std::move(name),
          .type = ParameterType::integers,
          .text = std::move(text),
          .minimum = 1,
          .maximum = most_ports};
}

} // namespace

FatTree::FatTree(const TopologyDescription& description, FatTreeSizes sizes, const RoutingChoice& routing)
    : NumberedTopology(description, node_count_of(sizes), fat_tree_channels(sizes), routing,
                       static_cast<std::uint32_t>(nodes_of(sizes, 0))),
      sizes_(std::move(sizes)), random_(routing.routing == "random"), strides_(strides_of(sizes_))
{
  first_.push_back(0);
  for (std::uint32_t level = 0; level <= sizes_.levels(); ++level) {
    first_.push_back(first_.back() + static_cast<std::uint32_t>(nodes_of(sizes_, level)));
  }
}

std::uint32_t FatTree::level(NodeId node) const
{
  return static_cast<std::uint32_t>(std::ranges::upper_bound(first_, index(node)) - first_.begin()) - 1;
}

std::uint32_t FatTree::digit(Place place, std::uint32_t position) const
{
  return place.number % strides_[place.level][position + 1] / strides_[place.level][position];
}

std::uint32_t FatTree::common_level(NodeId from, NodeId to) const
{
  std::uint32_t level = 0;
  while (index(from) / strides_[0][level] != index(to) / strides_[0][level]) {
    ++level;
  }
  return level;
}

std::uint32_t FatTree::up_ports(std::uint32_t level) const
{
  return level < sizes_.levels() ? sizes_.parents[level] * sizes_.parallel[level] : 0;
}

std::uint32_t FatTree::down_ports(std::uint32_t level) const
{
  return sizes_.children[level - 1] * sizes_.parallel[level - 1];
}

ChannelId FatTree::go_up(Place& place, std::uint32_t port) const
{
  const ChannelId channel{index(first_channel(NodeId{first_[place.level] + place.number})) + port};
  place = {place.level + 1, index(channel_target(channel)) - first_[place.level + 1]};
  return channel;
}

ChannelId FatTree::go_down(Place& place, std::uint32_t port) const
{
  const std::uint32_t first = index(first_channel(NodeId{first_[place.level] + place.number}));
  const ChannelId channel{first + up_ports(place.level) + port};
  place = {place.level - 1, index(channel_target(channel)) - first_[place.level - 1]};
  return channel;
}

void FatTree::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  const std::uint32_t top = common_level(from, to);
  Place place{0, index(from)};
  std::uint32_t divided = index(to);
  while (place.level < top) {
    const std::uint32_t parents = sizes_.parents[place.level];
    const std::uint32_t port = divided % (parents * sizes_.parallel[place.level]);
    divided /= parents;
    route.push_back(go_up(place, port));
  }
  // FatTreeZone looks for the next port from the one after the last on, if there is one.
  std::uint32_t next_port = 0;
  while (place.level > 0) {
    const std::uint32_t children = sizes_.children[place.level - 1];
    const std::uint32_t child = digit({0, index(to)}, place.level - 1);
    std::uint32_t port = child;
    while (port < next_port) {
      port += children;
    }
    if (next_port == 0 || port >= down_ports(place.level)) {
      port = child + index(from) % sizes_.parallel[place.level - 1] * children;
    }
    next_port = port + 1;
    route.push_back(go_down(place, port));
  }
}

bool FatTree::draws_route(NodeId from, NodeId to) const
{
  if (!random_) {
    return false;
  }
  for (std::uint32_t level = 0; level < common_level(from, to); ++level) {
    if (up_ports(level) > 1) {
      return true;
    }
  }
  return false;
}

void FatTree::append_drawn_route(NodeId from, NodeId to, std::uint64_t draw, std::vector<ChannelId>& route) const
{
  if (!random_) {
    append_route(from, to, route);
    return;
  }
  const std::uint32_t top = common_level(from, to);
  RouteDraws draws(draw);
  Place place{0, index(from)};
  while (place.level < top) {
    route.push_back(go_up(place, draws.below(up_ports(place.level))));
  }
  while (place.level > 0) {
    const std::uint32_t copy = draws.below(sizes_.parallel[place.level - 1]);
    const std::uint32_t child = digit({0, index(to)}, place.level - 1);
    route.push_back(go_down(place, child + copy * sizes_.children[place.level - 1]));
  }
}

void FatTree::add_mean_route(NodeId from, NodeId to, double share, std::span<double> channels) const
{
  if (!random_) {
    NumberedTopology::add_mean_route(from, to, share, channels);
    return;
  }
  const std::uint32_t top = common_level(from, to);
  std::vector<std::uint32_t> reached = {index(from)}; // of a level
  for (std::uint32_t level = 0; level < top; ++level) {
    const double part = share / (static_cast<double>(reached.size()) * up_ports(level));
    std::vector<std::uint32_t> above;
    for (const std::uint32_t number : reached) {
      for (std::uint32_t port = 0; port < up_ports(level); ++port) {
        Place place{level, number};
        channels[index(go_up(place, port))] += part;
        if (port < sizes_.parents[level]) {
          above.push_back(place.number);
        }
      }
    }
    reached = std::move(above);
  }
  for (std::uint32_t level = top; level > 0; --level) {
    const std::uint32_t copies = sizes_.parallel[level - 1];
    const double part = share / (static_cast<double>(reached.size()) * copies);
    const std::uint32_t child = digit({0, index(to)}, level - 1);
    for (std::uint32_t& number : reached) {
      Place below;
      for (std::uint32_t copy = 0; copy < copies; ++copy) {
        below = {level, number};
        channels[index(go_down(below, child + copy * sizes_.children[level - 1]))] += part;
      }
      number = below.number;
    }
  }
}

std::string FatTree::node_name(NodeId node) const
{
  const std::uint32_t at = level(node);
  return at == 0 ? fmt::to_string(index(node)) : fmt::format("s{}.{}", at, index(node) - first_[at]);
}

std::vector<std::string> FatTree::link_classes() const
{
  std::vector<std::string> classes;
  for (std::uint32_t lower = 0; lower < sizes_.levels(); ++lower) {
    classes.push_back(fmt::format("level {} to {}", lower, lower + 1));
  }
  return classes;
}

std::uint32_t FatTree::link_class(ChannelId channel) const
{
  return std::min(level(channel_source(channel)), level(channel_target(channel)));
}

std::string FatTree::title() const
{
  return fat_tree_title(sizes_);
}

TopologyKind fat_tree_kind()
{
  Parameter levels{.name = "levels", .text = "levels of switches", .minimum = 1, .maximum = most_levels};
  Parameter links = list_parameter("links", "parallel links between neighbours, by level (default: 1 each)");
  links.optional = true;
  return {"fat_tree",
          "Fat tree (XGFT, PGFT): hosts below levels of switches, with SimGrid's parameters",
          {levels,
           list_parameter("children", "lower neighbours of each switch, by level from the hosts upwards: [4, 4]"),
           list_parameter("parents", "upper neighbours of each node, by level from the hosts upwards: [1, 2]"), links},
          {"d_mod_k", "random"},
          "E. Zahavi, D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat trees, "
          "2010; S. Oehring, M. Ibel, S. K. Das and M. J. Kumar, On generalized fat trees, IPPS 1995; SimGrid's "
          "FatTreeZone",
          make_fat_tree,
          [](const Topology& topology) { return measure_fat_tree(dynamic_cast<const FatTree&>(topology)); },
          [](const Topology& topology, std::uint32_t virtual_channels) {
            const auto& tree = dynamic_cast<const FatTree&>(topology);
            constexpr std::uint32_t most_hosts_to_enumerate = 1024;
            return tree.draws_routes() || tree.host_count() > most_hosts_to_enumerate
                       ? fat_tree_dependencies(tree)
                       : enumerate_channel_dependencies(tree, virtual_channels);
          },
          [](const Topology& topology) { return draw_fat_tree(dynamic_cast<const FatTree&>(topology)); }};
}

} // namespace wormcast
