#include "wormcast/topologies/petersen_torus.hpp"

#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace wormcast {

namespace {

constexpr std::int64_t most_petersen_torus_nodes = std::int64_t{1} << 22;
constexpr std::int64_t most_modules = most_petersen_torus_nodes / petersen_nodes;
constexpr std::array<const char*, 4> coordinate_names = {"z", "x", "y", "p"};

std::int64_t wrapped(std::int64_t coordinate, std::int64_t size)
{
  const std::int64_t rest = coordinate % size;
  return rest < 0 ? rest + size : rest;
}

PetersenTorusSize checked_size(const TopologyDescription& description)
{
  const std::vector<std::int64_t>& dims = description.parameters.integers("dims");
  if (dims.size() != 3) {
    throw InputError(fmt::format("dims of a petersen_torus are [l, m, n], found {} sizes", dims.size()));
  }
  std::int64_t modules = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (dims[i] < 2) {
      throw InputError(fmt::format(
          "the size of the petersen_torus in {} is {}, expected at least 2: with one module the edges between modules "
          "would coincide with those inside or lead back to where they start",
          coordinate_names[i], dims[i]));
    }
    if (dims[i] > most_modules / modules) {
      throw InputError(fmt::format("a petersen_torus {} has too many nodes, expected at most {} modules of 10",
                                   fmt::join(dims, " x "), most_modules));
    }
    modules *= dims[i];
  }
  constexpr std::uint64_t bytes_of_module = std::uint64_t{10} * (8 + 4 * 20); // ten nodes of four channels
  reserve_memory(static_cast<std::uint64_t>(modules) * bytes_of_module,
                 fmt::format("a petersen_torus {} of {} nodes", fmt::join(dims, " x "), 10 * modules));
  return {dims[0], dims[1], dims[2]};
}

std::vector<ChannelEnds> petersen_torus_channels(const PetersenTorusSize& size)
{
  std::vector<ChannelEnds> channels;
  channels.reserve(static_cast<std::size_t>(4 * size.nodes()));
  for (std::int64_t first = 0; first < size.nodes(); first += petersen_nodes) {
    append_petersen_channels(NodeId{static_cast<std::uint32_t>(first)}, channels);
  }
  for (std::int64_t node = 0; node < size.nodes(); ++node) {
    const NodeId id{static_cast<std::uint32_t>(node)};
    channels.push_back({id, petersen_torus_id(size, external_partner(petersen_torus_node(size, id)))});
  }
  return channels;
}

int mapped(const PetersenPermutation& permutation, int p)
{
  return permutation[static_cast<std::size_t>(p)];
}

} // namespace

NodeId petersen_torus_id(const PetersenTorusSize& size, const PetersenTorusNode& node)
{
  const std::int64_t z = wrapped(node.z, size.l);
  const std::int64_t x = wrapped(node.x, size.m);
  const std::int64_t y = wrapped(node.y, size.n);
  return NodeId{static_cast<std::uint32_t>(((z * size.m + x) * size.n + y) * petersen_nodes + node.p)};
}

PetersenTorusNode petersen_torus_node(const PetersenTorusSize& size, NodeId id)
{
  const std::int64_t module = index(id) / petersen_nodes;
  return {module / size.n / size.m, module / size.n % size.m, module % size.n,
          static_cast<int>(index(id) % petersen_nodes)};
}

const PetersenTorusNode& external_edge(int p)
{
  static constexpr std::array<PetersenTorusNode, petersen_nodes> edges = {{{1, 0, 0, 5},
                                                                           {0, 1, 0, 4},
                                                                           {0, 1, 1, 3},
                                                                           {0, -1, -1, 2},
                                                                           {0, -1, 0, 1},
                                                                           {-1, 0, 0, 0},
                                                                           {0, 0, 1, 9},
                                                                           {0, -1, 1, 8},
                                                                           {0, 1, -1, 7},
                                                                           {0, 0, -1, 6}}};
  return edges.at(static_cast<std::size_t>(p));
}

PetersenTorusNode external_partner(const PetersenTorusNode& node)
{
  const PetersenTorusNode& edge = external_edge(node.p);
  return {node.z + edge.z, node.x + edge.x, node.y + edge.y, edge.p};
}

PetersenTorusNode image_under_sigma(const PetersenTorusNode& node)
{
  return {node.z, -node.x, node.y, mapped(petersen_sigma, node.p)};
}

