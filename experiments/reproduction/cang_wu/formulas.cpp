#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

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
    cases.push_back({place_text(d, k, node), claimed, counted_tcd(through_eyes(d, k, AxisOrder::paper, node))});
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
      observations.push_back(equal_numbers(place_text(d, k, node), sum, tcds[id_of(node, k)]));
    }
  }
  return all_hold(fmt::format("TCD of the schedules from every source, k = 1..{}", most_formulas_level(d) - 1),
                  observations, 20);
}

Evidence excess_is_not_negative(std::size_t d, bool only_eyes_have_none)
{
  std::vector<Observation> observations;
  const Excess excess = d == 2 ? excess_2d : excess_3d;
  for (unsigned k = 2; k <= (d == 2 ? 8U : 6U); ++k) {
    for (const Position& node : first_submesh(d, k)) {
      const std::int64_t value = excess(crossed_offsets(node, k), k);
      observations.push_back({.what = place_text(d, k, node),
                              .expected = only_eyes_have_none && !is_eye(node, k) ? "f_k > 0" : "f_k >= 0",
                              .found = fmt::format("{}", value),
                              .holds = value > 0 || (value == 0 && (!only_eyes_have_none || is_eye(node, k)))});
    }
  }
  return all_hold("every node of submesh 1", observations, 20);
}

Evidence eyes_are_best(std::size_t d)
{
  std::vector<Observation> observations;
  for (unsigned k = 1; k < most_formulas_level(d); ++k) {
    const Tcds tcds = counted_tcds(through_eyes(d, k));
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

Evidence corners()
{
  std::vector<Observation> observations;
  Fraction corner(3);
  for (unsigned k = 1; k <= 6; ++k) {
    const std::int64_t power = std::int64_t{1} << k;
    const std::int64_t sign = k % 2 == 0 ? 1 : -1;
    if (k > 1) {
      corner += Fraction(5 * power / 2 - 2 - 2 * eye_distance(k - 1) +
                         3 * counted_tcd(through_eyes(2, k - 1, AxisOrder::paper, first_eye(2, k - 1))));
    }
    const Fraction closed = Fraction(6 * power * power, 5) + Fraction(4 * power, 3) -
                            Fraction(2 * static_cast<std::int64_t>(k)) - Fraction(sign, 30) - Fraction(5, 2);
    const Fraction found(counted_tcd(through_eyes(2, k)));
    observations.push_back({.what = place_text(2, k, {0, 0}),
                            .expected = format_fraction(closed),
                            .found = format_fraction(found),
                            .holds = closed == found && corner == found});
    const Fraction halving(counted_tcd(by_halving(2, k)));
    observations.push_back({.what = place_text(2, k, {0, 0}) + ", the least of all recursive halvings",
                            .expected = format_fraction(closed),
                            .found = format_fraction(halving),
                            .holds = closed == halving});
  }
  return all_hold("recursion (8) and closed form (9) against the schedules from the corner and the exact minimum over "
                  "recursive halvings, k = 1..6",
                  observations);
}

/// From a corner the source is always closer to the outer eyes.
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
  return all_hold("k = 2..20", observations);
}

/// What definition 4 takes the minimum over.
Evidence range_of_the_optimum(std::size_t d)
{
  std::vector<Observation> printed;
  std::vector<Observation> right;
  for (unsigned k = 1; k <= 4; ++k) {
    std::int64_t left_out = 0;
    for (const Position& node : all_positions(d, k)) {
      left_out += std::ranges::count(node, 0) > 0 ? 1 : 0;
    }
    printed.push_back(equal_numbers(place_text(d, k) + ", sources left out", 0, left_out));
    const Tcds tcds = counted_tcds(through_eyes(d, k));
    const std::int64_t least = *std::ranges::min_element(tcds);
    std::int64_t least_printed = std::numeric_limits<std::int64_t>::max();
    for (const Position& node : all_positions(d, k)) {
      if (std::ranges::count(node, 0) == 0) {
        least_printed = std::min(least_printed, tcds[id_of(node, k)]);
      }
    }
    right.push_back(equal_numbers(place_text(d, k) + ", least TCD with and without them", least, least_printed));
  }
  return corrected(all_hold("sources with a coordinate 0", printed),
                   "0 <= x, y <= n-1; the minimum is the same, because the eye at the upper end is in both",
                   all_hold("TCD of the schedules from every source", right));
}

} // namespace

