#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"

#include "wormcast/algorithms/tcd/lower_bounds.hpp"
#include "wormcast/algorithms/tcd/minimum_tcd.hpp"
#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

namespace wormcast::cang_wu {

namespace {

std::int64_t counted_tcd_on(const BroadcastCase& broadcast, const Topology& topology)
{
  const CheckReport report = check_schedule(topology, schedule_of(broadcast, topology), {.max_violations = 1});
  const auto steps = static_cast<std::uint64_t>(std::bit_width(topology.node_count() - 1));
  if (!report.valid() || report.costs.alpha != steps || report.costs.messages != topology.node_count() - 1) {
    throw std::logic_error(fmt::format("{} is no broadcast in {} steps", title(broadcast), steps));
  }
  return static_cast<std::int64_t>(report.costs.tcd);
}

std::vector<Position> positions(std::size_t d, std::int64_t side)
{
  std::vector<Position> all = {{}};
  for (std::size_t axis = 0; axis < d; ++axis) {
    std::vector<Position> longer;
    for (std::int64_t x = 0; x < side; ++x) {
      for (Position position : all) {
        position.push_back(x);
        longer.push_back(std::move(position));
      }
    }
    all = std::move(longer);
  }
  return all;
}

ExhibitMatrix heat_map(const std::string& title, std::size_t d, unsigned k, const Tcds& values, std::int64_t y)
{
  const std::int64_t side = std::int64_t{1} << k;
  const bool is_plane = d == 2;
  ExhibitMatrix matrix{
      .title = title, .x_label = "x", .y_label = is_plane ? "y" : "z", .values = {}, .labels = {}, .marked = {}};
  for (std::int64_t row = 0; row < side; ++row) {
    matrix.values.emplace_back();
    for (std::int64_t x = 0; x < side; ++x) {
      const Position position = is_plane ? Position{x, row} : Position{x, y, row};
      const std::int64_t id = x + side * (is_plane ? row : y + side * row);
      matrix.values.back().push_back(fmt::to_string(values[static_cast<std::size_t>(id)]));
      if (is_eye(position, k)) {
        matrix.marked.emplace_back(static_cast<int>(x), static_cast<int>(row));
      }
    }
  }
  return matrix;
}

Tcds signed_numbers(const std::vector<std::uint64_t>& numbers)
{
  return {numbers.begin(), numbers.end()};
}

} // namespace

BroadcastCase through_eyes(std::size_t d, unsigned k, AxisOrder order, const Position& source)
{
  return {.dims = square(static_cast<int>(k), d),
          .algorithm = "minimum_tcd",
          .parameters = {{"order", std::string(axis_order_names.text(order))}},
          .source = source,
          .duplex = Duplex::half};
}

BroadcastCase by_halving(std::size_t d, unsigned k, const Position& source)
{
  return {.dims = square(static_cast<int>(k), d),
          .algorithm = "recursive_halving_tcd",
          .source = source,
          .duplex = Duplex::half};
}

std::shared_ptr<const Grid> grid_of(const BroadcastCase& broadcast)
{
  auto grid = std::dynamic_pointer_cast<const Grid>(topology_of(broadcast));
  if (!grid) {
    throw std::logic_error(fmt::format("{} is on no grid", title(broadcast)));
  }
  return grid;
}

std::int64_t counted_tcd(const BroadcastCase& broadcast)
{
  return counted_tcd_on(broadcast, *topology_of(broadcast));
}

Tcds counted_tcds(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  Tcds tcds;
  for (const BroadcastCase& one : from_every_source(broadcast)) {
    tcds.push_back(counted_tcd_on(one, *topology));
  }
  return tcds;
}

std::vector<std::int64_t> step_distances(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  const Schedule schedule = schedule_of(broadcast, *topology);
  std::vector<std::int64_t> distances(step_count(schedule), 0);
  for (const Message& message : schedule.messages) {
    distances[message.step] += topology->distance(message.source, message.destination);
  }
  return distances;
}

std::vector<Position> first_submesh(std::size_t d, unsigned k)
{
  return positions(d, std::int64_t{1} << (k - 1));
}

std::vector<Position> all_positions(std::size_t d, unsigned k)
{
  return positions(d, std::int64_t{1} << k);
}

Position first_eye(std::size_t d, unsigned k)
{
  return Position(d, eye_coordinates(k).low);
}

Position mirrored(Position node, const std::array<bool, 3>& across, unsigned k)
{
  for (std::size_t axis = 0; axis < node.size(); ++axis) {
    node[axis] = across[axis] ? (std::int64_t{1} << k) - 1 - node[axis] : node[axis];
  }
  return node;
}

std::int64_t hops(const Position& from, const Position& to)
{
  std::int64_t sum = 0;
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    sum += std::abs(from[axis] - to[axis]);
  }
  return sum;
}

