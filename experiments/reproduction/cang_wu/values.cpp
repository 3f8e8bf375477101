#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/algorithms/tcd/lower_bounds.hpp"
#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/cang_wu/exhaustive_tcd.hpp"
#include "wormcast/experiments/reproduction/cang_wu/printed_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <numeric>

namespace wormcast::cang_wu {

namespace {

Tcds exhaustive_4x4()
{
  return exhaustive_minimum_tcds(*topology_of(by_halving(2, 2)));
}

std::size_t id_4x4(const Position& node)
{
  return static_cast<std::size_t>(node[0] + 4 * node[1]);
}

struct Value {
  Position source;
  std::int64_t claimed = 0;
};

/// Claimed minima on the 4 x 4 mesh against all broadcasts in 4 steps.
Evidence minima_4x4(const std::vector<Value>& values)
{
  const Tcds least = exhaustive_4x4();
  const auto topology = topology_of(by_halving(2, 2));
  std::vector<Observation> observations;
  for (const Value& value : values) {
    Observation observation =
        equal_numbers(place_text(2, 2, value.source), as_claimed(value.claimed), least[id_4x4(value.source)]);
    const BroadcastCase best = by_halving(2, 2, value.source);
    if (!observation.holds && counted_tcd(best) == least[id_4x4(value.source)]) {
      observation.schedule = schedule_json(schedule_of(best, *topology));
    }
    observations.push_back(std::move(observation));
  }
  Evidence evidence = all_hold("exhaustive search over all broadcasts in 4 steps", observations);
  evidence.matrices = heat_maps("least TCD of all broadcasts on the mesh 4 x 4", 2, 2, least);
  return evidence;
}

/// Receivers of the first two steps: the source sends to `second` and `third`, `second` to `fourth`.
struct Receivers {
  Position second;
  Position third;
  Position fourth;
};

/// FD, SD and RD from the corner of a mesh of side 2^k, k <= 3, with the exact minimum in all four quadrants.
std::array<std::int64_t, 3> from_the_corner(unsigned k, const Receivers& to)
{
  const auto hops = [](const Position& a, const Position& b) { return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]); };
  const Tcds least = exhaustive_minimum_tcds(*topology_of(by_halving(2, k - 1)));
  const std::int64_t half = std::int64_t{1} << (k - 1);
  const Position corner = {0, 0};
  std::int64_t rest = 0;
  for (const Position& node : {corner, to.second, to.third, to.fourth}) {
    rest += least[static_cast<std::size_t>(node[0] % half + half * (node[1] % half))];
  }
  return {hops(corner, to.second), hops(corner, to.third) + hops(to.second, to.fourth), rest};
}

Evidence corner_examples()
{
  std::vector<Observation> observations;
  const auto add = [&](std::int64_t claimed, const Receivers& to) {
    const auto parts = from_the_corner(3, to);
    observations.push_back(equal_numbers(fmt::format("8 x 8, receivers ({}), ({}), ({})", fmt::join(to.second, ", "),
                                                     fmt::join(to.third, ", "), fmt::join(to.fourth, ", ")),
                                         as_claimed(claimed),
                                         std::accumulate(parts.begin(), parts.end(), std::int64_t{0})));
  };
  add(printed_corner_examples[0], {{4, 0}, {0, 4}, {4, 4}});
  add(printed_corner_examples[1], {{5, 0}, {0, 5}, {5, 4}});
  add(printed_corner_examples[2], {{5, 1}, {1, 5}, {5, 5}});
  return all_hold("hops of two steps and the least TCD of all broadcasts in the quadrants", observations);
}

/// Printed FD, SD and RD on their way to a comparison.
template <std::size_t count> std::vector<std::int64_t> claimed_steps(const std::array<std::int64_t, count>& printed)
{
  std::vector<std::int64_t> claimed;
  std::ranges::transform(printed, std::back_inserter(claimed), [](std::int64_t hops) { return as_claimed(hops); });
  return claimed;
}

/// The broadcasts of figure 1, from corner to corner of the quadrants.
std::vector<Observation> figure_1()
{
  std::vector<Observation> observations;
  const auto add = [&](unsigned k, const Receivers& to) {
    const std::vector<std::int64_t> claimed = claimed_steps(printed_corner_steps.at(k - 1));
    const auto found = from_the_corner(k, to);
    observations.push_back({.what = place_text(2, k, {0, 0}),
                            .expected = fmt::format("{}", fmt::join(claimed, " + ")),
                            .found = fmt::format("{}", fmt::join(found, " + ")),
                            .holds = std::ranges::equal(found, claimed)});
  };
  add(1, {{1, 0}, {0, 1}, {1, 1}});
  add(2, {{2, 0}, {0, 2}, {2, 2}});
  return observations;
}

