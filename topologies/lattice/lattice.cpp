#include "wormcast/topologies/lattice/lattice.hpp"

#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

LatticeVector unit_vector(std::size_t dimension, std::int64_t length)
{
  LatticeVector vector{};
  vector[dimension] = length;
  return vector;
}

/// The steps that lead from a node to others, each neighbour once. Throws InputError where steps of two dimensions lead
/// to the same one.
std::vector<Lattice::Step> steps_of(const LatticeBox& box)
{
  std::vector<Lattice::Step> steps;
  std::vector<std::uint32_t> targets;
  for (std::size_t dimension = 0; dimension < box.dimensions(); ++dimension) {
    const std::uint32_t down = box.number_of(unit_vector(dimension, -1));
    const std::uint32_t up = box.number_of(unit_vector(dimension, 1));
    if (up == 0) {
      continue;
    }
    if (const auto twin =
            std::ranges::find_if(targets, [&](std::uint32_t target) { return target == up || target == down; });
        twin != targets.end()) {
      throw InputError(
          fmt::format("matrix: steps in dimensions {} and {} of the lattice lead to the same node; expected "
                      "different neighbours in all dimensions",
                      steps[static_cast<std::size_t>(twin - targets.begin())].dimension + 1, dimension + 1));
    }
    const auto number = static_cast<std::uint8_t>(dimension);
    if (down != up) {
      steps.push_back({number, false});
      targets.push_back(down);
    }
    steps.push_back({number, true});
    targets.push_back(up);
  }
  return steps;
}

std::vector<ChannelEnds> lattice_channels(const LatticeBox& box)
{
  const std::vector<Lattice::Step> steps = steps_of(box);
  constexpr std::uint64_t bytes_of_channel = 20;
  constexpr std::uint64_t bytes_of_vector = 80;
  reserve_memory(box.points() * (bytes_of_channel * steps.size() + bytes_of_vector),
                 fmt::format("a lattice of {} nodes", box.points()));
  std::vector<ChannelEnds> channels;
  channels.reserve(box.points() * steps.size());
  for (std::uint32_t node = 0; node < box.points(); ++node) {
    for (const Lattice::Step step : steps) {
      LatticeVector target = box.point(node);
      target[step.dimension] += step.up ? 1 : -1;
      channels.push_back({NodeId{node}, NodeId{box.number_of(target)}});
    }
  }
  return channels;
}

std::unique_ptr<Topology> make_lattice(const TopologyDescription& description, const RoutingChoice& routing)
{
  if (tie_names.find(routing.tie) == Tie::random) {
    throw InputError("network.tie: a lattice has no random ties, expected \"no_wrap\" or \"positive\"");
  }
  return std::make_unique<Lattice>(description, LatticeBox(description.parameters.texts("matrix")), routing);
}

} // namespace

Lattice::Lattice(const TopologyDescription& description, LatticeBox box, const RoutingChoice& routing)
    : Topology(description, box.points(), lattice_channels(box), routing), box_(std::move(box)), vectors_(box_),
      fewest_wraps_(tie_names.find(routing.tie) != Tie::positive), steps_(steps_of(box_)), lowest_(node_count(), 0)
{
  for (std::size_t slot = 0; slot < steps_.size(); ++slot) {
    const Step step = steps_[slot];
    slots_[step.dimension][step.up ? 1 : 0] = static_cast<std::uint8_t>(slot);
    if (step.up && (slot == 0 || steps_[slot - 1].dimension != step.dimension)) {
      slots_[step.dimension][0] = static_cast<std::uint8_t>(slot); // down is the same link
    }
  }
  for (std::size_t dimension = 0; dimension < box_.dimensions(); ++dimension) {
    std::vector<bool> seen(node_count(), false);
    for (std::uint32_t first = 0; first < node_count(); ++first) {
      if (seen[first]) {
        continue;
      }
      lowest_[first] = static_cast<std::uint8_t>(lowest_[first] | 1U << dimension);
      for (std::uint32_t node = first; !seen[node];) {
        seen[node] = true;
        LatticeVector next = box_.point(node);
        ++next[dimension];
        node = box_.number_of(next);
      }
    }
  }
}

ChannelId Lattice::channel(std::uint32_t node, Step step) const
{
  return ChannelId{static_cast<std::uint32_t>(node * steps_.size() + slots_[step.dimension][step.up ? 1 : 0])};
}

bool Lattice::leaves_box(std::uint32_t node, Step step) const
{
  const std::int64_t size = box_.sizes()[step.dimension];
  return node / box_.stride(step.dimension) % size == (step.up ? size - 1 : 0);
}

std::uint32_t Lattice::difference(NodeId from, NodeId to) const
{
  const LatticeVector start = box_.point(index(from));
  LatticeVector vector = box_.point(index(to));
  for (std::size_t dimension = 0; dimension < box_.dimensions(); ++dimension) {
    vector[dimension] -= start[dimension];
  }
  return box_.number_of(vector);
}

template <typename Visit> void Lattice::follow(std::uint32_t from, const LatticeSteps& steps, Visit&& visit) const
{
  std::uint32_t node = from;
  for (std::size_t dimension = 0; dimension < box_.dimensions(); ++dimension) {
    const Step step{static_cast<std::uint8_t>(dimension), steps[dimension] > 0};
    for (std::int32_t count = std::abs(steps[dimension]); count > 0; --count) {
      visit(node, step);
      node = index(channel_target(channel(node, step)));
    }
  }
}

