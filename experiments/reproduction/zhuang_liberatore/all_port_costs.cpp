#include "wormcast/algorithms/verifier/broadcast_bounds.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/all_port.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

namespace wormcast::zhuang_liberatore {

namespace {

const std::string lost_schedule =
    "the published schedule (fig. 9, and the scatter of a paper it refers to) is not at hand";

/// RB with all ports on meshes and tori of all these sizes, from every source that is looked at.
std::vector<BroadcastCase> all_port_cases(std::span<const int> sizes)
{
  std::vector<BroadcastCase> cases;
  for (const int n : sizes) {
    for (const std::string kind : {"mesh", "torus"}) {
      std::ranges::move(all_port_sources(kind, n), std::back_inserter(cases));
    }
  }
  return cases;
}

/// By how much what is found may differ from what is published.
struct Difference {
  Fraction least;
  Fraction most;
};

Observation within(const PublishedAndFound& value, const Difference& difference)
{
  const Fraction least = value.published + difference.least;
  const Fraction most = value.published + difference.most;
  return {.what = title(value.broadcast),
          .expected = least == most ? format_fraction(most)
                                    : fmt::format("{} to {}", format_fraction(least), format_fraction(most)),
          .found = format_fraction(value.found),
          .holds = least <= value.found && value.found <= most};
}

/// What a broadcast costs, and the one from the corner of the same mesh.
struct BesideTheCorner {
  BroadcastCase broadcast;
  AllPortCosts costs;
  AllPortCosts of_corner;
};

std::vector<BesideTheCorner> mesh_sources_beside_the_corner()
{
  std::vector<BesideTheCorner> all;
  for (int n = 1; n <= 7; ++n) {
    const AllPortCosts of_corner = all_port_costs(all_port("mesh", n, "recursion_based"));
    for (BroadcastCase& one : all_port_sources("mesh", n)) {
      const AllPortCosts costs = all_port_costs(one);
      all.push_back({.broadcast = std::move(one), .costs = costs, .of_corner = of_corner});
    }
  }
  return all;
}

// No source needs more than the corner of its mesh: steps or bytes.
Evidence overhead(const std::vector<BesideTheCorner>& all, Fraction AllPortCosts::* cost, const std::string& name)
{
  std::vector<Observation> observations;
  for (const BesideTheCorner& one : all) {
    const Fraction most = as_upper_bound(one.of_corner.*cost);
    observations.push_back({.what = title(one.broadcast),
                            .expected = fmt::format("{} at most {}", name, format_fraction(most)),
                            .found = format_fraction(one.costs.*cost),
                            .holds = one.costs.*cost <= most});
  }
  return all_hold("meshes, n = 1..7, against the corner; " + all_port_sources_text(), observations, 8);
}

Evidence without_overhead()
{
  const std::vector<BesideTheCorner> all = mesh_sources_beside_the_corner();
  return by_reading(
      {{"no more steps than from the corner, our schedules", overhead(all, &AllPortCosts::alpha, "alpha")},
       {"no more bytes than from the corner, our schedules", overhead(all, &AllPortCosts::beta, "beta")}});
}

PublishedAndFound scatter_steps(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  const Schedule schedule = schedule_of(broadcast, *topology);
  Holdings holdings(schedule, topology->node_count());
  const std::optional<std::uint32_t> steps =
      run_all_port_scatter(holdings, broadcast, places_of_all_port(broadcast, *topology));
  if (!steps) {
    throw std::logic_error("stage 1 does not come to an end: " + title(broadcast));
  }
  return {.broadcast = broadcast,
          .published = published_scatter_alpha(exponent(broadcast)),
          .found = whole(std::int64_t{*steps})};
}

// Fewer steps where the source is inside, one more at some borders for n = 7.
Evidence steps_of_scatter()
{
  std::vector<PublishedAndFound> values;
  std::vector<Observation> observations;
  for (const BroadcastCase& one : all_port_cases(std::array{1, 2, 3, 4, 5, 6, 7})) {
    values.push_back(scatter_steps(one));
    const bool may_be_more = exponent(one) == 7 && one.kind == "mesh";
    observations.push_back(within(values.back(), {.least = Fraction(-1), .most = Fraction(may_be_more ? 1 : 0)}));
  }
  Evidence evidence =
      not_testable("the scatter is that of a paper it refers to, which is not at hand",
                   all_hold("our scatter, the steps until both diagonals have a flint of their own on each node: "
                            "as many or one less, but one more from some sources (the corners "
                            "among them) of the mesh for n = 7; meshes and tori, n = 1..7, " +
                                all_port_sources_text(),
                            observations, 12));
  evidence.tables.push_back(table_by_place("steps of stage 1", values));
  return evidence;
}

/// A source of each place on a mesh, the corner of a torus.
std::vector<BroadcastCase> one_source_of_each_place(int n)
{
  const std::int64_t side = std::int64_t{1} << n;
  std::vector<BroadcastCase> cases;
  for (const std::vector<std::int64_t>& source :
       {std::vector<std::int64_t>{0, 0}, std::vector<std::int64_t>{0, side / 2},
        std::vector<std::int64_t>{side / 2, side / 2}}) {
    cases.push_back(all_port("mesh", n, "recursion_based"));
    cases.back().source = source;
  }
  cases.push_back(all_port("torus", n, "recursion_based"));
  return cases;
}

/// From which n on fewer bytes are published than 2^(n+1) equal parts need through the source's channels; none: never.
std::optional<int> first_impossible_scatter(std::uint32_t channels)
{
  return channels == 2 ? std::optional(3) : channels == 3 ? std::optional(4) : std::nullopt;
}

// What no scatter can do: 2^(n+1) nodes get equal parts through the 2 channels of a corner, the 3 of a border.
Evidence bytes_of_scatter()
{
  std::vector<Observation> claimed;
  std::vector<Observation> corrected_observations;
  for (int n = 2; n <= 7; ++n) {
    for (const BroadcastCase& one : one_source_of_each_place(n)) {
      const auto topology = topology_of(one);
      const NodeId source = one.source.empty() ? NodeId{0} : topology->node_at(one.source);
      const std::uint32_t channels = usable_channels(*topology, source, one.ports);
      const Fraction least_needed = (whole(1) - one_over_power(n + 1)) / whole(std::int64_t{channels});
      const Fraction published = as_stated(published_scatter_beta(n), least_needed);
      const Fraction bound = scatter_bound_bytes(*topology, source, one.ports, std::uint32_t{1} << (n + 1));
      claimed.push_back(
          {.what = fmt::format("{} {} x {}, source {}", one.kind, one.dims[0], one.dims[1], place_of_source(one)),
           .expected = format_fraction(published),
           .found = fmt::format("at least {} through {} channels", format_fraction(bound), channels),
           .holds = published >= bound});
      const std::optional<int> first = first_impossible_scatter(channels);
      corrected_observations.push_back(claimed.back());
      corrected_observations.back().holds =
          (published_scatter_beta(n) >= bound) == (!first || n < *first) && bound == least_needed;
    }
  }
  return corrected(all_hold("a corner, a border node, the centre of meshes, tori, n = 2..7", claimed, 24),
                   "a source with c channels sends at least (1 - 1/2^(n+1))/c: more than 1/4 + 1/2^n from every corner "
                   "of a mesh for n >= 3 and from every border for n >= 4, not from inside or on a torus",
                   all_hold("n = 2..7", corrected_observations));
}

PublishedAndFound total_steps(const BroadcastCase& broadcast)
{
  return {.broadcast = broadcast,
          .published = published_alpha(exponent(broadcast)),
          .found = all_port_costs(broadcast).alpha};
}

Evidence steps_for_odd_n()
{
  std::vector<PublishedAndFound> values;
  std::vector<Observation> observations;
  for (const BroadcastCase& one : all_port_cases(std::array{1, 3, 5, 7})) {
    const int n = exponent(one);
    const bool may_be_more = n == 7 && one.kind == "mesh";
    values.push_back(total_steps(one));
    observations.push_back(
        within(values.back(), {.least = Fraction(n == 1 ? 1 : 0), .most = Fraction(n == 1 || may_be_more ? 1 : 0)}));
  }
  Evidence evidence = not_testable(
      lost_schedule, all_hold("our schedules take as many steps for n = 3, 5 and 7, but one more for n = 1 and, for n "
                              "= 7, from some sources (the corners among them) of the mesh; meshes and tori, " +
                                  all_port_sources_text(),
                              observations, 12));
  evidence.tables.push_back(table_by_place("steps", values));
  return evidence;
}

/// The whole number below or above the published one.
Evidence at_most_rounded(const std::vector<PublishedAndFound>& values, bool upwards)
{
  std::vector<Observation> observations;
  for (const PublishedAndFound& value : values) {
    const std::int64_t below = value.published.numerator() / value.published.denominator();
    const Fraction bound = as_upper_bound(whole(upwards ? below + 1 : below));
    observations.push_back({.what = title(value.broadcast),
                            .expected = "at most " + format_fraction(bound),
                            .found = format_fraction(value.found),
                            .holds = value.found <= bound});
  }
  return all_hold("our schedules, n = 2, 4, 6, " + all_port_sources_text(), observations, 8);
}

Evidence steps_for_even_n()
{
  std::vector<PublishedAndFound> values;
  for (const BroadcastCase& one : all_port_cases(std::array{2, 4, 6})) {
    values.push_back(total_steps(one));
  }
  Evidence evidence =
      by_reading({{"rounded down", at_most_rounded(values, false)}, {"rounded up", at_most_rounded(values, true)}});
  evidence.tables.push_back(table_by_place("steps", values));
  return evidence;
}

Evidence bytes_of_the_whole()
{
  std::vector<PublishedAndFound> values;
  std::vector<Observation> observations;
  for (const BroadcastCase& one : all_port_cases(std::array{1, 2, 3, 4, 5, 6, 7})) {
    const Fraction published = published_beta(exponent(one));
    values.push_back({.broadcast = one, .published = published, .found = all_port_costs(one).beta});
    observations.push_back({.what = title(one),
                            .expected = "less than " + format_fraction(published),
                            .found = format_fraction(values.back().found),
                            .holds = values.back().found < published});
  }
  return not_testable(
      lost_schedule,
      all_hold("our schedules send less, so they are others; meshes and tori, n = 1..7, " + all_port_sources_text(),
               observations, 24));
}

} // namespace

std::vector<Check> all_port_cost_checks()
{
  const BroadcastCase corner = all_port("mesh", 5, "recursion_based");
  return {all_port_check("all_port_any_source", corner, without_overhead),
          all_port_check("all_port_scatter_alpha", corner, steps_of_scatter),
          all_port_check("all_port_scatter_beta", all_port("mesh", 3, "recursion_based"), bytes_of_scatter),
          all_port_check("all_port_alpha_odd", corner, steps_for_odd_n),
          all_port_check("all_port_alpha_even", all_port("mesh", 4, "recursion_based"), steps_for_even_n),
          all_port_check("all_port_beta", corner, bytes_of_the_whole)};
}

} // namespace wormcast::zhuang_liberatore
