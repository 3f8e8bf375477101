#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/cang_wu/printed_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

namespace wormcast::cang_wu {

namespace {

/// Twice the distance to the centre of a mesh, which is no node.
std::int64_t distance_to_centre(const Position& position, std::int64_t side)
{
  std::int64_t distance = 0;
  for (const std::int64_t x : position) {
    distance += std::abs(2 * x - (side - 1));
  }
  return distance;
}

/// The eyes of a mesh of side 2^k by the definition: of the eyes of its 2^d submeshes the 2^d that are closest to its
/// centre.
std::vector<Position> eyes_by_definition(std::size_t d, unsigned k)
{
  std::vector<Position> eyes = all_positions(d, 1);
  for (unsigned level = 2; level <= k; ++level) {
    const std::int64_t half = std::int64_t{1} << (level - 1);
    std::vector<Position> candidates;
    for (const Position& submesh : all_positions(d, 1)) {
      for (Position eye : eyes) {
        for (std::size_t axis = 0; axis < d; ++axis) {
          eye[axis] += half * submesh[axis];
        }
        candidates.push_back(std::move(eye));
      }
    }
    std::ranges::stable_sort(candidates, {},
                             [&](const Position& position) { return distance_to_centre(position, 2 * half); });
    const std::size_t count = eyes.size();
    if (distance_to_centre(candidates[count - 1], 2 * half) == distance_to_centre(candidates[count], 2 * half)) {
      throw std::logic_error("the closest eyes are not determined");
    }
    candidates.resize(count);
    eyes = std::move(candidates);
  }
  std::ranges::sort(eyes);
  return eyes;
}

/// Side of the eye-square or eye-cube.
std::int64_t defined_distance(std::size_t d, unsigned k)
{
  const std::vector<Position> eyes = eyes_by_definition(d, k);
  return eyes.back()[0] - eyes.front()[0];
}

Evidence distances_follow_recursion(std::size_t d)
{
  std::vector<Observation> observations = {equal_numbers("a_1", as_claimed(1), defined_distance(d, 1))};
  for (unsigned k = 2; k <= 20; ++k) {
    const std::int64_t expected = (std::int64_t{1} << (k - 1)) - defined_distance(d, k - 1);
    observations.push_back(equal_numbers(fmt::format("a_{}", k), as_claimed(expected), defined_distance(d, k)));
  }
  return all_hold("eyes by the recursive definition, k = 1..20", observations);
}

Evidence distances_are_closed_form(std::size_t d)
{
  std::vector<Observation> observations;
  for (unsigned k = 1; k <= printed_eye_distances.size(); ++k) {
    observations.push_back(equal_numbers(fmt::format("a_{} as printed", k), as_claimed(printed_eye_distances[k - 1]),
                                         defined_distance(d, k)));
  }
  for (unsigned k = 1; k <= 20; ++k) {
    const std::int64_t claimed = ((std::int64_t{1} << k) - (k % 2 == 0 ? 1 : -1)) / 3;
    observations.push_back(equal_numbers(fmt::format("a_{}", k), as_claimed(claimed), defined_distance(d, k)));
  }
  return all_hold("eyes by the recursive definition, k = 1..20", observations);
}

Evidence coordinates_are_closed_form()
{
  std::vector<Observation> observations;
  for (std::size_t d = 1; d <= 4; ++d) {
    for (unsigned k = 1; k <= 10; ++k) {
      const std::int64_t sign = k % 2 == 0 ? 1 : -1;
      const std::int64_t low = as_claimed(((std::int64_t{2} << k) + sign - 3) / 6);
      const std::int64_t high = as_claimed(((std::int64_t{4} << k) - sign - 3) / 6);
      std::vector<Position> claimed;
      for (Position corner : all_positions(d, 1)) {
        std::ranges::transform(corner, corner.begin(), [&](std::int64_t x) { return x == 0 ? low : high; });
        claimed.push_back(std::move(corner));
      }
      std::ranges::sort(claimed);
      const std::vector<Position> found = eyes_by_definition(d, k);
      observations.push_back({.what = place_text(d, k),
                              .expected = fmt::format("coordinates {} and {}", low, high),
                              .found = fmt::format("{} eyes from ({}) to ({})", found.size(),
                                                   fmt::join(found.front(), ", "), fmt::join(found.back(), ", ")),
                              .holds = found == claimed});
    }
  }
  for (unsigned k = 1; k <= printed_eye_coordinates.size(); ++k) {
    const std::vector<Position> found = eyes_by_definition(3, k);
    for (const bool high : {false, true}) {
      observations.push_back(equal_numbers(
          fmt::format("{} coordinate on the {} as printed", high ? "high" : "low", place_text(3, k)),
          as_claimed(printed_eye_coordinates[k - 1][high ? 1 : 0]), (high ? found.back() : found.front())[0]));
    }
  }
  return all_hold("eyes by the recursive definition, d = 1..4, k = 1..10", observations);
}

/// The levels of the aligned submeshes of which a node of a mesh of side 2^k is an eye.
std::vector<unsigned> levels_of_eye(const Position& node, unsigned k)
{
  std::vector<unsigned> levels;
  for (unsigned level = 1; level <= k; ++level) {
    Position within = node;
    for (std::int64_t& x : within) {
      x &= (std::int64_t{1} << level) - 1;
    }
    const std::vector<Position> eyes = eyes_by_definition(node.size(), level);
    if (std::ranges::find(eyes, within) != eyes.end()) {
      levels.push_back(level);
    }
  }
  return levels;
}

Evidence eyes_of_one_submesh(std::size_t d)
{
  std::vector<Observation> one;
  std::vector<Observation> largest;
  std::map<std::size_t, int> nodes_by_levels;
  const unsigned most = d == 2 ? 4 : 3;
  for (unsigned k = 1; k <= most; ++k) {
    for (const Position& node : all_positions(d, k)) {
      const std::vector<unsigned> levels = levels_of_eye(node, k);
      const std::string found = fmt::format("levels {}", fmt::join(levels, ", "));
      const auto ends = std::ranges::count_if(
          levels, [&](unsigned level) { return std::ranges::find(levels, level + 1) == levels.end(); });
      one.push_back({.what = place_text(d, k, node),
                     .expected = as_stated<std::string>("one submesh", "one largest submesh"),
                     .found = found,
                     .holds = as_stated(std::ranges::ssize(levels), ends) == 1});
      largest.push_back(equal_numbers(place_text(d, k, node) + ", largest submeshes of which it is an eye", 1, ends));
      nodes_by_levels[levels.size()] += k == most ? 1 : 0;
    }
  }
  Evidence evidence =
      corrected(all_hold(fmt::format("every node, k = 1..{}", most), one),
                "a node is an eye of its submeshes of all levels 1 .. m, so of exactly one largest submesh",
                all_hold("the same nodes", largest));
  ExhibitTable table{.title = place_text(d, most), .header = {"levels at which a node is an eye", "nodes"}, .rows = {}};
  for (const auto& [levels, nodes] : nodes_by_levels) {
    table.rows.push_back({fmt::to_string(levels), fmt::to_string(nodes)});
  }
  evidence.tables.push_back(std::move(table));
  return evidence;
}

/// Whether u is in one of the intervals that the papers cut the first submesh into; `doubled_end` is twice their upper
/// end.
bool is_in_a_region(std::int64_t u, unsigned k, std::int64_t doubled_end)
{
  return 2 * u > -eye_distance(k) && 2 * u <= doubled_end;
}

Evidence regions_cover(std::size_t d, bool as_printed)
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= (d == 2 ? 6U : 4U); ++k) {
    const std::int64_t end = (std::int64_t{1} << k) - (as_printed ? 2 : 1) - eye_distance(k);
    for (const Position& node : first_submesh(d, k)) {
      Position offsets;
      for (const std::int64_t x : node) {
        offsets.push_back(eye_offset(x, k));
      }
      const bool holds = std::ranges::all_of(offsets, [&](std::int64_t u) { return is_in_a_region(u, k, end); });
      observations.push_back({.what = place_text(d, k, node),
                              .expected = "in a region",
                              .found = fmt::format("offsets ({}), upper end {}", fmt::join(offsets, ", "),
                                                   decimal(static_cast<double>(end) / 2)),
                              .holds = holds});
    }
  }
  return all_hold("every node of submesh 1", observations);
}