std::uint32_t Lattice::wrap_around_links(std::uint32_t from, const LatticeSteps& steps) const
{
  std::uint32_t wraps = 0;
  follow(from, steps, [&](std::uint32_t node, Step step) { wraps += leaves_box(node, step) ? 1U : 0U; });
  return wraps;
}

void Lattice::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  const std::span<const LatticeSteps> vectors = vectors_.to(difference(from, to));
  const LatticeSteps* chosen = &vectors.front();
  if (fewest_wraps_ && vectors.size() > 1) {
    std::uint32_t fewest = wrap_around_links(index(from), *chosen);
    for (const LatticeSteps& steps : vectors.subspan(1)) {
      if (const std::uint32_t wraps = wrap_around_links(index(from), steps); wraps < fewest) {
        chosen = &steps;
        fewest = wraps;
      }
    }
  }
  follow(index(from), *chosen, [&](std::uint32_t node, Step step) { route.push_back(channel(node, step)); });
}

std::vector<std::int64_t> Lattice::coordinates(NodeId node) const
{
  const LatticeVector point = box_.point(index(node));
  return {point.begin(), point.begin() + static_cast<std::ptrdiff_t>(box_.dimensions())};
}

NodeId Lattice::node_at(std::span<const std::int64_t> coordinates) const
{
  if (coordinates.size() != box_.dimensions()) {
    throw InputError(fmt::format("[{}] has {} coordinates, but the {} has {} dimensions", fmt::join(coordinates, ", "),
                                 coordinates.size(), title(), box_.dimensions()));
  }
  LatticeVector point{};
  for (std::size_t dimension = 0; dimension < coordinates.size(); ++dimension) {
    const std::int64_t size = box_.sizes()[dimension];
    if (coordinates[dimension] < 0 || coordinates[dimension] >= size) {
      throw InputError(
          fmt::format("node ({}) is outside of the box {} of the {}: its coordinate in dimension {} is {}, "
                      "expected 0 to {}",
                      fmt::join(coordinates, ", "), fmt::join(box_.sizes(), " x "), title(), dimension + 1,
                      coordinates[dimension], size - 1));
    }
    point[dimension] = coordinates[dimension];
  }
  return NodeId{box_.number_of(point)};
}

std::vector<std::string> Lattice::link_classes() const
{
  return dimension_names(box_.dimensions());
}

std::uint32_t Lattice::link_class(ChannelId channel) const
{
  return step_of(channel).dimension;
}

std::uint32_t Lattice::virtual_channel_classes(std::uint32_t virtual_channels) const
{
  return virtual_channels >= 2 ? 2 : 1;
}

void Lattice::assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                             std::span<std::uint8_t> classes) const
{
  std::ranges::fill(classes, std::uint8_t{0});
  if (virtual_channel_classes(virtual_channels) == 1) {
    return;
  }
  bool closed = false; // whether the worm has crossed the link that closes the cycle
  for (std::size_t hop = 0; hop < route.size(); ++hop) {
    const Step step = step_of(route[hop]);
    if (hop > 0 && step.dimension != step_of(route[hop - 1]).dimension) {
      closed = false;
    }
    classes[hop] = closed ? 1 : 0;
    const NodeId upper_end = step.up ? channel_target(route[hop]) : channel_source(route[hop]);
    closed = closed || (lowest_[index(upper_end)] >> step.dimension & 1) != 0;
  }
}

std::string Lattice::title() const
{
  std::vector<std::string> rows;
  for (const std::string& row : description().parameters.texts("matrix")) {
    std::string text = "(";
    for (const char letter : row) {
      const bool blank = letter == ' ' || letter == '\t';
      if (!blank) {
        text += letter;
      } else if (text.back() != '(' && text.back() != ' ') {
        text += ' ';
      }
    }
    rows.push_back(text.substr(0, text.find_last_not_of(' ') + 1) + ")");
  }
  return fmt::format("lattice {}", fmt::join(rows, " "));
}

TopologyMetrics measure_lattice(const Lattice& lattice)
{
  TopologyMetrics metrics;
  metrics.nodes = lattice.node_count();
  metrics.channels = lattice.channel_count();
  metrics.links = count_links(lattice);
  metrics.smallest_degree = lattice.out_degree(NodeId{0});
  metrics.largest_degree = metrics.smallest_degree;
  metrics.diameter = lattice.longest_route();
  std::uint64_t sum = 0;
  for (std::uint32_t node = 0; node < metrics.nodes; ++node) {
    sum += lattice.distance(NodeId{0}, NodeId{node});
  }
  metrics.mean_distance = boost::multiprecision::cpp_rational(sum, std::max<std::uint64_t>(metrics.nodes - 1, 1));
  metrics.bisection = search_bisection(lattice);
  return metrics;
}

TopologyKind lattice_kind()
{
  return {
      "lattice",
      "Z^n modulo the rows of an integer matrix: tori, twisted tori, FCC, BCC, midimew and circulant networks",
      {{.name = "matrix",
        .type = ParameterType::texts,
        .text = "the rows, each a text of as many whole numbers as there are rows: [\"4 0 4\", \"0 4 4\", \"0 0 8\"]"}},
      {"dimension_order"},
      "C. Camarero, C. Martinez and R. Beivide, Lattice graphs for high-scale interconnection topologies, IEEE Trans. "
      "Parallel and Distributed Systems 26(9), 2015",
      make_lattice,
      [](const Topology& topology) { return measure_lattice(dynamic_cast<const Lattice&>(topology)); },
      {},
      [](const Topology& topology) { return draw_lattice(dynamic_cast<const Lattice&>(topology)); }};
}

} // namespace wormcast
