#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/algorithms/tcd/minimum_tcd.hpp"
#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/cang_wu/submesh_offsets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <random>

namespace wormcast::cang_wu {

namespace {

/// The source and N_2 .. N_8, mirrored into submesh 1, by the number of their submesh; the first element is not used.
using Nodes = std::array<Position, 9>;

/// Their offsets, and the sums of f_j, j = 2..k-1.
struct Terms {
  std::array<Offsets, 9> at;
  std::array<std::int64_t, 9> levels{};
};

Terms terms_of(const Nodes& nodes, unsigned k)
{
  Terms terms;
  for (int i = 1; i <= 8; ++i) {
    const auto number = static_cast<std::size_t>(i);
    terms.at[number] = offsets_of(nodes[number], i, k);
    terms.levels[number] = lower_levels(nodes[number], k);
  }
  return terms;
}

/// The sum of absolute values in (25) that have no offset of the source: Delta_0.
std::int64_t delta_0(const Terms& t)
{
  const auto& n = t.at;
  return std::abs(n[2].u - n[4].w) + std::abs(n[2].w - n[4].u) + std::abs(n[2].u - n[6].w) + std::abs(n[2].v - n[6].v) +
         std::abs(n[3].u - n[7].w) + std::abs(n[3].v - n[7].v) + std::abs(n[4].w - n[8].u) + std::abs(n[4].v - n[8].v);
}

/// Those that have one.
std::int64_t sums_with_source(const Terms& t)
{
  const auto& n = t.at;
  return std::abs(n[1].u + n[3].u) + std::abs(n[1].u + n[5].u) + std::abs(n[1].v + n[2].v) + std::abs(n[1].v + n[5].v) +
         std::abs(n[1].w + n[2].w) + std::abs(n[1].w + n[3].w);
}

/// Which sign w_(k-1)(2) has in (25) and (29).
enum class Sign { as_printed, corrected };

std::int64_t w_of_second(const Terms& t, Sign sign)
{
  return sign == Sign::as_printed ? t.at[2].w : -t.at[2].w;
}

/// (25).
std::int64_t equation_25(const Terms& t, unsigned k, Sign sign)
{
  const auto& n = t.at;
  std::int64_t sum = 8 * optimal_tcd_3d(k - 1) + 7 * eye_distance(k) + n[1].u + n[1].v + n[1].w;
  for (std::size_t i = 1; i <= 8; ++i) {
    sum += t.levels[i];
  }
  sum -= n[2].u + n[4].u + n[6].u + n[7].u + n[2].v + n[3].v + n[4].v + n[3].w + n[5].w + n[8].w;
  return sum + w_of_second(t, sign) + sums_with_source(t) + delta_0(t);
}

/// Delta_0 .. Delta_8: (28) to (31) and those without numbers.
std::array<std::int64_t, 9> deltas_3d(const Terms& t, unsigned k, Sign sign)
{
  const auto& n = t.at;
  return {delta_0(t),
          n[1].u + n[1].v + n[1].w - level_excess_3d(n[1].u, n[1].v, n[1].w, k) + sums_with_source(t),
          t.levels[2] - n[2].u - n[2].v + w_of_second(t, sign),
          t.levels[3] - n[3].v - n[3].w,
          t.levels[4] - n[4].u - n[4].v,
          t.levels[5] - n[5].w,
          t.levels[6] - n[6].u,
          t.levels[7] - n[7].u,
          t.levels[8] - n[8].w};
}

/// A seeded sample of choices of S, N_2 .. N_8.
std::vector<Nodes> some_choices(unsigned k)
{
  const std::vector<Position> places = first_submesh(3, k);
  std::mt19937_64 random(k); // its numbers, unlike those of distributions, are the same everywhere
  std::vector<Nodes> choices(2000);
  for (Nodes& nodes : choices) {
    for (std::size_t i = 1; i <= 8; ++i) {
      nodes[i] = places[random() % places.size()];
    }
  }
  return choices;
}

std::int64_t tcd_at(const Tcds& tcds, const Position& node, unsigned k)
{
  const std::int64_t within = (std::int64_t{1} << k) - 1;
  const std::int64_t id = (node[0] & within) + ((node[1] & within) << k) + ((node[2] & within) << (2 * k));
  return tcds[static_cast<std::size_t>(id)];
}

/// Hops of the seven messages of the first three steps, and the TCDs of the algorithm in the eight submeshes.
std::int64_t counted_through(const Nodes& nodes, unsigned k, const Tcds& within)
{
  Nodes places;
  std::int64_t tcd = 0;
  for (int i = 1; i <= 8; ++i) {
    const auto number = static_cast<std::size_t>(i);
    places[number] = mirrored(nodes[number], across(i), k);
    tcd += tcd_at(within, places[number], k - 1);
  }
  constexpr std::array<std::array<std::size_t, 2>, 7> messages = {
      {{1, 2}, {1, 3}, {2, 4}, {1, 5}, {2, 6}, {3, 7}, {4, 8}}};
  for (const auto& [from, to] : messages) {
    tcd += hops(places[from], places[to]);
  }
  return tcd;
}

Evidence is_tcd_through_receivers(Sign sign)
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 3; ++k) {
    const Tcds within = counted_tcds(through_eyes(3, k - 1));
    std::int64_t wrong = 0;
    for (const Nodes& nodes : some_choices(k)) {
      wrong += equation_25(terms_of(nodes, k), k, sign) == counted_through(nodes, k, within) ? 0 : 1;
    }
    observations.push_back(
        equal_numbers(fmt::format("{}, 2000 choices of S, N2 .. N8, wrong ones", place_text(3, k)), 0, wrong));
  }
  return all_hold("hops of three steps and the schedules in the submeshes, seeded sample, k = 2, 3", observations);
}