std::vector<Claim> formula_claims(const Part& part)
{
  const std::size_t d = part.d;
  const bool cube = part.is_3d();
  const std::string lemma =
      cube ? "section 3.2, definition 6, eq. (7), lemma 1, eq. (8)" : "section 3, lemma 1, eqs. (4) and (5)";
  std::vector<Claim> claims;
  const auto add = [&](const std::string& name, const std::string& place, const std::string& statement,
                       const std::string& claimed, std::function<Evidence()> measure) {
    claims.push_back(claim(part, name, place, statement, claimed, std::move(measure)));
  };
  const auto add_level_formula = [&](const std::string& name, const std::string& place, const std::string& claimed,
                                     const Excess& excess) {
    add(name, place, "TCD from any source by that of the submeshes", claimed, {});
    claims.back().measurement = level_formulas(d, excess);
    claims.back().slow = true;
  };
  if (cube) {
    add_level_formula("theorem_1", "section 3.2, theorem 1", "nine expressions for nine regions of the source",
                      excess_by_nine_regions);
  }
  add_level_formula("lemma_1", lemma,
                    cube ? "D_k(S) = f_k + 7 a_k + D_(k-1)(S) + 7 D_(k-1)(E_(k-1)), f_k for four regions"
                         : "D_k(S) = f_k + 3 a_k + D_(k-1)(S) + 3 D_(k-1)(E_(k-1)), f_k = 0, 2v, 2u, 2u+2v, u+|u-a|, "
                           "u+|u-a|+2v",
                    cube ? Excess(excess_3d) : Excess(excess_2d));
  add("excess_is_not_negative", cube ? "section 3.2, eq. (9)" : "section 3, eq. (6)",
      "No level costs less than from an eye", "f_k >= 0", [=] { return excess_is_not_negative(d, false); });
  if (cube) {
    add("excess_is_zero_only_at_eyes", "section 3.2, property 2 of f_k", "Only from an eye a level costs nothing more",
        "f_k = 0 only for S = E_k", [=] { return excess_is_not_negative(d, true); });
  }
  add("sum_of_levels", cube ? "section 3.2, lemma 2, eqs. (10) and (11)" : "section 3, eq. (7)",
      "TCD from any source by that from an eye", "D_k(S) = sum of f_i(S), i = 2..k, + D_k(E_k)",
      [=] { return sums_hold(d); });
  add("eyes_are_best", cube ? "section 3.2, theorem 2" : "section 3, theorem 1",
      "The algorithm's TCD is smallest from an eye, and only from an eye", "D_k(S) >= D_k(E_k), equal only for S = E_k",
      [=] { return eyes_are_best(d); });
  if (!cube) {
    add("corner_tcd", "section 3, eqs. (8) and (9)", "TCD from the corner",
        "MD_k(0,0) = 6/5 2^(2k) + 4/3 2^k - 2k - (-1)^k/30 - 5/2 = 18, 79, 318", corners);
    claims.back().reading = "(9) is damaged in print and restored from (8)";
    add("corner_needs_no_comparison", "section 3, before eq. (8)",
        "A corner need not compare the eyes in the second step", "always closer to E_(k-1)(1)",
        corners_need_no_comparison);
  }
  add("range_of_the_optimum", cube ? "section 2.2" : "section 3, definition 4",
      "The optimal TCD is a minimum over all sources", "min over 1 <= x, y <= n-1",
      [] { return range_of_the_optimum(2); });
  claims.back().recorded = Verdict::refuted;
  return claims;
}

} // namespace wormcast::cang_wu