struct Steps {
  unsigned k = 1;
  Position source;
  std::vector<std::int64_t> first;
  std::int64_t rest = 0;
};

/// Hops of the first steps and of the remaining ones.
std::vector<Observation> steps_are(const std::vector<Steps>& examples)
{
  std::vector<Observation> observations;
  for (const Steps& example : examples) {
    const std::size_t d = example.source.size();
    const auto hops = step_distances(through_eyes(d, example.k, AxisOrder::paper, example.source));
    const auto after = hops.begin() + static_cast<std::ptrdiff_t>(example.first.size());
    const std::vector<std::int64_t> first(hops.begin(), after);
    const std::int64_t rest = std::accumulate(after, hops.end(), std::int64_t{0});
    const std::int64_t claimed_rest = as_claimed(example.rest);
    observations.push_back({.what = place_text(d, example.k, example.source),
                            .expected = fmt::format("{}, then {}", fmt::join(example.first, " + "), claimed_rest),
                            .found = fmt::format("{}, then {}", fmt::join(first, " + "), rest),
                            .holds = first == example.first && rest == claimed_rest});
  }
  return observations;
}

/// Every source costs the same as its mirror images.
bool is_symmetric(const Tcds& tcds)
{
  return std::ranges::equal(tcds, Tcds(tcds.rbegin(), tcds.rend()));
}

/// What the text says of figure 2 of 1998, of the algorithm with the best order of the axes, which gives the values of
/// the text.
std::vector<Observation> words_on_figure_2()
{
  const Tcds least = exhaustive_4x4();
  std::vector<Observation> observations;
  for (const Value& value : std::vector<Value>{{{0, 0}, 18}, {{0, 1}, 16}, {{1, 1}, 15}}) {
    observations.push_back(equal_numbers(place_text(2, 2, value.source), value.claimed, least[id_4x4(value.source)]));
  }
  for (unsigned k = 2; k <= 4; ++k) {
    const Tcds best = counted_tcds(through_eyes(2, k, AxisOrder::best));
    if (k == 2) {
      for (const Position& node : all_positions(2, 2)) {
        observations.push_back(equal_numbers(place_text(2, 2, node), least[id_4x4(node)], best[id_4x4(node)]));
      }
    }
    observations.push_back({.what = place_text(2, k),
                            .expected = "symmetric to the centre",
                            .found = is_symmetric(best) ? "symmetric to the centre" : "not symmetric",
                            .holds = is_symmetric(best)});
    observations.push_back(equal_numbers(place_text(2, k) + ", nodes with the least TCD", 4,
                                         std::ranges::count(best, std::ranges::min(best))));
  }
  return observations;
}

Evidence figure_2()
{
  Evidence evidence =
      not_testable("the three matrices are not legible in the copies that exist",
                   all_hold("the values of the text, four least ones, and symmetry, of the algorithm with "
                            "the best order of the axes",
                            words_on_figure_2()));
  evidence.matrices = heat_maps("least TCD of all broadcasts on the mesh 4 x 4", 2, 2, exhaustive_4x4());
  for (unsigned k = 2; k <= 4; ++k) {
    std::ranges::move(matrices_of_minima(2, k), std::back_inserter(evidence.matrices));
  }
  return evidence;
}

/// Figure 5 of 2000 by node id.
Tcds figure_5_values()
{
  Tcds values;
  for (const Position& node : all_positions(3, 2)) {
    const auto place = [&](std::size_t axis) { return static_cast<std::size_t>(node[axis]); };
    values.push_back(printed_figure_5.at(place(1)).at(place(2)).at(place(0)));
  }
  return values;
}

/// The broadcasts whose source always sends to the inner eyes have the values of figure 5.
Evidence figure_5_is_naive(const Tcds& printed)
{
  const Tcds naive = counted_tcds(through_eyes(3, 2, AxisOrder::naive));
  const std::vector<Position> nodes = all_positions(3, 2);
  std::vector<Observation> observations;
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    observations.push_back(equal_numbers(place_text(3, 2, nodes[id]), printed[id], naive[id]));
  }
  return all_hold("TCD of these broadcasts (order naive)", observations);
}

/// 63, 64, 66 and, from a corner, 69, by how many coordinates are 0 or 3.
std::int64_t found_in_place_of_figure_5(const Position& node)
{
  constexpr std::array<std::int64_t, 4> tcds = {63, 64, 66, 69};
  return tcds.at(static_cast<std::size_t>(std::ranges::count_if(node, [](std::int64_t x) { return x % 3 == 0; })));
}

