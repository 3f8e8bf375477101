#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/cang_wu/submesh_offsets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace wormcast::cang_wu {

Offsets offsets_of(const Position& place_in_submesh_1, int number, unsigned k)
{
  const std::int64_t sign = number == 1 ? 1 : -1;
  const auto offset = [&](std::size_t axis) { return sign * eye_offset(place_in_submesh_1[axis], k); };
  const bool turned = number == 4 || number == 6 || number == 7;
  return turned ? Offsets{offset(1), offset(2), offset(0)} : Offsets{offset(0), offset(2), offset(1)};
}

std::array<bool, 3> across(int number)
{
  const int bits = number - 1;
  return {(bits & 1) != 0, (bits & 4) != 0, (bits & 2) != 0};
}

std::int64_t excess_within(const Position& node, unsigned level, bool turned)
{
  if (level < 2) {
    return 0;
  }
  const std::int64_t within = (std::int64_t{1} << level) - 1;
  const std::int64_t x = eye_offset(node[0] & within, level);
  const std::int64_t y = eye_offset(node[1] & within, level);
  const std::int64_t z = eye_offset(node[2] & within, level);
  return turned ? level_excess_3d(y, z, x, level) : level_excess_3d(x, z, y, level);
}

std::int64_t lower_levels(const Position& node, unsigned k, bool turned)
{
  std::int64_t sum = 0;
  for (unsigned level = 2; level < k; ++level) {
    sum += excess_within(node, level, turned);
  }
  return sum;
}

