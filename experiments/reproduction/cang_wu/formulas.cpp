#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/algorithms/tcd/lower_bounds.hpp"
#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/cang_wu/exhaustive_tcd.hpp"
#include "wormcast/experiments/reproduction/cang_wu/printed_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace wormcast::cang_wu {

namespace {

/// Meshes up to this level are gone through with a schedule from every node of submesh 1.
unsigned most_formulas_level(std::size_t d)
{
  return d == 2 ? 6 : 4;
}

/// Offsets in the order in which the papers cross the axes: x, y, or x, z, y.
Position crossed_offsets(const Position& node, unsigned k)
{
  Position offsets;
  for (const std::int64_t x : node) {
    offsets.push_back(eye_offset(x, k));
  }
  if (offsets.size() == 3) {
    std::swap(offsets[1], offsets[2]);
  }
  return offsets;
}

std::size_t id_of(const Position& node, unsigned k)
{
  std::size_t id = 0;
  for (std::size_t axis = node.size(); axis-- > 0;) {
    id = (id << k) + static_cast<std::size_t>(node[axis]);
  }
  return id;
}

/// A formula of the papers for f_k, by the offsets in the order of crossing.
using Excess = std::function<std::int64_t(const Position& offsets, unsigned k)>;

std::int64_t excess_2d(const Position& offsets, unsigned k)
{
  return level_excess_2d(offsets[0], offsets[1], k);
}

std::int64_t excess_3d(const Position& offsets, unsigned k)
{
  return level_excess_3d(offsets[0], offsets[1], offsets[2], k);
}

std::int64_t excess_by_nine_regions(const Position& offsets, unsigned k)
{
  return theorem_1_excess(offsets[0], offsets[1], offsets[2], k);
}

/// D_k(S) = f_k + (2^d - 1) a_k + D_(k-1)(S) + (2^d - 1) D_(k-1)(E_(k-1)), all four counted in schedules.
nlohmann::ordered_json level_formula(std::size_t d, unsigned k, const Excess& excess)
{
  const std::int64_t others = (std::int64_t{1} << d) - 1;
  const Tcds within = counted_tcds(through_eyes(d, k - 1));
  const std::int64_t from_eye = within[id_of(first_eye(d, k - 1), k - 1)];
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const Position& node : first_submesh(d, k)) {
    const std::int64_t claimed =
        excess(crossed_offsets(node, k), k) + others * eye_distance(k) + within[id_of(node, k - 1)] + others * from_eye;
    cases.push_back(
        {place_text(d, k, node), as_claimed(claimed), counted_tcd(through_eyes(d, k, AxisOrder::paper, node))});
  }
  return cases;
}

Evidence level_formula_holds(std::span<const nlohmann::ordered_json> parts)
{
  std::vector<Observation> observations;
  for (const auto& part : parts) {
    for (const auto& one : part) {
      observations.push_back(equal_numbers(one.at(0), one.at(1), one.at(2)));
    }
  }
  return all_hold("TCD of the schedules from every node of submesh 1, regions with their corrected upper ends",
                  observations, 20);
}

Measurement level_formulas(std::size_t d, const Excess& excess)
{
  Measurement measurement{.parts = {}, .conclude = level_formula_holds};
  for (unsigned k = 2; k <= most_formulas_level(d); ++k) {
    measurement.parts.emplace_back([=] { return level_formula(d, k, excess); });
  }
  return measurement;
}

