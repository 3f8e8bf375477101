#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/algorithms/tcd/lower_bounds.hpp"
#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"
#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/cang_wu/printed_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace wormcast::cang_wu {

namespace {

/// The largest k for which a mesh with d axes has few nodes enough to go through its messages.
unsigned most_counted_level(std::size_t d)
{
  constexpr std::array<unsigned, 5> most = {10, 6, 4, 3, 2};
  return most.at(d - 1);
}

std::int64_t power_of_two(std::size_t exponent)
{
  return std::int64_t{1} << exponent;
}

std::int64_t alternating_sign(unsigned k)
{
  return k % 2 == 0 ? 1 : -1;
}

/// TCD from an eye, counted in the schedule.
std::int64_t from_eye(std::size_t d, unsigned k)
{
  return counted_tcd(through_eyes(d, k, AxisOrder::paper, first_eye(d, k)));
}

/// From an eye all levels of axes r = 1..d have 2^(r-1) times the messages over a_k hops each.
Evidence follows_recursion(std::size_t least_d, std::size_t most_d)
{
  std::vector<Observation> observations;
  for (std::size_t d = least_d; d <= most_d; ++d) {
    for (unsigned k = 2; k <= most_counted_level(d); ++k) {
      const std::int64_t expected = (power_of_two(d) - 1) * eye_distance(k) + power_of_two(d) * from_eye(d, k - 1);
      observations.push_back(equal_numbers(place_text(d, k), as_claimed(expected), from_eye(d, k)));
    }
  }
  return all_hold("TCD of the schedules from eyes", observations);
}

Evidence first_steps_from_an_eye(std::size_t d)
{
  std::vector<Observation> observations;
  for (unsigned k = 1; k <= most_counted_level(d); ++k) {
    const auto distances = step_distances(through_eyes(d, k, AxisOrder::paper, first_eye(d, k)));
    for (std::size_t r = 0; r < d; ++r) {
      observations.push_back(equal_numbers(fmt::format("{}, step {}", place_text(d, k), r + 1),
                                           as_claimed(power_of_two(r) * eye_distance(k)), distances[r]));
    }
  }
  return all_hold("hops of the first steps of the schedules from eyes", observations);
}

/// None where it is 0/0.
using ClosedForm = std::function<std::optional<Fraction>(std::size_t d, unsigned k)>;

/// Counted points and the claimed line over k.
ExhibitFigure tcd_figure(std::size_t d, const ClosedForm& form)
{
  ExhibitSeries counted{.title = "schedules", .kind = ExhibitSeries::Kind::measured, .points = {}};
  ExhibitSeries claimed{.title = "closed form", .kind = ExhibitSeries::Kind::predicted, .points = {}};
  for (unsigned k = 1; k <= most_counted_level(d); ++k) {
    counted.points.push_back({fmt::to_string(k), fmt::to_string(from_eye(d, k))});
    claimed.points.push_back({fmt::to_string(k), decimal(boost::rational_cast<double>(form(d, k).value()))});
  }
  return {.title = fmt::format("TCD from an eye in {}-D", d),
          .x_label = "k (side 2^k)",
          .y_label = "TCD (hops)",
          .log_x = false,
          .log_y = true,
          .series = {claimed, counted},
          .marks = {}};
}

std::vector<Observation> closed_form_observations(std::size_t least_d, std::size_t most_d, const ClosedForm& form)
{
  std::vector<Observation> observations;
  for (std::size_t d = least_d; d <= most_d; ++d) {
    for (unsigned k = 1; k <= most_counted_level(d); ++k) {
      const std::optional<Fraction> printed = form(d, k);
      const std::optional<Fraction> claimed = printed ? std::optional(as_claimed(*printed)) : std::nullopt;
      const Fraction found(from_eye(d, k));
      observations.push_back({.what = place_text(d, k),
                              .expected = claimed ? format_fraction(*claimed) : "0/0",
                              .found = format_fraction(found),
                              .holds = claimed == found});
    }
  }
  return observations;
}

Evidence is_closed_form(std::size_t least_d, std::size_t most_d, const ClosedForm& form)
{
  return all_hold("TCD of the schedules from eyes, d = 1..5", closed_form_observations(least_d, most_d, form));
}

std::optional<Fraction> form_2d(std::size_t, unsigned k)
{
  return Fraction(3 * power_of_two(2 * k + 1) - alternating_sign(k), 5) - Fraction(power_of_two(k));
}

std::optional<Fraction> form_3d(std::size_t, unsigned k)
{
  return Fraction(7 * (power_of_two(3 * k + 2) - alternating_sign(k) - 3 * power_of_two(k)), 27);
}

/// The form, and the values that are printed beside it, against schedules from eyes.
Evidence is_closed_form_with_figure(std::size_t d, const ClosedForm& form, std::span<const std::int64_t> printed)
{
  std::vector<Observation> observations = closed_form_observations(d, d, form);
  for (unsigned k = 1; k <= std::min(most_counted_level(d), static_cast<unsigned>(printed.size())); ++k) {
    observations.push_back(equal_numbers(place_text(d, k) + " as printed", as_claimed(printed[k - 1]), from_eye(d, k)));
  }
  Evidence evidence = all_hold("TCD of the schedules from eyes", observations);
  evidence.figures.push_back(tcd_figure(d, form));
  return evidence;
}

std::optional<Fraction> form_any(std::size_t d, unsigned k)
{
  const std::int64_t divisor = 3 * (power_of_two(d) + 1) * (power_of_two(d - 1) - 1);
  if (divisor == 0) {
    return std::nullopt;
  }
  const std::int64_t bracket = 3 * power_of_two(d * (k + 1) - 1) - alternating_sign(k) * (power_of_two(d - 1) - 1) -
                               power_of_two(k) * (power_of_two(d) + 1);
  return Fraction((power_of_two(d) - 1) * bracket, divisor);
}

std::optional<Fraction> form_line(std::size_t, unsigned k)
{
  return Fraction((3 * static_cast<std::int64_t>(k) + 1) * power_of_two(k) - alternating_sign(k), 9);
}

Evidence closed_form_of_any_dimension()
{
  const ClosedForm right_form = [](std::size_t d, unsigned k) { return d == 1 ? form_line(d, k) : form_any(d, k); };
  return misprinted(is_closed_form(1, 5, as_stated<ClosedForm>(form_any, right_form)),
                    "for d >= 2; for d = 1 it is (3k 2^k + 2^k - (-1)^k)/9", is_closed_form(1, 5, right_form));
}

Evidence unit_meshes()
{
  std::vector<Observation> observations;
  for (std::size_t d = 1; d <= 8; ++d) {
    const Tcds tcds = counted_tcds(through_eyes(d, 1));
    for (const std::int64_t tcd : tcds) {
      observations.push_back(equal_numbers(place_text(d, 1), as_claimed(power_of_two(d) - 1), tcd));
    }
  }
  return all_hold("every source, d = 1..8; no broadcast can have less, it has 2^d - 1 messages", observations, 10);
}

Evidence first_value_of_the_recursion()
{
  return misprinted(all_hold("mesh 2 x 2 x 2", {equal_numbers(place_text(3, 1), as_stated(3, 7), from_eye(3, 1))}),
                    "MD_1(E_1) = 7, as the paper's own OD_1; 3 is the value in 2-D", unit_meshes());
}

/// The degree bound of all broadcasts with one port in log2 N steps, against the TCD from an eye.
Evidence no_broadcast_has_less(std::size_t least_d, std::size_t most_d, unsigned most_k)
{
  std::vector<Observation> observations;
  for (std::size_t d = least_d; d <= most_d; ++d) {
    for (unsigned k = 1; k <= std::min(most_k, most_counted_level(d)); ++k) {
      const auto t = static_cast<std::uint32_t>(d * k);
      const auto neighbours = static_cast<std::uint32_t>(2 * d);
      const auto bound = static_cast<std::int64_t>(degree_bound(t, neighbours));
      const std::int64_t claimed = as_claimed(optimal_tcd(static_cast<unsigned>(d), k));
      const std::int64_t found = from_eye(d, k);
      observations.push_back(
          {.what = place_text(d, k),
           .expected = fmt::format("{} from an eye, no broadcast has less", claimed),
           .found = fmt::format("{}, and every broadcast in {} steps has at least {}", found, t, bound),
           .holds = found == claimed && bound >= claimed});
    }
  }
  return all_hold("the degree bound (most messages of a node, most neighbours of a node) against the schedules",
                  observations);
}

/// For k >= 4 the bounds are less than the TCD from an eye, so only recursive halvings are excluded.
Evidence open_optimum(std::size_t d)
{
  std::vector<KnownMinimum> values;
  for (unsigned k = 4; k <= (d == 2 ? 7U : 5U); ++k) {
    const auto grid = grid_of(by_halving(d, k));
    values.push_back({grid->title(), as_claimed(optimal_tcd(static_cast<unsigned>(d), k)),
                      static_cast<std::int64_t>(std::ranges::min(recursive_halving_tcds(*grid))),
                      static_cast<std::int64_t>(std::ranges::min(tcd_lower_bounds(*grid)))});
  }
  return are_minima(values);
}

/// Where the least TCD is attained.
Evidence only_eyes_are_optimal(std::size_t d)
{
  std::vector<Observation> observations;
  ExhibitTable table{.title = "nodes with the TCD of an eye", .header = {"mesh", "eyes", "nodes"}, .rows = {}};
  std::vector<ExhibitMatrix> matrices;
  for (unsigned k = 1; k <= (d == 2 ? 6U : 4U); ++k) {
    const auto grid = grid_of(by_halving(d, k));
    const std::vector<std::uint64_t> tcds = recursive_halving_tcds(*grid);
    const auto optimum = static_cast<std::uint64_t>(optimal_tcd(static_cast<unsigned>(d), k));
    table.rows.push_back(
        {grid->title(), fmt::to_string(power_of_two(d)), fmt::to_string(std::ranges::count(tcds, optimum))});
    for (std::uint32_t node = 0; node < grid->node_count() && k <= as_stated(3U, 2U); ++node) {
      const Position position = grid->coordinates(NodeId{node});
      if (tcds[node] > optimum || is_eye(position, k)) {
        continue;
      }
      const BroadcastCase better = by_halving(d, k, position);
      observations.push_back({.what = place_text(d, k, position) + ", no eye",
                              .expected = fmt::format("more than {}", optimum),
                              .found = fmt::format("{}", counted_tcd(better)),
                              .holds = false,
                              .schedule = schedule_json(schedule_of(better, *grid))});
    }
    observations.push_back({.what = place_text(d, k),
                            .expected = fmt::format("eyes have {}", optimum),
                            .found = fmt::format("{}", from_eye(d, k)),
                            .holds = static_cast<std::uint64_t>(from_eye(d, k)) == optimum});
  }
  Evidence evidence = all_hold("nodes with the optimal TCD", observations);
  evidence.tables.push_back(std::move(table));
  return corrected(
      std::move(evidence),
      "eyes are optimal for k <= 3, but from k = 3 on nodes between them and the centre lines have the same TCD",
      no_broadcast_has_less(d, d, 3));
}

std::vector<Check> recursion_checks(const Part& part)
{
  const std::size_t d = part.d;
  const bool cube = part.is_3d();
  std::vector<Check> checks;
  checks.push_back(check_of(part, "first_steps_from_an_eye", [=] { return first_steps_from_an_eye(d); }));
  checks.push_back(check_of(part, "eye_recursion", [=] { return follows_recursion(d, d); }));
  if (cube) {
    checks.push_back(check_of(part, "eye_recursion_2d", [] { return follows_recursion(2, 2); }));
  }
  checks.push_back(check_of(part, "eye_tcd_2d", [=] {
    return is_closed_form_with_figure(2, form_2d, std::span(printed_eye_tcds_2d).first(cube ? 5 : 4));
  }));
  if (cube) {
    checks.push_back(check_of(part, "first_value_of_the_recursion", first_value_of_the_recursion));
  }
  return checks;
}

std::vector<Check> any_dimension_checks(const Part& part)
{
  const bool cube = part.is_3d();
  std::vector<Check> checks;
  checks.push_back(check_of(part, "unit_mesh", unit_meshes));
  checks.push_back(check_of(part, "eye_recursion_any", [] { return follows_recursion(1, 5); }));
  checks.push_back(check_of(part, "eye_tcd_any", closed_form_of_any_dimension));
  checks.back().demonstration =
      demonstration(through_eyes(1, 3), "wormcast topology CONFIG --tcd --values paper,halving,bound");
  checks.push_back(check_of(part, "eye_tcd_3d", [=] {
    return is_closed_form_with_figure(3, form_3d, std::span(printed_eye_tcds_3d).first(cube ? 4 : 3));
  }));
  return checks;
}

std::vector<Check> optimality_checks(const Part& part)
{
  const std::size_t d = part.d;
  const bool cube = part.is_3d();
  std::vector<Check> checks;
  checks.push_back(check_of(part, "optimum_up_to_3", [=] { return no_broadcast_has_less(d, d, 3); }));
  checks.push_back(check_of(part, "optimum_above_3", [=] { return open_optimum(d); }));
  checks.push_back(check_of(part, "only_eyes_are_optimal", [=] { return only_eyes_are_optimal(d); }));
  if (!cube) {
    checks.push_back(check_of(part, "lower_bound_any", [] { return no_broadcast_has_less(1, 5, 3); }));
  }
  return checks;
}

} // namespace

std::vector<Check> optimum_checks(const Part& part)
{
  std::vector<Check> checks;
  for (const auto& made : {recursion_checks, any_dimension_checks, optimality_checks}) {
    std::ranges::move(made(part), std::back_inserter(checks));
  }
  return checks;
}

} // namespace wormcast::cang_wu
