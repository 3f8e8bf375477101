#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/cang_wu/exhaustive_tcd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

namespace wormcast::cang_wu {

namespace {

/// In which axes the levels within submeshes 2 and 3 are taken. The hops of the first two steps are right only if these
/// submeshes have their u axis where the source has v; whether the f_j go with them is not said.
enum class SubmeshAxes { of_the_mesh, turned };

std::string axes_text(SubmeshAxes axes)
{
  return axes == SubmeshAxes::turned ? "f_j of N_2 and N_3 in the turned axes of their submeshes"
                                     : "f_j of N_2 and N_3 in the axes of the mesh";
}

/// A node of submesh 2, 3 or 4 of a mesh of side 2^k: its place, mirrored into submesh 1, its offsets from E_k(i) in
/// the submesh's own axes, positive towards the centre of the mesh, and what its levels below k cost.
struct Receiver {
  Position place;
  std::int64_t u = 0;
  std::int64_t v = 0;
  std::int64_t levels = 0; ///< sum of f_j, j = 2..k-1
  std::int64_t inner = 0;  ///< f_(k-2)
  bool is_around_eye = false;
};

std::int64_t level_within(const Position& node, unsigned level, bool turned)
{
  if (level < 2) {
    return 0;
  }
  const std::int64_t within = (std::int64_t{1} << level) - 1;
  const std::int64_t u = eye_offset(node[0] & within, level);
  const std::int64_t v = eye_offset(node[1] & within, level);
  return turned ? level_excess_2d(v, u, level) : level_excess_2d(u, v, level);
}

std::vector<Receiver> receivers_in(int submesh, unsigned k, SubmeshAxes axes)
{
  const bool is_turned = submesh != 4;
  const bool turned_levels = is_turned && axes == SubmeshAxes::turned;
  const std::int64_t quarter = (std::int64_t{1} << k) / 4;
  std::vector<Receiver> receivers;
  for (const Position& node : first_submesh(2, k)) {
    Receiver receiver{
        .place = node, .u = -eye_offset(node[is_turned ? 1 : 0], k), .v = -eye_offset(node[is_turned ? 0 : 1], k)};
    for (unsigned level = 2; level < k; ++level) {
      receiver.levels += level_within(node, level, turned_levels);
    }
    receiver.inner = k > 2 ? level_within(node, k - 2, turned_levels) : 0;
    receiver.is_around_eye = std::ranges::min(node) >= quarter;
    receivers.push_back(receiver);
  }
  return receivers;
}

/// Source and receivers of the first two steps: offsets and costs of lower levels.
struct Choice {
  Receiver source; ///< u and v positive away from the centre
  Receiver second;
  Receiver third;
  Receiver fourth;
};

/// (16).
std::int64_t equation_16(const Choice& n, unsigned k)
{
  const auto smaller = optimal_tcd_2d(k - 1);
  return n.source.u - n.second.u - n.third.u + n.source.v - n.second.v - n.fourth.v +
         std::abs(n.source.v + n.second.u) + std::abs(n.source.u + n.third.v) + std::abs(n.second.v - n.fourth.u) +
         3 * eye_distance(k) + 4 * smaller + n.source.levels + n.second.levels + n.third.levels + n.fourth.levels;
}

/// Delta_1 .. Delta_5 of (17).
std::array<std::int64_t, 5> deltas(const Choice& n, unsigned k)
{
  return {n.source.u + n.source.v - level_excess_2d(n.source.u, n.source.v, k) + std::abs(n.source.u + n.third.v) +
              std::abs(n.source.v + n.second.u),
          -n.second.u - n.second.v + n.second.levels, -n.third.u + n.third.levels, -n.fourth.v + n.fourth.levels,
          std::abs(n.second.v - n.fourth.u)};
}

std::vector<Receiver> sources_of(unsigned k)
{
  std::vector<Receiver> sources;
  for (const Position& node : first_submesh(2, k)) {
    Receiver source{.place = node, .u = eye_offset(node[0], k), .v = eye_offset(node[1], k)};
    for (unsigned level = 2; level < k; ++level) {
      source.levels += level_within(node, level, false);
    }
    sources.push_back(source);
  }
  return sources;
}

/// Calls `use` for every choice of source, N_2, N_3 and N_4.
template <typename Use> void for_all_choices(unsigned k, SubmeshAxes axes, const Use& use)
{
  const auto second = receivers_in(2, k, axes);
  const auto third = receivers_in(3, k, axes);
  const auto fourth = receivers_in(4, k, axes);
  for (const Receiver& source : sources_of(k)) {
    for (const Receiver& n2 : second) {
      for (const Receiver& n3 : third) {
        for (const Receiver& n4 : fourth) {
          use(Choice{source, n2, n3, n4});
        }
      }
    }
  }
}

std::int64_t value_at(const Tcds& tcds, const Position& node, unsigned k)
{
  const std::int64_t within = (std::int64_t{1} << k) - 1;
  return tcds[static_cast<std::size_t>((node[0] & within) + ((node[1] & within) << k))];
}

/// Hops of the first two messages' steps and the TCDs, counted in schedules, of the algorithm in the four submeshes.
std::int64_t counted_through(const Choice& n, unsigned k, const Tcds& within)
{
  const Position n2 = mirrored(n.second.place, {true, false, false}, k);
  const Position n3 = mirrored(n.third.place, {false, true, false}, k);
  const Position n4 = mirrored(n.fourth.place, {true, true, false}, k);
  std::int64_t tcd = hops(n.source.place, n2) + hops(n.source.place, n3) + hops(n2, n4);
  for (const Position& node : {n.source.place, n2, n3, n4}) {
    tcd += value_at(within, node, k - 1);
  }
  return tcd;
}

Evidence is_broadcast_through_receivers()
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 3; ++k) {
    const Tcds within = counted_tcds(through_eyes(2, k - 1));
    std::int64_t wrong = 0;
    std::int64_t choices = 0;
    for_all_choices(k, SubmeshAxes::of_the_mesh, [&](const Choice& choice) {
      wrong += as_claimed(equation_16(choice, k)) == counted_through(choice, k, within) ? 0 : 1;
      ++choices;
    });
    observations.push_back(
        equal_numbers(fmt::format("{}, {} choices of S, N2, N3, N4, wrong ones", place_text(2, k), choices), 0, wrong));
  }
  return all_hold("hops of two steps and the schedules in the submeshes, k = 2, 3", observations);
}