/// D_k(S) = sum of f_i + D_k(E_k) from every source.
Evidence sums_hold(std::size_t d)
{
  std::vector<Observation> observations;
  const Excess excess = d == 2 ? excess_2d : excess_3d;
  for (unsigned k = 1; k < most_formulas_level(d); ++k) {
    const Tcds tcds = counted_tcds(through_eyes(d, k));
    const std::int64_t from_eye = tcds[id_of(first_eye(d, k), k)];
    for (const Position& node : all_positions(d, k)) {
      std::int64_t sum = from_eye;
      for (unsigned level = 2; level <= k; ++level) {
        Position within = node;
        for (std::int64_t& x : within) {
          x &= (std::int64_t{1} << level) - 1;
        }
        sum += excess(crossed_offsets(within, level), level);
      }
      observations.push_back(equal_numbers(place_text(d, k, node), as_claimed(sum), tcds[id_of(node, k)]));
    }
  }
  return all_hold(fmt::format("TCD of the schedules from every source, k = 1..{}", most_formulas_level(d) - 1),
                  observations, 20);
}

Evidence excess_is_not_negative(std::size_t d, bool only_eyes_have_none)
{
  std::vector<Observation> observations;
  const Excess excess = d == 2 ? excess_2d : excess_3d;
  const std::int64_t least = as_lower_bound(0);
  for (unsigned k = 2; k <= (d == 2 ? 8U : 6U); ++k) {
    for (const Position& node : first_submesh(d, k)) {
      const std::int64_t value = excess(crossed_offsets(node, k), k);
      observations.push_back(
          {.what = place_text(d, k, node),
           .expected = fmt::format("f_k {} {}", only_eyes_have_none && !is_eye(node, k) ? ">" : ">=", least),
           .found = fmt::format("{}", value),
           .holds = value > least || (value == least && (!only_eyes_have_none || is_eye(node, k)))});
    }
  }
  return all_hold("every node of submesh 1", observations, 20);
}

Evidence eyes_are_best(std::size_t d)
{
  std::vector<Observation> observations;
  for (unsigned k = 1; k < most_formulas_level(d); ++k) {
    const Tcds tcds = counted_tcds(as_measured(through_eyes(d, k), by_halving(d, k)));
    const std::int64_t from_eye = tcds[id_of(first_eye(d, k), k)];
    for (const Position& node : all_positions(d, k)) {
      const std::int64_t tcd = tcds[id_of(node, k)];
      observations.push_back({.what = place_text(d, k, node),
                              .expected = fmt::format("{} {}", is_eye(node, k) ? "eye:" : "more than", from_eye),
                              .found = fmt::to_string(tcd),
                              .holds = is_eye(node, k) ? tcd == from_eye : tcd > from_eye});
    }
  }
  return all_hold(fmt::format("TCD of the schedules from every source, k = 1..{}", most_formulas_level(d) - 1),
                  observations, 20);
}

/// (9), damaged in print, as (8) gives it.
Fraction closed_corner(unsigned k)
{
  const std::int64_t power = std::int64_t{1} << k;
  const std::int64_t sign = k % 2 == 0 ? 1 : -1;
  return as_claimed(Fraction(6 * power * power, 5) + Fraction(4 * power, 3) -
                    Fraction(2 * static_cast<std::int64_t>(k)) - Fraction(sign, 30) - Fraction(5, 2));
}

Evidence corner_formula()
{
  std::vector<Observation> observations;
  std::int64_t corner = 3;
  for (unsigned k = 1; k <= 6; ++k) {
    if (k > 1) {
      corner += 5 * (std::int64_t{1} << (k - 1)) - 2 - 2 * eye_distance(k - 1) +
                3 * counted_tcd(through_eyes(2, k - 1, AxisOrder::paper, first_eye(2, k - 1)));
    }
    const std::int64_t found = counted_tcd(through_eyes(2, k));
    observations.push_back(equal_numbers(fmt::format("(8), {}", place_text(2, k, {0, 0})), as_claimed(corner), found));
    const Fraction closed = closed_corner(k);
    observations.push_back(
        same_texts(fmt::format("(9), {}", place_text(2, k, {0, 0})), format_fraction(closed), fmt::to_string(found)));
    if (k >= 2 && k - 2 < printed_corner_tcds.size()) {
      observations.push_back(
          equal_numbers(place_text(2, k, {0, 0}) + " as printed", as_claimed(printed_corner_tcds[k - 2]), found));
    }
  }
  return all_hold("recursion (8), closed form (9) and the printed "
                  "values against the schedules from the corner, k = 1..6",
                  observations);
}