/// (27), against (25) less the TCD of algorithm 2, counted in schedules; the sign of w_(k-1)(2) cancels out.
Evidence difference_is_sum()
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 3; ++k) {
    const Tcds algorithm = counted_tcds(through_eyes(3, k));
    for (const Sign sign : {Sign::as_printed, Sign::corrected}) {
      std::int64_t wrong = 0;
      for (const Nodes& nodes : some_choices(k)) {
        const Terms terms = terms_of(nodes, k);
        std::int64_t sum = 0;
        for (const std::int64_t delta : deltas_3d(terms, k, sign)) {
          sum += delta;
        }
        wrong += as_claimed(sum) == equation_25(terms, k, sign) - tcd_at(algorithm, nodes[1], k) ? 0 : 1;
      }
      observations.push_back(
          equal_numbers(fmt::format("{}, {}, 2000 choices of S, N2 .. N8, wrong ones", place_text(3, k),
                                    sign == Sign::as_printed ? "as printed" : "with - w(2)"),
                        0, wrong));
    }
  }
  return all_hold("seeded sample, k = 2, 3", observations);
}

/// The least Delta_2 .. Delta_8 over all places of the receiver, with f_j in the axes of the mesh and in turned ones.
Evidence deltas_one_by_one(Sign sign)
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 5; ++k) {
    std::array<std::int64_t, 9> least{};
    least.fill(std::numeric_limits<std::int64_t>::max());
    for (const Position& node : first_submesh(3, k)) {
      Nodes nodes;
      nodes.fill(node);
      for (const bool turned : {false, true}) {
        Terms terms = terms_of(nodes, k);
        terms.levels.fill(lower_levels(node, k, turned));
        const std::array<std::int64_t, 9> found = deltas_3d(terms, k, sign);
        std::ranges::transform(least, found, least.begin(),
                               [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
      }
    }
    for (std::size_t i = 2; i <= 8; ++i) {
      observations.push_back({.what = fmt::format("{}, least Delta_{}", place_text(3, k), i),
                              .expected = "at least 0",
                              .found = fmt::to_string(least[i]),
                              .holds = least[i] >= 0});
    }
  }
  return all_hold("all receivers, k = 2..5; Delta_0 is a sum of absolute values", observations);
}

/// f_k(S) in the two cases that the proof treats: (34) and (38).
Evidence cases_of_f()
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 6; ++k) {
    for (const Position& node : first_submesh(3, k)) {
      const auto [u, v, w] = offsets_of(node, 1, k);
      const std::int64_t sum = std::abs(u) + std::abs(v) + std::abs(w);
      const std::int64_t excess = level_excess_3d(u, v, w, k);
      const std::string what = fmt::format("k = {}, (u, v, w) = ({}, {}, {})", k, u, v, w);
      if (u <= 0 && v <= 0 && w <= 0) {
        observations.push_back(equal_numbers(what, as_claimed(sum), excess));
      } else if (u > 0 && v > 0 && w > 0) {
        const std::int64_t most = as_upper_bound(3 * sum);
        observations.push_back({.what = what,
                                .expected = fmt::format("at most {}", most),
                                .found = fmt::to_string(excess),
                                .holds = excess <= most});
      }
    }
  }
  return all_hold("sources with offsets of one sign, k = 2..6; the proof leaves out those of different signs",
                  observations, 12);
}