Evidence closer_eye_is_by_half()
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 10; ++k) {
    const std::int64_t half = std::int64_t{1} << (k - 1);
    for (std::int64_t x = 0; x < half; ++x) {
      const EyeCoordinates eyes = eye_coordinates(k - 1); // those of the submesh; the high one is the mesh's, too
      const std::int64_t to_inner = std::abs(x - eyes.high);
      const std::int64_t to_outer = std::abs(x - eyes.low);
      const bool right = x >= as_claimed(half / 2);
      observations.push_back({.what = fmt::format("k = {}, x = {}", k, x),
                              .expected = right ? "closer to E_k" : "closer to the outer eye",
                              .found = fmt::format("{} to E_k, {} to the outer eye", to_inner, to_outer),
                              .holds = right ? to_inner < to_outer : to_outer < to_inner});
    }
  }
  return all_hold("all positions on an axis of submesh 1, k = 2..10; no ties", observations, 12);
}

/// How many messages of the schedule each node receives, in all steps or in the first ones only.
std::vector<std::int64_t> receipts(const BroadcastCase& broadcast, std::uint32_t steps)
{
  const auto topology = topology_of(broadcast);
  std::vector<std::int64_t> count(topology->node_count(), 0);
  for (const Message& message : schedule_of(broadcast, *topology).messages) {
    count[index(message.destination)] += message.step < steps ? 1 : 0;
  }
  return count;
}