/// Up to 4 x 4 all broadcasts can be gone through.
Evidence corner_is_minimal()
{
  std::vector<KnownMinimum> values;
  for (unsigned k = 1; k <= 6; ++k) {
    const auto grid = grid_of(by_halving(2, k));
    const std::int64_t bound =
        k <= 2 ? exhaustive_minimum_tcds(*grid).front() : static_cast<std::int64_t>(tcd_lower_bounds(*grid).front());
    const Fraction closed = closed_corner(k);
    values.push_back(
        {place_text(2, k, {0, 0}), closed.numerator() / closed.denominator(), counted_tcd(by_halving(2, k)), bound});
  }
  return are_minima(values);
}

/// From a corner the source is always closer to the outer eyes, and sends there.
Evidence corners_need_no_comparison()
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 20; ++k) {
    const AxisTargets targets = axis_targets(0, k);
    observations.push_back({.what = fmt::format("k = {}", k),
                            .expected = fmt::format("closer to {}", targets.outer),
                            .found = fmt::format("{} to {}, {} to {}", std::abs(targets.outer), targets.outer,
                                                 std::abs(targets.near), targets.near),
                            .holds = std::abs(targets.outer) < std::abs(targets.near)});
  }
  for (unsigned k = 2; k <= 6; ++k) {
    const Position expected = {as_claimed(eye_coordinates(k - 1).low), eye_coordinates(k).high};
    const auto topology = topology_of(through_eyes(2, k));
    for (const Message& message : schedule_of(through_eyes(2, k), *topology).messages) {
      if (message.step == 1 && index(message.source) == 0) {
        const Position found = topology->coordinates(message.destination);
        observations.push_back({.what = place_text(2, k, {0, 0}) + ", second message",
                                .expected = fmt::format("to E_{}(1) at ({})", k - 1, fmt::join(expected, ", ")),
                                .found = fmt::format("to ({})", fmt::join(found, ", ")),
                                .holds = found == expected});
      }
    }
  }
  return all_hold("distances, k = 2..20, and schedules from the corner, k = 2..6", observations);
}

/// FD, SD (and TD) that the papers derive as examples; empty for sources of other regions. Offsets in the order of
/// crossing.
std::vector<std::int64_t> worked_example(const Position& offsets, unsigned k)
{
  const std::int64_t a = eye_distance(k);
  const std::int64_t u = offsets[0];
  const std::int64_t v = offsets[1];
  if (offsets.size() == 2) {
    switch (region_2d(u, v, k)) {
    case 2:
      return {a + u + v, (a - u + v) + a};
    case 4:
      return {a + u + v, (a + u + v) + a};
    default:
      return {};
    }
  }
  const std::int64_t w = offsets[2];
  const std::int64_t smaller = eye_distance(k - 1);
  const int region = theorem_1_region(u, v, k);
  if (region == 3 && w > 0) {
    return {a + u + v + w, 2 * a - u + v + w, 4 * a - u + std::abs(v - smaller) + w};
  }
  if (region == 8 && w <= 0) {
    return {a + u + v - w, 2 * a + std::abs(u - smaller) + v - w, 4 * a + std::abs(u - smaller) + v + w};
  }
  return {};
}

Evidence worked_examples(std::size_t d)
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= (d == 2 ? 5U : 4U); ++k) {
    for (const Position& node : first_submesh(d, k)) {
      std::vector<std::int64_t> claimed = worked_example(crossed_offsets(node, k), k);
      if (claimed.empty()) {
        continue;
      }
      std::ranges::transform(claimed, claimed.begin(), [](std::int64_t hops) { return as_claimed(hops); });
      std::vector<std::int64_t> found = step_distances(through_eyes(d, k, AxisOrder::paper, node));
      found.resize(d);
      observations.push_back(same_texts(place_text(d, k, node), fmt::format("{}", fmt::join(claimed, ", ")),
                                        fmt::format("{}", fmt::join(found, ", "))));
    }
  }
  return all_hold("hops of the first steps of the schedules from all sources of these regions", observations, 20);
}

