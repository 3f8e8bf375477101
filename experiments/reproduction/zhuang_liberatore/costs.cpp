#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace wormcast::zhuang_liberatore {

namespace {

constexpr const char* check_command = "wormcast check CONFIG --contention-free";

/// The closed forms that are claimed for side 2^n: cases from the corner of a mesh.
using ClosedForms = std::function<std::vector<CostCase>(int n)>;

/// The closed forms on meshes and tori of side 2^1 .. 2^most: from every source of up to 64 nodes, else from some.
Evidence on_all_grids(int most, const ClosedForms& forms)
{
  constexpr std::uint32_t sources = 8;
  std::vector<CostCase> cases;
  for (int n = 1; n <= most; ++n) {
    for (const CostCase& form : forms(n)) {
      for (const std::string kind : {"mesh", "torus"}) {
        BroadcastCase broadcast = form.broadcast;
        broadcast.kind = kind;
        const bool is_small = topology_of(broadcast)->node_count() <= 64;
        for (BroadcastCase& one : is_small ? from_every_source(broadcast) : from_some_sources(broadcast, sources)) {
          cases.push_back({std::move(one), form.alpha, form.beta});
        }
      }
    }
  }
  return costs_equal(
      fmt::format("n = 1..{}, mesh and torus, every source up to 64 nodes, {} above", most, of_some_sources(sources)),
      cases);
}

BroadcastCase partitioning(int n, std::size_t dimensions, const std::string& inner, int d)
{
  return {.dims = square(n, dimensions),
          .algorithm = "network_partitioning",
          .parameters = {{"inner", inner}, {"d", std::int64_t{d}}}};
}

Fraction power(int exponent)
{
  return Fraction(std::int64_t{1} << exponent);
}

// Table 1 and section 7.2: RD.
ClosedForms recursive_doubling(int dimensions)
{
  return [=](int n) -> std::vector<CostCase> {
    return {{{.dims = square(n, static_cast<std::size_t>(dimensions)), .algorithm = "recursive_doubling"},
             whole(dimensions * n),
             whole(dimensions * n)}};
  };
}

// SC: what is claimed of it, as functions of n; an empty function claims nothing.
using OfN = std::function<Fraction(int n)>;
ClosedForms scatter_collect(std::size_t dimensions, const OfN& alpha, const OfN& beta)
{
  return [=](int n) -> std::vector<CostCase> {
    return {{{.dims = square(n, dimensions), .algorithm = "scatter_collect"},
             alpha ? std::optional(alpha(n)) : std::nullopt,
             beta ? std::optional(beta(n)) : std::nullopt}};
  };
}

// NP-RD and NP-SC for every d.
using OfNAndD = std::function<Fraction(int n, int d)>;
ClosedForms network_partitioning(std::size_t dimensions, const std::string& inner, const OfNAndD& alpha,
                                 const OfNAndD& beta)
{
  return [=](int n) {
    std::vector<CostCase> cases;
    for (int d = 0; d <= n; ++d) {
      cases.push_back({partitioning(n, dimensions, inner, d), alpha(n, d), beta(n, d)});
    }
    return cases;
  };
}

ClosedForms recursion_based(std::size_t dimensions, const OfN& alpha, const OfN& beta)
{
  return [=](int n) -> std::vector<CostCase> {
    return {{{.dims = square(n, dimensions), .algorithm = "recursion_based"}, alpha(n), beta(n)}};
  };
}

Check cost_check(const std::string& name, int most, const ClosedForms& forms)
{
  return check_of(name, {config_text(forms(3).back().broadcast), check_command},
                  [=] { return on_all_grids(most, forms); });
}

/// A claim whose closed form is misprinted, with the right one.
Check misprinted_cost_check(const std::string& name, int most, const ClosedForms& forms, const std::string& correction,
                            const ClosedForms& right)
{
  Check check = cost_check(name, most, forms);
  check.demonstration.config = config_text(forms(1).back().broadcast);
  check.measurement = measured_at_once([=] {
    return misprinted(on_all_grids(std::min(most, 2), as_stated(forms, right)), correction, on_all_grids(most, right));
  });
  return check;
}

/// Two algorithms with the same messages.
Observation same_messages(const BroadcastCase& a, const BroadcastCase& b)
{
  const auto topology = topology_of(a);
  const Schedule first = schedule_of(a, *topology);
  const Schedule second = schedule_of(b, *topology);
  bool same = first.messages.size() == second.messages.size() && first.blocks == second.blocks;
  for (std::size_t i = 0; same && i < first.messages.size(); ++i) {
    const Message& m = first.messages[i];
    const Message& o = second.messages[i];
    same = m.step == o.step && m.source == o.source && m.destination == o.destination &&
           std::ranges::equal(first.block_sets.ranges(m.blocks), second.block_sets.ranges(o.blocks));
  }
  return {.what = title(a),
          .expected = "the messages of " + title(b),
          .found = same ? fmt::format("the same {} messages", first.messages.size()) : "other messages",
          .holds = same};
}

Evidence special_cases_of_partitioning()
{
  const int d = static_cast<int>(as_claimed(std::int64_t{0}));
  std::vector<Observation> observations;
  for (const std::size_t dimensions : {2U, 3U}) {
    for (int n = 1; n <= (dimensions == 2 ? 4 : 2); ++n) {
      for (const std::string inner : {"recursive_doubling", "scatter_collect"}) {
        for (const BroadcastCase& one : from_every_source(partitioning(n, dimensions, inner, d))) {
          BroadcastCase alone = one;
          alone.algorithm = inner;
          alone.parameters.clear();
          observations.push_back(same_messages(one, alone));
        }
      }
    }
  }
  return all_hold("NP-RD with d = 0 against RD, NP-SC with d = 0 against SC, 2-D n = 1..4, 3-D n = 1, 2, every source",
                  observations);
}

Evidence families_meet()
{
  std::vector<Observation> observations;
  for (const std::size_t dimensions : {2U, 3U}) {
    for (int n = 1; n <= (dimensions == 2 ? 4 : 2); ++n) {
      const int d = n - static_cast<int>(as_claimed(std::int64_t{0}));
      for (const BroadcastCase& one : from_every_source(partitioning(n, dimensions, "recursive_doubling", d))) {
        BroadcastCase other = one;
        other.parameters["inner"] = std::string("scatter_collect");
        observations.push_back(same_messages(one, other));
      }
    }
  }
  return all_hold("2-D n = 1..4, 3-D n = 1, 2, every source", observations, 8);
}

/// Largest message of each step, stage 1 and then the rounds.
struct StageSizes {
  std::vector<Fraction> first;
  std::vector<Fraction> rounds;
};

// Section 4.2.
StageSizes sizes_2d(int n)
{
  StageSizes sizes;
  for (int i = 1; i <= n; ++i) {
    sizes.first.push_back(one_over_power(i));
    sizes.rounds.push_back(i == 1 ? one_over_power(n) : one_over_power(n + 2 - i));
    sizes.rounds.push_back(i == 1 ? one_over_power(n) : one_over_power(n + 1 - i));
  }
  return sizes;
}

// The same for section 7.1, which prints the sums alone.
StageSizes sizes_3d(int n)
{
  StageSizes sizes;
  for (int i = 1; i <= n + 1; ++i) {
    sizes.first.push_back(one_over_power(i));
  }
  for (int i = 1; i <= n; ++i) {
    const Fraction middle = one_over_power(i == 1 ? n + 1 : n + 2 - i);
    sizes.rounds.push_back(one_over_power(i == 1 ? n + 1 : n + 3 - i));
    sizes.rounds.push_back(middle);
    sizes.rounds.push_back(i == n ? one_over_power(1) : middle);
  }
  return sizes;
}

Fraction sum_of(std::span<const Fraction> fractions)
{
  return std::accumulate(fractions.begin(), fractions.end(), Fraction(0));
}

/// What is said of the sizes for side 2^n: themselves, and their sums over stage 1 and over the rounds.
struct StagesOfN {
  std::function<StageSizes(int n)> sizes;
  OfN first;
  OfN rounds;
};

Observation stage_sizes_observation(const BroadcastCase& broadcast, int n, const StagesOfN& stages)
{
  const auto topology = topology_of(broadcast);
  const std::vector<Fraction> found = step_sizes(schedule_of(broadcast, *topology));
  const StageSizes claimed = stages.sizes(n);
  std::vector<Fraction> expected = claimed.first;
  expected.insert(expected.end(), claimed.rounds.begin(), claimed.rounds.end());
  const std::size_t steps = std::min(claimed.first.size(), found.size());
  const Fraction first = sum_of(std::span(found).first(steps));
  const Fraction rounds = sum_of(std::span(found).subspan(steps));
  return {.what = title(broadcast),
          .expected =
              fmt::format("{}; sums {} and {}", fractions_text(expected), format_fraction(as_claimed(stages.first(n))),
                          format_fraction(as_claimed(stages.rounds(n)))),
          .found =
              fmt::format("{}; sums {} and {}", fractions_text(found), format_fraction(first), format_fraction(rounds)),
          .holds = found == expected && first == as_claimed(stages.first(n)) && rounds == as_claimed(stages.rounds(n))};
}

Evidence stage_sizes_equal(std::size_t dimensions, int most, const StagesOfN& stages)
{
  constexpr std::uint32_t sources = 16;
  std::vector<Observation> observations;
  for (int n = 1; n <= most; ++n) {
    for (const BroadcastCase& one :
         from_some_sources({.dims = square(n, dimensions), .algorithm = "recursion_based"}, sources)) {
      observations.push_back(stage_sizes_observation(one, n, stages));
    }
  }
  return all_hold(fmt::format("n = 1..{}, {} each", most, of_some_sources(sources)), observations, 24);
}

std::vector<Check> round_size_checks()
{
  const auto check = [](const std::string& name, std::size_t dimensions, const StagesOfN& stages) {
    return Check{.name = name,
                 .demonstration = {config_text({.dims = square(3, dimensions), .algorithm = "recursion_based"}),
                                   "wormcast schedule CONFIG"},
                 .measurement =
                     measured_at_once([=] { return stage_sizes_equal(dimensions, dimensions == 2 ? 6 : 4, stages); })};
  };
  Check two = check("rb_2d_rounds", 2,
                    {.sizes = sizes_2d,
                     .first = [](int n) { return whole(1) - one_over_power(n); },
                     .rounds = [](int n) { return Fraction(3, 2) - one_over_power(n); }});
  Check three = check("rb_3d_rounds", 3,
                      {.sizes = sizes_3d,
                       .first = [](int n) { return whole(1) - one_over_power(n + 1); },
                       .rounds = [](int n) { return Fraction(3, 2) - one_over_power(n); }});
  return {std::move(two), std::move(three)};
}

std::vector<Check> table_1_checks()
{
  const OfN sc_alpha = [](int n) { return whole(2 * n - 2) + power(n + 1); };
  const OfN sc_beta_printed = [](int n) { return whole(2) - one_over_power(2 * n); };
  const OfN sc_beta = [](int n) { return whole(2) - 2 * one_over_power(2 * n); };
  return {
      cost_check("rd_2d_costs", 5, recursive_doubling(2)),
      cost_check("sc_2d_alpha", 5, scatter_collect(2, sc_alpha, {})),
      misprinted_cost_check("sc_2d_beta", 4, scatter_collect(2, {}, sc_beta_printed),
                            "beta = 2 - 2/2^(2n), as the paper's own NP-SC with d = 0 and its SC in 3-D say",
                            scatter_collect(2, {}, sc_beta)),
      cost_check("np_rd_2d_costs", 5,
                 network_partitioning(
                     2, "recursive_doubling", [](int n, int d) { return whole(2 * n - 1) + power(d); },
                     [](int n, int d) { return whole(2) + whole(2 * n - d - 2) * one_over_power(d); })),
      cost_check(
          "np_sc_2d_costs", 5,
          network_partitioning(
              2, "scatter_collect", [](int n, int d) { return whole(2 * n - 3) + power(n - d + 1) + power(d); },
              [](int n, int d) { return whole(2) + whole(d) * one_over_power(d) - 2 * one_over_power(2 * n - d); })),
      {.name = "np_special_cases",
       .demonstration = {config_text(partitioning(2, 2, "scatter_collect", 0)), check_command},
       .measurement = measured_at_once(special_cases_of_partitioning)},
      {.name = "np_families_meet",
       .demonstration = {config_text(partitioning(2, 2, "scatter_collect", 2)), check_command},
       .measurement = measured_at_once(families_meet)},
      cost_check(
          "rb_2d_costs", 6,
          recursion_based(
              2, [](int n) { return whole(3 * n); }, [](int n) { return Fraction(5, 2) - 2 * one_over_power(n); }))};
}

std::vector<Check> section_7_checks()
{
  const OfN sc_alpha_3d = [](int n) { return whole(3 * n - 3) + 3 * power(n); };
  const OfN sc_alpha_3d_printed = [](int n) { return whole(3 * n) + 3 * power(n) / Fraction(8); };
  const OfN sc_beta_3d = [](int n) { return whole(2) - 2 * one_over_power(3 * n); };
  return {
      cost_check("rd_3d_costs", 4, recursive_doubling(3)),
      misprinted_cost_check("sc_3d_alpha", 3, scatter_collect(3, sc_alpha_3d_printed, {}),
                            "alpha = 3n + 3*2^n - 3 (the print is damaged: NP-SC in 3-D with d = 0 says the same)",
                            scatter_collect(3, sc_alpha_3d, {})),
      cost_check("sc_3d_beta", 3, scatter_collect(3, {}, sc_beta_3d)),
      cost_check("np_rd_3d_costs", 3,
                 network_partitioning(
                     3, "recursive_doubling", [](int n, int d) { return whole(3 * n - 1) + power(d); },
                     [](int n, int d) { return whole(2) + whole(3 * n - d - 2) * one_over_power(d); })),
      cost_check("np_sc_3d_costs", 3,
                 network_partitioning(
                     3, "scatter_collect", [](int n, int d) { return whole(3 * n - 4) + 3 * power(n - d) + power(d); },
                     [](int n, int d) {
                       return whole(2) + whole(2 * d) * one_over_power(d) - 2 * one_over_power(3 * n - 2 * d);
                     })),
      cost_check("rb_3d_costs", 4,
                 recursion_based(
                     3, [](int n) { return whole(4 * n + 1); },
                     [](int n) { return Fraction(5, 2) - 3 * one_over_power(n + 1); }))};
}

} // namespace

std::vector<Check> cost_checks()
{
  std::vector<Check> all;
  for (const auto& checks : {table_1_checks, round_size_checks, section_7_checks}) {
    std::ranges::move(checks(), std::back_inserter(all));
  }
  return all;
}

} // namespace wormcast::zhuang_liberatore