/// Every node is an eye of a unit mesh.
Observation every_node_is_visited(const BroadcastCase& broadcast)
{
  const std::vector<std::int64_t> visits = receipts(broadcast, std::numeric_limits<std::uint32_t>::max());
  const auto once = std::ranges::count(visits, 1);
  const auto never = std::ranges::count(visits, 0);
  return {.what = title(broadcast),
          .expected = "every node but the source receives once",
          .found = fmt::format("{} receive once, {} never", once, never),
          .holds = never == 1 && once + 1 == std::ranges::ssize(visits)};
}

/// The eyes that have the message after the steps of the whole mesh.
Observation eyes_are_visited(const BroadcastCase& broadcast, unsigned k)
{
  const std::size_t d = broadcast.dims.size();
  const std::vector<std::int64_t> visits = receipts(broadcast, static_cast<std::uint32_t>(d));
  std::int64_t eyes = is_eye(broadcast.source, k) ? 1 : 0;
  const auto topology = topology_of(broadcast);
  for (std::uint32_t node = 0; node < visits.size(); ++node) {
    eyes += visits[node] == 1 && is_eye(topology->coordinates(NodeId{node}), k) ? 1 : 0;
  }
  return equal_numbers(fmt::format("{}, eyes that have the message after {} steps", title(broadcast), d),
                       std::int64_t{1} << d, eyes);
}

Evidence each_eye_is_visited_once(std::size_t d)
{
  std::vector<Observation> nodes;
  std::vector<Observation> eyes;
  std::vector<Observation> from_eyes;
  const unsigned most = d == 2 ? 4 : 3;
  for (unsigned k = 1; k <= most; ++k) {
    for (const BroadcastCase& one : from_every_source(through_eyes(d, k))) {
      nodes.push_back(every_node_is_visited(one));
      eyes.push_back(eyes_are_visited(one, k));
      if (is_eye(one.source, k)) {
        from_eyes.push_back(eyes.back());
      }
    }
  }
  const std::string sources = fmt::format("from every source, k = 1..{}", most);
  return by_reading({{"each node, an eye of its unit mesh, receives one message", all_hold(sources, nodes)},
                     {"the steps of a mesh visit each of its eyes once",
                      corrected(all_hold(sources, as_stated(eyes, from_eyes)),
                                "they do from an eye; from elsewhere the algorithm passes by the eye of the "
                                "source's own submesh and, in the outer half, some of the others",
                                all_hold(fmt::format("from every eye, k = 1..{}", most), from_eyes))}});
}

