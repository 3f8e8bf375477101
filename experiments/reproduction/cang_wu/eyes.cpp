#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
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
  std::vector<Observation> observations = {equal_numbers("a_1", 1, defined_distance(d, 1))};
  for (unsigned k = 2; k <= 20; ++k) {
    const std::int64_t expected = (std::int64_t{1} << (k - 1)) - defined_distance(d, k - 1);
    observations.push_back(equal_numbers(fmt::format("a_{}", k), expected, defined_distance(d, k)));
  }
  return all_hold("eyes by the recursive definition, k = 1..20", observations);
}

Evidence distances_are_closed_form(std::size_t d)
{
  std::vector<Observation> observations;
  for (unsigned k = 1; k <= 20; ++k) {
    const std::int64_t claimed = ((std::int64_t{1} << k) - (k % 2 == 0 ? 1 : -1)) / 3;
    observations.push_back(equal_numbers(fmt::format("a_{}", k), claimed, defined_distance(d, k)));
  }
  return all_hold("eyes by the recursive definition, k = 1..20", observations);
}

Evidence coordinates_are_closed_form()
{
  std::vector<Observation> observations;
  for (std::size_t d = 1; d <= 4; ++d) {
    for (unsigned k = 1; k <= 10; ++k) {
      const std::int64_t sign = k % 2 == 0 ? 1 : -1;
      const std::int64_t low = ((std::int64_t{2} << k) + sign - 3) / 6;
      const std::int64_t high = ((std::int64_t{4} << k) - sign - 3) / 6;
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
  std::vector<Observation> unbroken;
  std::map<std::size_t, int> nodes_by_levels;
  const unsigned most = d == 2 ? 4 : 3;
  for (unsigned k = 1; k <= most; ++k) {
    for (const Position& node : all_positions(d, k)) {
      const std::vector<unsigned> levels = levels_of_eye(node, k);
      const std::string found = fmt::format("levels {}", fmt::join(levels, ", "));
      one.push_back(
          {.what = place_text(d, k, node), .expected = "one submesh", .found = found, .holds = levels.size() == 1});
      unbroken.push_back({.what = place_text(d, k, node),
                          .expected = "levels 1 .. m",
                          .found = found,
                          .holds = !levels.empty() && levels.back() == levels.size()});
      nodes_by_levels[levels.size()] += k == most ? 1 : 0;
    }
  }
  Evidence evidence =
      corrected(all_hold(fmt::format("every node, k = 1..{}", most), one),
                "a node is an eye of its submeshes of all levels 1 .. m, so of exactly one largest submesh",
                all_hold("the same nodes", unbroken));
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
      const bool right = x >= half / 2;
      observations.push_back({.what = fmt::format("k = {}, x = {}", k, x),
                              .expected = right ? "closer to E_k" : "closer to the outer eye",
                              .found = fmt::format("{} to E_k, {} to the outer eye", to_inner, to_outer),
                              .holds = right ? to_inner < to_outer : to_outer < to_inner});
    }
  }
  return all_hold("all positions on an axis of submesh 1, k = 2..10; no ties", observations, 12);
}

} // namespace

std::vector<Claim> eye_claims(const Part& part)
{
  const std::size_t d = part.d;
  const bool cube = part.is_3d();
  std::vector<Claim> claims;
  if (!cube) {
    claims.push_back(claim(part, "eye_distance_recursion", "section 3, eq. (1)",
                           "Two sides of the eye-square and two of that of the submeshes make up the mesh",
                           "a_k = 2^(k-1) - a_(k-1), a_1 = 1", [=] { return distances_follow_recursion(d); }));
  }
  claims.push_back(claim(part, "eye_distance",
                         cube ? "section 2.1, eq. (1); section 3.1, eq. (4)" : "section 3, eq. (2)",
                         cube ? "Side of the eye-square and of the eye-cube" : "Side of the eye-square",
                         "a_k = (2^k - (-1)^k)/3 = 1, 1, 3, 5, 11, ...", [=] { return distances_are_closed_form(d); }));
  if (cube) {
    claims.push_back(claim(part, "eye_coordinates", "sections 2.1 and 3.1", "Every coordinate of an eye is one of two",
                           "(2^(k+1) + (-1)^k)/6 - 1/2 and (2^(k+2) - (-1)^k)/6 - 1/2", coordinates_are_closed_form));
    claims.push_back(claim(part, "closer_eye", "section 2.2, algorithm 1, step 3",
                           "The source is closer to the eye of the mesh if it is in the right half of the submesh",
                           "right half: E_k, left half: the outer eye", closer_eye_is_by_half));
  }
  claims.push_back(claim(
      part, "one_submesh_per_eye", cube ? "section 3.2, after algorithm 2" : "section 3, after algorithm 1",
      "Each node is an eye of exactly one submesh", "exactly one submesh", [=] { return eyes_of_one_submesh(d); },
      Verdict::refuted));
  claims.push_back(claim(
      part, "regions_cover_the_submesh", cube ? "section 3.2, theorem 1 and definition 6" : "section 3, eq. (5)",
      "The regions of the source cover submesh 1", "upper ends 2^(k-1) - 1 - a_k/2",
      [=] {
        return corrected(regions_cover(d, true),
                         "upper ends 2^(k-1) - 1/2 - a_k/2; as printed the outermost nodes are in no region",
                         regions_cover(d, false));
      },
      Verdict::refuted));
  return claims;
}

} // namespace wormcast::cang_wu