/// (16) for the best N_2, N_3, N_4 against the least of all broadcasts.
Evidence is_arbitrary_broadcast()
{
  const Tcds least = exhaustive_minimum_tcds(*topology_of(by_halving(2, 2)));
  Tcds by_equation(4, std::numeric_limits<std::int64_t>::max());
  for_all_choices(2, SubmeshAxes::turned, [&](const Choice& choice) {
    std::int64_t& best = by_equation[static_cast<std::size_t>(choice.source.place[0] + 2 * choice.source.place[1])];
    best = std::min(best, as_claimed(equation_16(choice, 2)));
  });
  std::vector<Observation> observations;
  for (const Position& node : first_submesh(2, 2)) {
    observations.push_back(equal_numbers(place_text(2, 2, node) + ", least of (16) and of all broadcasts",
                                         by_equation[static_cast<std::size_t>(node[0] + 2 * node[1])],
                                         value_at(least, node, 2)));
  }
  return all_hold("least of (16) over all N2, N3, N4 against all broadcasts in 4 steps", observations);
}

/// MD_(k-1)(N) by (7) is the minimum in a submesh, as the remaining steps of (16) have it.
Evidence remaining_steps()
{
  std::vector<Observation> observations;
  for (unsigned level = 1; level <= 2; ++level) {
    const Tcds least = exhaustive_minimum_tcds(*topology_of(by_halving(2, level)));
    for (const Position& node : first_submesh(2, level + 1)) {
      std::int64_t claimed = optimal_tcd_2d(level);
      for (unsigned j = 2; j <= level; ++j) {
        const std::int64_t in_one_order = level_within(node, j, false);
        claimed += as_stated(in_one_order, std::min(in_one_order, level_within(node, j, true)));
      }
      observations.push_back(equal_numbers(place_text(2, level, node), claimed, value_at(least, node, level)));
    }
  }
  return all_hold("(7) against all broadcasts on 2 x 2 and 4 x 4", observations);
}

Evidence remaining_steps_fail()
{
  const Tcds least = exhaustive_minimum_tcds(*topology_of(by_halving(2, 2)));
  std::vector<Observation> observations;
  for (const Position& node : all_positions(2, 2)) {
    const std::int64_t turned = optimal_tcd_2d(2) + std::min(level_within(node, 2, false), level_within(node, 2, true));
    observations.push_back(equal_numbers(place_text(2, 2, node), turned, value_at(least, node, 2)));
  }
  return corrected(remaining_steps(), "on 4 x 4 with the axes of N_i in the better of both orders",
                   all_hold("every node of 4 x 4", observations));
}