/// Receivers of the first 2^d - 1 messages with their steps; as nodes, or as the submeshes of this side that they are
/// in.
std::string first_receivers(const Schedule& schedule, const Topology& topology, std::uint32_t steps, std::int64_t side)
{
  std::set<std::string> receivers;
  for (const Message& message : schedule.messages) {
    if (message.step < steps) {
      Position place = topology.coordinates(message.destination);
      for (std::int64_t& x : place) {
        x /= side;
      }
      receivers.insert(fmt::format("{}: ({})", message.step, fmt::join(place, ", ")));
    }
  }
  return fmt::format("{}", fmt::join(receivers, "; "));
}

/// The messages of the first d steps from the sources of submesh 1.
Evidence receivers_are_fixed(std::size_t d)
{
  std::vector<Observation> one_list;
  std::vector<Observation> eyes;
  for (unsigned k = 1; k <= 3; ++k) {
    std::set<std::string> lists;
    for (const Position& source : first_submesh(d, k)) {
      const BroadcastCase one = through_eyes(d, k, AxisOrder::paper, source);
      const auto topology = topology_of(one);
      const Schedule schedule = schedule_of(one, *topology);
      lists.insert(first_receivers(schedule, *topology, static_cast<std::uint32_t>(d),
                                   as_stated(std::int64_t{1}, std::int64_t{1} << (k - 1))));
      std::set<Position> submeshes;
      for (const Message& message : schedule.messages) {
        Position place = topology->coordinates(message.destination);
        Position within = place;
        for (std::size_t axis = 0; axis < d; ++axis) {
          within[axis] &= (std::int64_t{1} << (k - 1)) - 1;
          place[axis] >>= k - 1;
        }
        if (message.step < d && is_eye(within, k - 1) && std::ranges::max(place) > 0) {
          submeshes.insert(place);
        }
      }
      eyes.push_back(
          equal_numbers(place_text(d, k, source) + ", other submeshes that get the message at one of their eyes",
                        (std::int64_t{1} << d) - 1, std::ranges::ssize(submeshes)));
    }
    one_list.push_back(
        equal_numbers(fmt::format("{}, lists of receivers of the first {} steps from the sources of one submesh",
                                  place_text(d, k), d),
                      1, std::ranges::ssize(lists)));
  }
  return corrected(all_hold("the schedules from all sources of submesh 1, k = 1..3", one_list),
                   "the submeshes are fixed, the receiver is an eye "
                   "of its submesh that depends on the region of the source",
                   all_hold("the same schedules", eyes));
}

std::vector<Check> place_checks(const Part& part)
{
  const std::size_t d = part.d;
  const bool cube = part.is_3d();
  std::vector<Check> checks;
  if (!cube) {
    checks.push_back(check_of(part, "eye_distance_recursion", [=] { return distances_follow_recursion(d); }));
  }
  checks.push_back(check_of(part, "eye_distance", [=] { return distances_are_closed_form(d); }));
  if (cube) {
    checks.push_back(check_of(part, "eye_coordinates", coordinates_are_closed_form));
    checks.push_back(check_of(part, "closer_eye", closer_eye_is_by_half));
  }
  return checks;
}

std::vector<Check> visit_checks(const Part& part)
{
  const std::size_t d = part.d;
  const bool cube = part.is_3d();
  std::vector<Check> checks;
  checks.push_back(check_of(part, "one_submesh_per_eye", [=] { return eyes_of_one_submesh(d); }));
  checks.push_back(check_of(part, "each_eye_visited_once", [=] { return each_eye_is_visited_once(d); }));
  checks.push_back(check_of(part, "regions_cover_the_submesh", [=] {
    return misprinted(regions_cover(d, as_stated(true, false)),
                      "upper ends 2^(k-1) - 1/2 - a_k/2; as printed the outermost nodes are in no region",
                      regions_cover(d, false));
  }));
  if (cube) {
    checks.push_back(check_of(part, "fixed_receivers", [=] { return receivers_are_fixed(d); }));
  }
  return checks;
}

} // namespace

std::vector<Check> eye_checks(const Part& part)
{
  std::vector<Check> checks = place_checks(part);
  std::ranges::move(visit_checks(part), std::back_inserter(checks));
  return checks;
}

} // namespace wormcast::cang_wu