PetersenTorusNode image_under_tau(const PetersenTorusNode& node)
{
  return {node.z, node.x, -node.y, mapped(petersen_tau, node.p)};
}

PetersenTorusNode image_under_rho(const PetersenTorusNode& node)
{
  return {-node.z, node.y, node.x, mapped(petersen_rho, node.p)};
}

PetersenTorusNode translated(const PetersenTorusNode& node, std::int64_t dz, std::int64_t dx, std::int64_t dy)
{
  return {node.z + dz, node.x + dx, node.y + dy, node.p};
}

PetersenTorus::PetersenTorus(const TopologyDescription& description, const RoutingChoice& routing)
    : Topology(description, static_cast<std::uint32_t>(checked_size(description).nodes()),
               petersen_torus_channels(checked_size(description)), routing),
      size_(checked_size(description))
{
  const ChannelGraph reversed = reverse_channels(*this);
  for (std::uint32_t p = 0; p < petersen_nodes; ++p) {
    for (const std::uint32_t distance : distances_to(*this, reversed, NodeId{p})) {
      distances_.push_back(static_cast<std::uint16_t>(distance));
      longest_distance_ = std::max(longest_distance_, distance);
    }
  }
}

std::span<const std::uint16_t> PetersenTorus::distances_from_first_module(int p) const
{
  return std::span(distances_).subspan(static_cast<std::size_t>(p) * node_count(), node_count());
}

std::uint32_t PetersenTorus::distance(NodeId from, const PetersenTorusNode& to) const
{
  const PetersenTorusNode seen_from_to = translated(petersen_torus_node(size_, from), -to.z, -to.x, -to.y);
  return distances_from_first_module(to.p)[index(petersen_torus_id(size_, seen_from_to))];
}

std::uint32_t PetersenTorus::distance(NodeId from, NodeId to) const
{
  return distance(from, petersen_torus_node(size_, to));
}

void PetersenTorus::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  const PetersenTorusNode goal = petersen_torus_node(size_, to);
  while (from != to) {
    const auto next = next_channel_by_distance(*this, from, [&](NodeId node) { return distance(node, goal); });
    route.push_back(next.value());
    from = channel_target(next.value());
  }
}

std::vector<std::int64_t> PetersenTorus::coordinates(NodeId node) const
{
  const PetersenTorusNode place = petersen_torus_node(size_, node);
  return {place.z, place.x, place.y, place.p};
}

NodeId PetersenTorus::node_at(std::span<const std::int64_t> coordinates) const
{
  if (coordinates.size() != coordinate_names.size()) {
    throw InputError(fmt::format("[{}] has {} coordinates, but a node of the {} has four, z, x, y and p",
                                 fmt::join(coordinates, ", "), coordinates.size(), title()));
  }
  const std::array<std::int64_t, 4> sizes = {size_.l, size_.m, size_.n, petersen_nodes};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (coordinates[i] < 0 || coordinates[i] >= sizes[i]) {
      throw InputError(fmt::format("node ({}) is outside of the {}: its coordinate {} is {}, expected 0 to {}",
                                   fmt::join(coordinates, ", "), title(), coordinate_names[i], coordinates[i],
                                   sizes[i] - 1));
    }
  }
  return petersen_torus_id(size_, {coordinates[0], coordinates[1], coordinates[2], static_cast<int>(coordinates[3])});
}

std::string PetersenTorus::title() const
{
  return fmt::format("Petersen-torus {} x {} x {}", size_.l, size_.m, size_.n);
}

std::uint32_t PetersenTorus::virtual_channel_classes(std::uint32_t virtual_channels) const
{
  const std::uint32_t longest = longest_route();
  return longest <= std::numeric_limits<std::uint8_t>::max() && virtual_channels >= longest ? longest : 1;
}

void PetersenTorus::assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                                   std::span<std::uint8_t> classes) const
{
  const bool divided = virtual_channel_classes(virtual_channels) > 1;
  for (std::size_t hop = 0; hop < route.size(); ++hop) {
    classes[hop] = divided ? static_cast<std::uint8_t>(hop) : std::uint8_t{0};
  }
}