namespace {

/// One message of the first three steps, and the term that the paper gives for it.
struct Term {
  int from = 1;
  int to = 2;
  std::int64_t (*hops)(const Offsets& from, const Offsets& to, std::int64_t a) = nullptr;
};

const std::vector<Term>& first_and_second_step()
{
  static const std::vector<Term> terms = {{1, 2,
                                           [](const Offsets& s, const Offsets& t, std::int64_t a) {
                                             return a + s.u - t.u + std::abs(s.v + t.v) + std::abs(s.w + t.w);
                                           }},
                                          {1, 3,
                                           [](const Offsets& s, const Offsets& t, std::int64_t a) {
                                             return std::abs(s.u + t.u) + a + s.v - t.v + std::abs(s.w + t.w);
                                           }},
                                          {2, 4, [](const Offsets& s, const Offsets& t, std::int64_t a) {
                                             return std::abs(s.u - t.w) + a - s.v - t.v + std::abs(s.w - t.u);
                                           }}};
  return terms;
}

std::vector<Term> third_step(bool as_printed)
{
  std::vector<Term> terms = {{1, 5,
                              [](const Offsets& s, const Offsets& t, std::int64_t a) {
                                return std::abs(s.u + t.u) + std::abs(s.v + t.v) + a + s.w - t.w;
                              }},
                             {2, 6,
                              [](const Offsets& s, const Offsets& t, std::int64_t a) {
                                return std::abs(s.u - t.w) + std::abs(s.v - t.v) + a - s.w - t.u;
                              }},
                             {3, 7,
                              [](const Offsets& s, const Offsets& t, std::int64_t a) {
                                return std::abs(s.u - t.w) + std::abs(s.v - t.v) + a - s.w - t.u;
                              }},
                             {4, 8, [](const Offsets& s, const Offsets& t, std::int64_t a) {
                                return std::abs(s.w - t.u) + std::abs(s.v - t.v) + a - s.u - t.w;
                              }}};
  if (as_printed) {
    terms[1].hops = [](const Offsets& s, const Offsets& t, std::int64_t a) {
      return std::abs(s.u - t.w) + std::abs(s.v - t.v) + a + s.w - t.u;
    };
  }
  return terms;
}

/// The terms against the distances of all pairs of nodes of the two submeshes.
Evidence terms_hold(const std::vector<Term>& terms)
{
  std::vector<Observation> observations;
  for (unsigned k = 1; k <= 4; ++k) {
    const std::vector<Position> nodes = first_submesh(3, k);
    for (const Term& term : terms) {
      std::string first_wrong;
      std::int64_t wrong = 0;
      for (const Position& from : nodes) {
        for (const Position& to : nodes) {
          const Position sender = mirrored(from, across(term.from), k);
          const Position receiver = mirrored(to, across(term.to), k);
          const std::int64_t claimed =
              as_claimed(term.hops(offsets_of(from, term.from, k), offsets_of(to, term.to, k), eye_distance(k)));
          const std::int64_t found = hops(sender, receiver);
          if (claimed != found && ++wrong == 1) {
            first_wrong = fmt::format(": ({}) to ({}) is {} hops, the term {}", fmt::join(sender, ", "),
                                      fmt::join(receiver, ", "), found, claimed);
          }
        }
      }
      observations.push_back(
          {.what = fmt::format("{}, N{} to N{}", place_text(3, k), term.from, term.to),
           .expected = "the distance of every pair",
           .found = fmt::format("{} of {} pairs wrong{}", wrong, nodes.size() * nodes.size(), first_wrong),
           .holds = wrong == 0});
    }
  }
  return all_hold("all pairs of sender and receiver, k = 1..4", observations);
}

/// Whether a node of a submesh of side 2^(k-1), mirrored into submesh 1, is in the eighth of it around E_k(i).
bool is_around_the_eye(const Position& node, unsigned k)
{
  return std::ranges::min(node) >= std::int64_t{1} << (k - 2);
}

/// The lower bounds on f_(k-1) of a receiver that the proof of theorem 3 uses: (32) always, (36) for v, w > 0, and
/// those for u, w > 0 and for u, v > 0.
Evidence inequalities(bool around_the_eye)
{
  std::vector<Observation> observations;
  for (unsigned k = 3; k <= 6; ++k) {
    for (const Position& node : first_submesh(3, k)) {
      if (around_the_eye && !is_around_the_eye(node, k)) {
        continue;
      }
      const auto [u, v, w] = offsets_of(node, 2, k);
      std::int64_t bound = std::abs(u) + std::abs(v) + std::abs(w);
      if (v > 0 && w > 0) {
        bound = std::max(bound, std::abs(u) + 2 * v + 3 * w);
      }
      if (u > 0 && w > 0) {
        bound = std::max(bound, u + std::abs(v) + 3 * w);
      }
      if (u > 0 && v > 0) {
        bound = std::max(bound, u + 2 * v + std::abs(w));
      }
      bound = as_lower_bound(bound);
      const std::int64_t excess = excess_within(node, k - 1);
      observations.push_back({.what = fmt::format("k = {}, (u, v, w) = ({}, {}, {})", k, u, v, w),
                              .expected = fmt::format("f_{} >= {}", k - 1, bound),
                              .found = fmt::to_string(excess),
                              .holds = excess >= bound});
    }
  }
  return all_hold("k = 3..6", observations, 12);
}

/// |u_(k-2)(2)| = |w_(k-1)(2)|, so that f_(k-2)(N_2) >= |w_(k-1)(2)|, where v and w are negative; with it (42) mends
/// (41).
Evidence lent_term(bool around_the_eye)
{
  std::vector<Observation> observations;
  for (unsigned k = 4; k <= 6; ++k) {
    const std::int64_t within = (std::int64_t{1} << (k - 2)) - 1;
    for (const Position& node : first_submesh(3, k)) {
      const auto [u, v, w] = offsets_of(node, 2, k);
      if (v >= 0 || w >= 0 || (around_the_eye && !is_around_the_eye(node, k))) {
        continue;
      }
      const std::int64_t bound = as_claimed(std::abs(w));
      const std::int64_t offset = std::abs(eye_offset(node[1] & within, k - 2));
      const std::int64_t excess = excess_within(node, k - 2);
      observations.push_back({.what = fmt::format("k = {}, (u, v, w) = ({}, {}, {})", k, u, v, w),
                              .expected = fmt::format("offset {}, f_{} >= {}", bound, k - 2, bound),
                              .found = fmt::format("offset {}, f_{} = {}", offset, k - 2, excess),
                              .holds = offset == bound && excess >= bound});
    }
  }
  return all_hold("k = 4..6", observations, 12);
}

Evidence around_the_eye_and_anywhere(Evidence (*measure)(bool around_the_eye))
{
  return by_reading({{"N_i in the eighth of its submesh around E_k(i)", measure(true)},
                     {"N_i anywhere in its submesh, as the proof takes it", measure(false)}});
}

/// The least of Delta_1 + Delta_2 + Delta_3 + Delta_5 for a source, over all receivers N2, N3, N5; they are chosen on
/// their own, because no term has two of them.
std::int64_t least_sum_of_deltas(const Position& source, unsigned k, bool as_printed)
{
  const Offsets s = offsets_of(source, 1, k);
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t second = none;
  std::int64_t third = none;
  std::int64_t fifth = none;
  for (const Position& node : first_submesh(3, k)) {
    const std::int64_t levels = lower_levels(node, k);
    const Offsets n = offsets_of(node, 2, k);
    second =
        std::min(second, levels - n.u - n.v + (as_printed ? n.w : -n.w) + std::abs(s.v + n.v) + std::abs(s.w + n.w));
    third = std::min(third, levels - n.v - n.w + std::abs(s.u + n.u) + std::abs(s.w + n.w));
    fifth = std::min(fifth, levels - n.w + std::abs(s.u + n.u) + std::abs(s.v + n.v));
  }
  return s.u + s.v + s.w - level_excess_3d(s.u, s.v, s.w, k) + second + third + fifth;
}

Evidence deltas_are_not_negative(bool as_printed)
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 4; ++k) {
    for (const Position& source : first_submesh(3, k)) {
      const std::int64_t least = least_sum_of_deltas(source, k, as_printed);
      observations.push_back({.what = place_text(3, k, source),
                              .expected = "at least 0 for all N2, N3, N5",
                              .found = fmt::format("{} for the worst", least),
                              .holds = least >= 0});
    }
  }
  return all_hold("every source in submesh 1, all receivers, k = 2..4", observations, 20);
}

std::vector<Check> step_checks(const Part& part)
{
  return {check_of(part, "first_two_steps", [] { return terms_hold(first_and_second_step()); }),
          check_of(part, "third_step", [] {
            return corrected(terms_hold(third_step(as_stated(true, false))),
                             "- w_(k-1)(2) in (21), (25) and (29); (37) ends in |v| + 2|w|, (41) in 2|v| + 2|w|",
                             terms_hold(third_step(false)));
          })};
}

} // namespace

std::vector<Check> theorem_3_proof_checks(const Part& part)
{
  std::vector<Check> checks = step_checks(part);
  checks.push_back(check_of(part, "lower_bounds_of_f", [] { return around_the_eye_and_anywhere(inequalities); }));
  checks.push_back(check_of(part, "sum_of_deltas", [] {
    return corrected(deltas_are_not_negative(as_stated(true, false)),
                     "with - w_(k-1)(2) in (29); then it compares broadcasts with one order of the axes only",
                     deltas_are_not_negative(false));
  }));
  checks.push_back(check_of(part, "lent_term", [] { return around_the_eye_and_anywhere(lent_term); }));
  std::ranges::move(theorem_3_delta_checks(part), std::back_inserter(checks));
  return checks;
}

} // namespace wormcast::cang_wu