/// (17) against (16) less the algorithm's TCD, counted in schedules.
Evidence difference_is_sum_of_deltas()
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 3; ++k) {
    const Tcds algorithm = counted_tcds(through_eyes(2, k));
    for (const SubmeshAxes axes : {SubmeshAxes::of_the_mesh, SubmeshAxes::turned}) {
      std::int64_t wrong = 0;
      for_all_choices(k, axes, [&](const Choice& choice) {
        const std::array<std::int64_t, 5> terms = deltas(choice, k);
        const std::int64_t sum = terms[0] + terms[1] + terms[2] + terms[3] + terms[4];
        const std::int64_t found = equation_16(choice, k) - value_at(algorithm, choice.source.place, k);
        wrong += as_claimed(sum) == found ? 0 : 1;
      });
      observations.push_back(equal_numbers(
          fmt::format("{}, {}, choices of S, N2, N3, N4 with another sum", place_text(2, k), axes_text(axes)), 0,
          wrong));
    }
  }
  return all_hold("all S, N2, N3, N4, k = 2, 3", observations);
}

/// The least Delta_2 .. Delta_5 of all receivers.
Evidence least_deltas(bool strict)
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 6; ++k) {
    for (const SubmeshAxes axes : {SubmeshAxes::of_the_mesh, SubmeshAxes::turned}) {
      std::array<std::int64_t, 5> least{};
      least.fill(std::numeric_limits<std::int64_t>::max());
      for (int submesh = 2; submesh <= 4; ++submesh) {
        for (const Receiver& n : receivers_in(submesh, k, axes)) {
          const std::array<std::int64_t, 5> terms = deltas({n, n, n, n}, k);
          const auto at = static_cast<std::size_t>(submesh) - 1;
          least[at] = std::min(least[at], terms[at]);
        }
      }
      for (std::size_t i = 1; i <= 3; ++i) {
        const std::int64_t bound = strict && i > 1 ? 1 : 0;
        observations.push_back({.what = fmt::format("{}, {}, least Delta_{}", place_text(2, k), axes_text(axes), i + 1),
                                .expected = bound == 0 ? "at least 0" : "more than 0",
                                .found = fmt::to_string(least[i]),
                                .holds = least[i] >= bound});
      }
    }
  }
  return all_hold("all receivers, k = 2..6; Delta_5 is an absolute value", observations);
}

/// The least of (17) over all receivers, for every source: N_2 and N_4 are chosen together, N_3 alone.
Evidence differences(SubmeshAxes axes)
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 4; ++k) {
    const auto second = receivers_in(2, k, axes);
    const auto third = receivers_in(3, k, axes);
    const auto fourth = receivers_in(4, k, axes);
    for (const Receiver& source : sources_of(k)) {
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      std::int64_t least_third = least;
      for (const Receiver& n3 : third) {
        least_third = std::min(least_third, std::abs(source.u + n3.v) - n3.u + n3.levels);
      }
      for (const Receiver& n2 : second) {
        for (const Receiver& n4 : fourth) {
          const std::array<std::int64_t, 5> terms = deltas({source, n2, {}, n4}, k);
          least = std::min(least, terms[0] - std::abs(source.u) + terms[1] + terms[3] + terms[4] + least_third);
        }
      }
      observations.push_back({.what = place_text(2, k, source.place),
                              .expected = fmt::format("at least {} for all N2, N3, N4", as_lower_bound(0)),
                              .found = fmt::to_string(least),
                              .holds = least >= as_lower_bound(0)});
    }
  }
  return all_hold("every source in submesh 1, all receivers, k = 2..4", observations, 20);
}

/// f_(k-2)(N_3) >= 2 |v_(k-1)(3)| for v_(k-1)(3) < 0: the term that is to nullify the negative ones of Delta_1.
Evidence nullifying_term(SubmeshAxes axes, bool around_the_eye)
{
  std::vector<Observation> observations;
  for (unsigned k = 3; k <= 6; ++k) {
    for (const Receiver& n3 : receivers_in(3, k, axes)) {
      if (n3.v >= 0 || (around_the_eye && !n3.is_around_eye)) {
        continue;
      }
      const std::int64_t bound = as_lower_bound(2 * std::abs(n3.v));
      observations.push_back({.what = fmt::format("k = {}, N3 at offset ({}, {})", k, n3.u, n3.v),
                              .expected = fmt::format("f_{} >= {}", k - 2, bound),
                              .found = fmt::to_string(n3.inner),
                              .holds = n3.inner >= bound});
    }
  }
  return all_hold(around_the_eye ? "N3 in the quarter of its submesh around E_k(3), k = 3..6"
                                 : "N3 anywhere in its submesh, k = 3..6",
                  observations, 12);
}

