#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace wormcast::cang_wu {

namespace {

Evidence first_two_steps()
{
  std::vector<Observation> observations;
  for (unsigned k = 1; k <= 3; ++k) {
    const std::vector<Position> nodes = first_submesh(2, k);
    std::int64_t wrong = 0;
    std::int64_t tuples = 0;
    for (const Position& s : nodes) {
      for (const Position& second : nodes) {
        for (const Position& third : nodes) {
          for (const Position& fourth : nodes) {
            const Position n2 = mirrored(second, {true, false, false}, k);
            const Position n3 = mirrored(third, {false, true, false}, k);
            const Position n4 = mirrored(fourth, {true, true, false}, k);
            // Offsets of the receivers are positive towards the centre; submeshes 2 and 3 are turned by a quarter.
            const auto [low, high] = eye_coordinates(k);
            const std::int64_t claimed =
                as_claimed(two_step_distance({low - s[0], low - s[1]}, {n2[1] - low, high - n2[0]},
                                             {high - n3[1], n3[0] - low}, {high - n4[0], high - n4[1]}, k));
            wrong += claimed == hops(s, n2) + hops(s, n3) + hops(n2, n4) ? 0 : 1;
            ++tuples;
          }
        }
      }
    }
    observations.push_back(
        equal_numbers(fmt::format("{}, {} choices of S, N2, N3, N4, wrong ones", place_text(2, k), tuples), 0, wrong));
  }
  return all_hold("all sources and receivers, k = 1..3", observations);
}

/// The equation between (16) and (17), which counts the TCD from an eye twice.
Evidence closing_equation(bool as_printed)
{
  std::vector<Observation> observations;
  for (unsigned k = 2; k <= 4; ++k) {
    const std::int64_t eye = counted_tcd(through_eyes(2, k, AxisOrder::paper, first_eye(2, k)));
    const std::int64_t smaller = counted_tcd(through_eyes(2, k - 1, AxisOrder::paper, first_eye(2, k - 1)));
    for (const Position& node : first_submesh(2, k)) {
      const std::int64_t claimed =
          3 * eye_distance(k) + 4 * smaller + (as_printed ? eye : 0) + source_excess(node, k, AxisOrder::paper);
      observations.push_back(
          equal_numbers(place_text(2, k, node), claimed, counted_tcd(through_eyes(2, k, AxisOrder::paper, node))));
    }
  }
  return all_hold("TCD of the schedules, k = 2..4", observations, 20);
}

Evidence sums_of_theorem_6()
{
  std::vector<Observation> observations;
  for (unsigned d = 2; d <= 5; ++d) {
    for (unsigned k = 2; k <= 8; ++k) {
      std::int64_t sum = 0;
      for (unsigned j = 0; j + 2 <= k; ++j) {
        sum += (std::int64_t{1} << (d * j)) * eye_distance(k - j);
      }
      const std::int64_t sign = k % 2 == 0 ? 1 : -1;
      const std::int64_t power = std::int64_t{1} << (d * (k - 1));
      const std::int64_t smaller = std::int64_t{1} << ((d - 1) * (k - 1));
      const Fraction first((std::int64_t{1} << k) * (1 - smaller), 1 - (std::int64_t{1} << (d - 1)));
      const Fraction second(sign * (1 + sign * power), 1 + (std::int64_t{1} << d));
      const Fraction closed = as_claimed((first - second) / Fraction(3));
      observations.push_back(
          same_texts(fmt::format("(44), d = {}, k = {}", d, k), format_fraction(closed), fmt::to_string(sum)));
      const std::int64_t unit = (std::int64_t{1} << d) - 1;
      observations.push_back(equal_numbers(fmt::format("(43), d = {}, k = {}", d, k),
                                           as_claimed(unit * sum + power * unit), optimal_tcd(d, k)));
    }
  }
  return all_hold("d = 2..5, k = 2..8", observations, 20);
}

std::vector<Check> proofs_1998(const Part& part)
{
  std::vector<Check> checks;
  checks.push_back(check_of(part, "first_two_steps", first_two_steps));
  checks.push_back(check_of(part, "closing_equation", [] {
    return misprinted(closing_equation(as_stated(true, false)), "without MD_k(E_k), which is counted twice",
                      closing_equation(false));
  }));
  std::ranges::move(theorem_2_proof_checks(part), std::back_inserter(checks));
  return checks;
}

} // namespace

std::vector<Check> proof_checks(const Part& part)
{
  if (!part.is_3d()) {
    return proofs_1998(part);
  }
  std::vector<Check> checks = theorem_3_proof_checks(part);
  checks.push_back(check_of(part, "sums_of_theorem_6", sums_of_theorem_6));
  return checks;
}

} // namespace wormcast::cang_wu