/// (35) and (39): the most negative that Delta_1 gets for given offsets of N_2, N_3 and N_5.
Evidence worst_deltas()
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 3; ++k) {
    std::int64_t less = 0;
    std::int64_t cases = 0;
    for (const Nodes& nodes : some_choices(k)) {
      const Terms terms = terms_of(nodes, k);
      const auto& n = terms.at;
      const bool one_sign = std::max({n[1].u, n[1].v, n[1].w}) <= 0 || std::min({n[1].u, n[1].v, n[1].w}) > 0;
      if (!one_sign) {
        continue;
      }
      const std::int64_t worst = -(std::abs(n[2].v) + std::abs(n[2].w) + std::abs(n[3].u) + std::abs(n[3].w) +
                                   std::abs(n[5].u) + std::abs(n[5].v));
      less += deltas_3d(terms, k, Sign::corrected)[1] < as_lower_bound(worst) ? 1 : 0;
      ++cases;
    }
    observations.push_back(equal_numbers(
        fmt::format("{}, {} choices of S, N2, N3, N5, those with less", place_text(3, k), cases), 0, less));
  }
  return all_hold("sources with offsets of one sign, seeded sample, k = 2, 3", observations);
}

/// The least of all recursive halvings against (24), in submeshes of side 4.
Evidence remaining_steps_3d()
{
  const std::vector<std::uint64_t> best_order = minimum_tcds(*grid_of(by_halving(3, 2)), AxisOrder::best);
  const std::vector<Position> nodes = all_positions(3, 2);
  std::vector<Observation> observations;
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    const Position& node = nodes[id];
    if (as_stated(false, is_corner_of_4x4x4(node))) {
      continue;
    }
    const BroadcastCase better = by_halving(3, 2, node);
    const std::int64_t claimed =
        as_stated(optimal_tcd_3d(2) + excess_within(node, 2), static_cast<std::int64_t>(best_order[id]));
    const std::int64_t found = counted_tcd(better);
    observations.push_back({.what = place_text(3, 2, node),
                            .expected = fmt::format("no broadcast with less than {}", claimed),
                            .found = fmt::format("one with {}", found),
                            .holds = found >= claimed});
  }
  return corrected(all_hold("recursive halving from every source of 4 x 4 x 4", observations),
                   "with the best order of the axes, and but for the corners", best_order_is_minimal_in_3d());
}

} // namespace

std::vector<Check> theorem_3_delta_checks(const Part& part)
{
  return {check_of(part, "remaining_steps", remaining_steps_3d),
          check_of(part, "arbitrary_broadcast",
                   [] {
                     return corrected(is_tcd_through_receivers(as_stated(Sign::as_printed, Sign::corrected)),
                                      "with - w_(k-1)(2)", is_tcd_through_receivers(Sign::corrected));
                   }),
          check_of(part, "difference", difference_is_sum),
          check_of(part, "each_delta",
                   [] {
                     return corrected(deltas_one_by_one(as_stated(Sign::as_printed, Sign::corrected)),
                                      "with - w_(k-1)(2) in Delta_2", deltas_one_by_one(Sign::corrected));
                   }),
          check_of(part, "cases_of_f", cases_of_f),
          check_of(part, "worst_delta_1", worst_deltas)};
}

} // namespace wormcast::cang_wu