TopologyMetrics measure_petersen_torus(const PetersenTorus& torus)
{
  TopologyMetrics metrics;
  metrics.nodes = torus.node_count();
  metrics.channels = torus.channel_count();
  metrics.links = metrics.channels / 2;
  metrics.smallest_degree = 4;
  metrics.largest_degree = 4;
  metrics.diameter = torus.longest_route();
  std::uint64_t sum = 0;
  for (int p = 0; p < static_cast<int>(petersen_nodes); ++p) {
    const std::span<const std::uint16_t> distances = torus.distances_from_first_module(p);
    sum = std::accumulate(distances.begin(), distances.end(), sum);
  }
  metrics.mean_distance = boost::multiprecision::cpp_rational(sum, std::uint64_t{petersen_nodes} * (metrics.nodes - 1));
  metrics.bisection = search_bisection(torus);
  return metrics;
}

namespace {

constexpr double module_pitch = 5.6;
constexpr double plane_gap = 1.5;
/// Of a plane, where module (0, 0) has its middle at 0.
constexpr double lowest_node = -2;

DrawingPoint place_in_plane(const PetersenTorusNode& node)
{
  const DrawingPoint place = petersen_place(node.p);
  return {module_pitch * static_cast<double>(node.x) + place.x, module_pitch * static_cast<double>(node.y) - place.y};
}

ChannelDrawing draw_external_edge(const PetersenTorusSize& size, const PetersenTorusNode& from)
{
  const PetersenTorusNode to = external_partner(from);
  if (to.z != from.z) {
    return {ChannelShape::stub, to.z > from.z ? DrawingPoint{0.6, -0.8} : DrawingPoint{-0.6, 0.8}};
  }
  const DrawingPoint start = place_in_plane(from);
  const DrawingPoint end = place_in_plane(to);
  if (to.x < 0 || to.x >= size.m || to.y < 0 || to.y >= size.n) {
    return {ChannelShape::stub, direction_of({end.x - start.x, end.y - start.y})};
  }
  return {};
}

} // namespace

Drawing draw_petersen_torus(const PetersenTorus& torus)
{
  const PetersenTorusSize& size = torus.size();
  const DrawingPoint plane = {module_pitch * static_cast<double>(size.m) + plane_gap,
                              module_pitch * static_cast<double>(size.n) + plane_gap};
  const std::int64_t columns = screen_columns(static_cast<std::uint32_t>(size.l), plane.x, plane.y);
  Drawing drawing;
  for (std::uint32_t id = 0; id < torus.node_count(); ++id) {
    const PetersenTorusNode node = petersen_torus_node(size, NodeId{id});
    const DrawingPoint place = place_in_plane(node);
    drawing.nodes.push_back({plane.x * static_cast<double>(node.z % columns) + place.x,
                             place.y - plane.y * static_cast<double>(node.z / columns)});
  }
  for (std::int64_t z = 0; z < size.l; ++z) {
    const double middle = module_pitch * static_cast<double>(size.m - 1) / 2;
    drawing.labels.push_back({fmt::format("z = {}", z),
                              {plane.x * static_cast<double>(z % columns) + middle,
                               lowest_node - label_distance - plane.y * static_cast<double>(z / columns)}});
  }
  for (std::uint32_t id = 0; id < torus.channel_count(); ++id) {
    const NodeId from = torus.channel_source(ChannelId{id});
    const PetersenTorusNode node = petersen_torus_node(size, from);
    const bool external = torus.channel_target(ChannelId{id}) == petersen_torus_id(size, external_partner(node));
    drawing.channels.push_back(external ? draw_external_edge(size, node) : ChannelDrawing{});
  }
  fit_extent(drawing);
  return drawing;
}

TopologyKind petersen_torus_kind()
{
  return {"petersen_torus",
          "3-D Petersen-torus 3PT(l, m, n): a torus of l x m x n Petersen graphs, degree 4",
          {{.name = "dims",
            .type = ParameterType::integers,
            .text = "number of modules [l, m, n] in z, x and y, each at least 2",
            .minimum = 1,
            .maximum = most_modules}},
          {"shortest_path"},
          "Kim, Lee, Kim & Kim, Broadcasting algorithms of three-dimensional Petersen-torus network, J. Applied "
          "Mathematics 2014, 935737, Definition 2",
          [](const TopologyDescription& description, const RoutingChoice& routing) -> std::unique_ptr<Topology> {
            return std::make_unique<PetersenTorus>(description, routing);
          },
          [](const Topology& topology) { return measure_petersen_torus(dynamic_cast<const PetersenTorus&>(topology)); },
          {},
          [](const Topology& topology) { return draw_petersen_torus(dynamic_cast<const PetersenTorus&>(topology)); }};
}

} // namespace wormcast