/// The inequalities that end case (iv); `least` is 1 where they are strict.
Evidence closing_inequalities(std::int64_t least)
{
  std::vector<Observation> observations;
  const auto add = [&](const std::string& what, std::int64_t found) {
    observations.push_back({.what = what,
                            .expected = least == 0 ? "at least 0" : fmt::format("at least {}", least),
                            .found = fmt::to_string(found),
                            .holds = found >= least});
  };
  for (unsigned k = 4; k <= 5; ++k) {
    const auto second = receivers_in(2, k, SubmeshAxes::turned);
    for (const Receiver& n2 : second) {
      if (n2.u < 0) {
        add(fmt::format("k = {}, N2 at ({}, {}), Delta_2 - |u(2)|", k, n2.u, n2.v),
            -n2.u - n2.v + n2.levels - std::abs(n2.u));
      }
    }
    for (const Receiver& source : sources_of(k)) {
      if (source.u <= 0 || 2 * source.u > eye_distance(k - 1) || source.v <= 0) {
        continue;
      }
      for (std::int64_t offset = -eye_distance(k); offset < 0; ++offset) {
        const std::string at = fmt::format("k = {}, S at ({}, {})", k, source.u, source.v);
        add(fmt::format("{}, v(3) = {}, -|u| + |u + v(3)| + 2|v(3)|", at, offset),
            -source.u + std::abs(source.u + offset) - 2 * offset);
        add(fmt::format("{}, u(2) = {}, -|v| + |v + u(2)| + |u(2)|", at, offset),
            -source.v + std::abs(source.v + offset) - offset);
      }
    }
  }
  return all_hold("sources of region (iv), receivers with negative offsets, k = 4, 5", observations, 20);
}

Evidence difference_is_not_negative()
{
  Evidence evidence = by_reading({{axes_text(SubmeshAxes::of_the_mesh), differences(SubmeshAxes::of_the_mesh)},
                                  {axes_text(SubmeshAxes::turned), differences(SubmeshAxes::turned)}});
  evidence.correction = "the proof is right with neither: the term that is to nullify Delta_1 needs the turned axes";
  return evidence;
}

std::vector<Check> equation_checks(const Part& part)
{
  return {check_of(part, "remaining_steps", remaining_steps_fail),
          check_of(part, "arbitrary_broadcast",
                   [] {
                     return by_reading({{"of the broadcast that is at N_2, N_3, N_4 after two steps and goes on by "
                                         "algorithm 1 in each submesh",
                                         is_broadcast_through_receivers()},
                                        {"of any broadcast", is_arbitrary_broadcast()}});
                   }),
          check_of(part, "sum_of_deltas", difference_is_sum_of_deltas), check_of(part, "each_delta", [] {
            return misprinted(least_deltas(as_stated(true, false)), "Delta_3 >= 0, Delta_4 >= 0: they are 0 at eyes",
                              least_deltas(false));
          })};
}

} // namespace

std::vector<Check> theorem_2_proof_checks(const Part& part)
{
  std::vector<Check> checks = equation_checks(part);
  checks.push_back(check_of(part, "nullifying_term", [] {
    return by_reading({{"N_3 around its eye, turned axes", nullifying_term(SubmeshAxes::turned, true)},
                       {"N_3 around its eye, axes of the mesh", nullifying_term(SubmeshAxes::of_the_mesh, true)},
                       {"N_3 anywhere, turned axes", nullifying_term(SubmeshAxes::turned, false)}});
  }));
  checks.push_back(check_of(part, "closing_inequalities", [] {
    return misprinted(closing_inequalities(as_stated(1, 0)),
                      "not negative: the last one is 0 for |u(2)| <= v, the first one at outer eyes",
                      closing_inequalities(0));
  }));
  checks.push_back(check_of(part, "difference_is_not_negative", difference_is_not_negative));
  return checks;
}

} // namespace wormcast::cang_wu