std::string place_text(std::size_t d, unsigned k, const Position& source)
{
  std::string text = fmt::format("mesh {}", fmt::join(square(static_cast<int>(k), d), " x "));
  return source.empty() ? text : text + fmt::format(" from ({})", fmt::join(source, ", "));
}

Observation equal_numbers(const std::string& what, std::int64_t expected, std::int64_t found)
{
  return same_texts(what, fmt::to_string(expected), fmt::to_string(found));
}

std::vector<ExhibitMatrix> heat_maps(const std::string& title, std::size_t d, unsigned k, const Tcds& values)
{
  if (d == 2) {
    return {heat_map(title, d, k, values, 0)};
  }
  std::vector<ExhibitMatrix> planes;
  const std::int64_t side = std::int64_t{1} << k;
  for (std::int64_t y = 0; y < (k > 2 ? side / 2 : side); ++y) {
    planes.push_back(heat_map(fmt::format("{}, y = {}", title, y), d, k, values, y));
  }
  return planes;
}

Tcds differences(const Tcds& more, const Tcds& less)
{
  Tcds difference = more;
  for (std::size_t node = 0; node < difference.size(); ++node) {
    difference[node] -= less.at(node);
  }
  return difference;
}

std::vector<ExhibitMatrix> matrices_of_minima(std::size_t d, unsigned k)
{
  const auto grid = grid_of(by_halving(d, k));
  const Tcds paper = signed_numbers(minimum_tcds(*grid, AxisOrder::paper));
  const Tcds halving = signed_numbers(recursive_halving_tcds(*grid));
  const std::string on = " on the " + grid->title();
  std::vector<ExhibitMatrix> matrices;
  const auto add = [&](const std::string& title, const Tcds& values) {
    std::ranges::move(heat_maps(title + on, d, k, values), std::back_inserter(matrices));
  };
  add("TCD by source, axes in the papers' order", paper);
  add("TCD by source, best order of the axes", signed_numbers(minimum_tcds(*grid, AxisOrder::best)));
  add("TCD by source, recursive halving", halving);
  add("what the papers' order has more than recursive halving", differences(paper, halving));
  add("lower bound of all broadcasts in log2 N steps", signed_numbers(tcd_lower_bounds(*grid)));
  return matrices;
}

bool is_corner_of_4x4x4(const Position& node)
{
  return std::ranges::all_of(node, [](std::int64_t x) { return x == 0 || x == 3; });
}

Evidence best_order_is_minimal_in_3d()
{
  const auto bounds = signed_numbers(tcd_lower_bounds(*grid_of(by_halving(3, 2))));
  const Tcds best = counted_tcds(through_eyes(3, 2, AxisOrder::best));
  const std::vector<Position> nodes = all_positions(3, 2);
  std::vector<Observation> observations;
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    if (!is_corner_of_4x4x4(nodes[id])) {
      observations.push_back(equal_numbers(place_text(3, 2, nodes[id]), bounds[id], best[id]));
    }
  }
  return all_hold("the lower bound of all broadcasts against the algorithm with the best order of the axes",
                  observations);
}

Evidence are_minima(const std::vector<KnownMinimum>& values)
{
  std::vector<Observation> halvings;
  ExhibitTable table{.title = "what is known of the minimum",
                     .header = {"place", "claimed", "least of all recursive halvings", "no broadcast has less than"},
                     .rows = {}};
  std::string open;
  bool is_refuted = false;
  for (const KnownMinimum& value : values) {
    halvings.push_back(equal_numbers(value.place, value.claimed, value.least_halving));
    table.rows.push_back(
        {value.place, fmt::to_string(value.claimed), fmt::to_string(value.least_halving), fmt::to_string(value.bound)});
    is_refuted = is_refuted || value.least_halving < value.claimed;
    if (value.bound < value.claimed) {
      open += fmt::format("{}{} at least {} of {}", open.empty() ? "" : ", ", value.place, value.bound, value.claimed);
    }
  }
  Evidence all;
  all.verdict = is_refuted ? Verdict::refuted : open.empty() ? Verdict::confirmed : Verdict::ambiguous;
  all.measured = is_refuted     ? std::string("a recursive halving has less")
                 : open.empty() ? std::string("lower bounds prove it")
                                : fmt::format("lower bounds leave it open: {}", open);
  Evidence evidence = by_reading({{"among recursive halvings", all_hold("least of all recursive halvings", halvings)},
                                  {"among all broadcasts in log2 N steps", all}});
  evidence.tables.push_back(std::move(table));
  return evidence;
}

Check check_of(const Part& part, const std::string& name, std::function<Evidence()> measure)
{
  return wormcast::check_of(name,
                            demonstration(through_eyes(part.d, part.is_3d() ? 2 : 3),
                                          "wormcast topology CONFIG --tcd --values paper,halving,bound"),
                            std::move(measure));
}

Demonstration demonstration(const BroadcastCase& broadcast, const std::string& command)
{
  return {.config = config_text(broadcast), .command = command};
}

} // namespace wormcast::cang_wu