/// What definition 4 takes the minimum over.
Evidence range_of_the_optimum()
{
  const auto is_left_out = [](const Position& node) { return std::ranges::min(node) < 1; };
  std::vector<Observation> printed;
  std::vector<Observation> right;
  for (unsigned k = 1; k <= 4; ++k) {
    const std::vector<Position> nodes = all_positions(2, k);
    const std::int64_t least_coordinate = as_stated(1, 0);
    const auto left_out =
        std::ranges::count_if(nodes, [&](const Position& node) { return std::ranges::min(node) < least_coordinate; });
    printed.push_back(equal_numbers(place_text(2, k) + ", sources left out", 0, left_out));
    const Tcds tcds = counted_tcds(through_eyes(2, k));
    std::int64_t least_printed = std::numeric_limits<std::int64_t>::max();
    for (const Position& node : nodes) {
      if (!is_left_out(node)) {
        least_printed = std::min(least_printed, tcds[id_of(node, k)]);
      }
    }
    right.push_back(
        equal_numbers(place_text(2, k) + ", least TCD with and without them", std::ranges::min(tcds), least_printed));
  }
  return misprinted(all_hold("sources with a coordinate 0", printed),
                    "0 <= x, y <= n-1; the minimum is the same, because the eye at the upper end is in both",
                    all_hold("TCD of the schedules from every source", right));
}

Check level_formula_check(const Part& part, const std::string& name, const Excess& excess)
{
  Check made = check_of(part, name, {});
  made.measurement = level_formulas(part.d, excess);
  return made;
}

std::vector<Check> corner_checks(const Part& part)
{
  return {check_of(part, "corner_tcd", corner_formula), check_of(part, "corner_minimum", corner_is_minimal),
          check_of(part, "corner_needs_no_comparison", corners_need_no_comparison)};
}

std::vector<Check> excess_checks(const Part& part)
{
  const std::size_t d = part.d;
  const bool cube = part.is_3d();
  std::vector<Check> checks;
  checks.push_back(check_of(part, "excess_is_not_negative", [=] { return excess_is_not_negative(d, false); }));
  if (cube) {
    checks.push_back(check_of(part, "excess_is_zero_only_at_eyes", [=] { return excess_is_not_negative(d, true); }));
  }
  checks.push_back(check_of(part, "sum_of_levels", [=] { return sums_hold(d); }));
  checks.push_back(check_of(part, "eyes_are_best", [=] { return eyes_are_best(d); }));
  return checks;
}

std::vector<Check> region_checks(const Part& part)
{
  const bool cube = part.is_3d();
  std::vector<Check> checks;
  if (cube) {
    checks.push_back(level_formula_check(part, "theorem_1", excess_by_nine_regions));
    checks.push_back(level_formula_check(part, "lemma_1", excess_3d));
  } else {
    checks.push_back(level_formula_check(part, "lemma_1", excess_2d));
  }
  checks.push_back(check_of(part, "worked_regions", [d = part.d] { return worked_examples(d); }));
  return checks;
}

} // namespace

std::vector<Check> formula_checks(const Part& part)
{
  const bool cube = part.is_3d();
  std::vector<Check> checks = region_checks(part);
  std::ranges::move(excess_checks(part), std::back_inserter(checks));
  if (!cube) {
    std::ranges::move(corner_checks(part), std::back_inserter(checks));
  }
  checks.push_back(check_of(part, "range_of_the_optimum", range_of_the_optimum));
  return checks;
}

} // namespace wormcast::cang_wu