Evidence figure_5()
{
  const auto grid = grid_of(by_halving(3, 2));
  const Tcds printed = figure_5_values();
  const std::vector<Position> nodes = all_positions(3, 2);
  std::vector<Observation> minima;
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    const BroadcastCase better = by_halving(3, 2, nodes[id]);
    const std::int64_t found = counted_tcd(better);
    const std::int64_t claimed = as_stated(printed[id], found_in_place_of_figure_5(nodes[id]));
    minima.push_back({.what = place_text(3, 2, nodes[id]),
                      .expected = fmt::format("at least {}", claimed),
                      .found = fmt::to_string(found),
                      .holds = found >= claimed});
    if (found < claimed) {
      minima.back().schedule = schedule_json(schedule_of(better, *grid));
    }
  }
  Evidence evidence =
      corrected(all_hold("broadcasts with less from sources of 4 x 4 x 4", minima),
                "the figure shows broadcasts whose source always sends to the inner eyes, which algorithm 2 does not",
                figure_5_is_naive(printed));
  const std::string drawn = evidence.correction;
  evidence =
      corrected(std::move(evidence),
                fmt::format("63, 64 and 66 are the minima off the corners; from a corner there is a broadcast with "
                            "69, and no less than {} is proved",
                            tcd_lower_bounds(*grid).front()),
                best_order_is_minimal_in_3d());
  evidence.correction += "; " + drawn;
  evidence.matrices = heat_maps("figure 5", 3, 2, printed);
  std::ranges::move(matrices_of_minima(3, 2), std::back_inserter(evidence.matrices));
  return evidence;
}

Evidence appendix_minima_4x4()
{
  Evidence evidence = corrected(minima_4x4({{{1, 0}, as_stated(17, 16)}, {{0, 1}, as_stated(17, 16)}}),
                                "16 for both, as section 2 has it", minima_4x4({{{1, 0}, 16}, {{0, 1}, 16}}));
  std::ranges::move(heat_maps("TCD on the mesh 4 x 4 where the source always sends to the inner eyes", 2, 2,
                              counted_tcds(through_eyes(2, 2, AxisOrder::naive))),
                    std::back_inserter(evidence.matrices));
  return evidence;
}

Evidence minimum_4x4_from_1_0()
{
  return corrected(minima_4x4({{{1, 0}, as_stated(17, 16)}}),
                   "16, as from (0,1): the axis is crossed first in which the source is closer to the outer eye",
                   minima_4x4({{{1, 0}, 16}, {{0, 1}, 16}}));
}

Evidence figure_1_of_2000()
{
  std::vector<Observation> all = figure_1();
  const auto& [first, second, rest] = printed_corner_steps[2];
  std::ranges::move(steps_are({{3, {0, 0}, {first, second}, rest}}), std::back_inserter(all));
  return all_hold("hops of two steps and the least TCD of all broadcasts "
                  "in the quadrants; on 8 x 8 the steps of algorithm 1",
                  all);
}

Check minima_4x4_check(const Part& part)
{
  return check_of(part, "minima_4x4", [] { return minima_4x4({{{0, 0}, 18}, {{0, 1}, 16}, {{1, 1}, 15}}); });
}

Check first_steps_in_3d_check(const Part& part)
{
  return check_of(part, "first_steps_in_3d", [] {
    return all_hold("hops of the algorithm's steps",
                    steps_are({{1, {0, 0, 0}, {1, 2, 4}, 0}, {2, {1, 1, 1}, {1, 2, 4}, 56}}));
  });
}

std::vector<Check> values_1998(const Part& part)
{
  return {minima_4x4_check(part),
          check_of(part, "figure_1",
                   [] {
                     return all_hold("hops of two steps and the least TCD of all broadcasts in the quadrants",
                                     figure_1());
                   }),
          check_of(part, "corner_examples", corner_examples),
          check_of(part, "figure_2", figure_2),
          check_of(part, "appendix_minima_4x4", appendix_minima_4x4),
          first_steps_in_3d_check(part)};
}

std::vector<Check> values_2000(const Part& part)
{
  return {minima_4x4_check(part), check_of(part, "minimum_4x4_from_1_0", minimum_4x4_from_1_0),
          check_of(part, "figure_1", figure_1_of_2000), first_steps_in_3d_check(part),
          check_of(part, "figure_5", figure_5)};
}

} // namespace

std::vector<Check> value_checks(const Part& part)
{
  std::vector<Check> checks = part.is_3d() ? values_2000(part) : values_1998(part);
  for (Check& one : checks) {
    if (one.name.find("4x4") != std::string::npos) {
      one.demonstration =
          demonstration(through_eyes(2, 2), "wormcast topology CONFIG --tcd --values paper,halving,bound");
    }
  }
  return checks;
}

} // namespace wormcast::cang_wu
