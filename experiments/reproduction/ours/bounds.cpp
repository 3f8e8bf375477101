#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/ours/cases.hpp"
#include "wormcast/experiments/reproduction/ours/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <span>

namespace wormcast::ours {

namespace {

BroadcastCase on_square(int n, const std::string& algorithm,
                        std::map<std::string, RawValue, std::less<>> parameters = {})
{
  return {.dims = square(n), .algorithm = algorithm, .parameters = std::move(parameters)};
}

/// One-port broadcasts on 2^n x 2^n nodes; those of few steps are among them.
std::vector<BroadcastCase> broadcasts(int n)
{
  std::vector<BroadcastCase> all;
  for (const std::string name : {"recursive_doubling", "recursion_based", "scatter_collect", "binomial_tree",
                                 "scatter_all_gather", "bine_tree", "round_optimal", "minimum_tcd"}) {
    all.push_back(on_square(n, name));
  }
  for (std::int64_t depth = 1; depth <= n; ++depth) {
    all.push_back(on_square(n, "network_partitioning", {{"d", depth}, {"inner", std::string("recursive_doubling")}}));
    for (const std::string rounds : {"pairwise", "lattice"}) {
      for (std::int64_t block = 0; block <= depth; ++block) {
        all.push_back(on_square(n, "truncated_recursion", {{"depth", depth}, {"rounds", rounds}, {"block", block}}));
      }
    }
  }
  for (const std::int64_t segments : {1, 2, 4}) {
    all.push_back(on_square(n, "two_trees", {{"segments", segments}}));
    all.push_back(on_square(n, "two_combs", {{"segments", segments}}));
  }
  return all;
}

Fraction sum_of(std::span<const Fraction> sizes)
{
  return std::accumulate(sizes.begin(), sizes.end(), Fraction(0));
}

/// What is true of proposition 3 of Zhuang & Liberatore.
Evidence few_steps()
{
  std::vector<Observation> observations;
  for (const int n : {2, 3, 4}) {
    const std::uint64_t doublings = 2 * static_cast<std::uint64_t>(n);
    for (const BroadcastCase& one : broadcasts(n)) {
      const auto topology = topology_of(one);
      const Schedule schedule = schedule_of(one, *topology);
      const CheckReport report = check_schedule(*topology, schedule, {.max_violations = 0});
      if (!report.ports || report.costs.alpha > 2 * doublings - 2) {
        continue;
      }
      const Fraction bound = as_lower_bound(Fraction(2), Fraction(1, report.costs.beta.denominator()));
      const std::vector<Fraction> sizes = step_sizes(schedule);
      const std::size_t early = std::min<std::size_t>(report.costs.alpha - doublings + 1, sizes.size());
      const std::span<const Fraction> all(sizes);
      const Fraction first = sum_of(all.first(early));
      const Fraction last = sum_of(all.subspan(std::min<std::size_t>(doublings - 1, sizes.size())));
      observations.push_back(
          {.what = title(one),
           .expected = fmt::format("both windows at least 1, beta at least {}", format_fraction(bound)),
           .found = fmt::format("alpha {}: first {} steps {}, from step {} on {}, beta {}", report.costs.alpha, early,
                                format_fraction(first), doublings, format_fraction(last),
                                format_fraction(report.costs.beta)),
           .holds = report.valid() && first >= 1 && last >= 1 && report.costs.beta >= bound});
    }
  }
  Evidence evidence = all_hold("the one-port broadcasts of the program with so few steps, n = 2..4", observations, 20);
  if (evidence.verdict == Verdict::confirmed) {
    evidence.measured = "proved: with T = log2 N, what leaves the source first after step alpha - T + 1 cannot reach N "
                        "nodes by doubling, so the messages of the steps up to this one add up to the whole at least; "
                        "N/2 nodes have nothing before step T, so those from it on do, too; "
                        "if alpha <= 2T - 2 the two windows have no step in common. Consistent with it, it " +
                        evidence.measured;
  }
  return evidence;
}

/// The linear programs of the verifier.
Evidence two_steps_more()
{
  std::vector<Observation> observations;
  struct Row {
    int n;
    std::int64_t ten_thousandths;
    bool excludes;
  };
  for (const Row& row : {Row{3, 23354, false}, Row{4, 28264, true}, Row{5, 33242, true}}) {
    const auto topology = topology_of(on_square(row.n, "recursion_based"));
    const Fraction least = least_beta(*topology, NodeId{0}, {}, 2 * static_cast<std::uint64_t>(row.n) + 2);
    const Fraction claimed = as_claimed(Fraction(row.ten_thousandths, 10000));
    const CheckReport met = check(on_square(row.n, "truncated_recursion", {{"depth", std::int64_t{2}}}));
    observations.push_back(
        {.what = fmt::format("2^{0} x 2^{0}, {1} steps", row.n, 2 * row.n + 2),
         .expected = fmt::format("beta at least {}", format_fraction(claimed)),
         .found = fmt::format("at least {}; truncated recursion, d = 2: alpha {}, beta {}", format_fraction(least),
                              met.costs.alpha, format_fraction(met.costs.beta)),
         .holds = least == claimed && (least > Fraction(5, 2)) == row.excludes && met.valid() && met.contention_free &&
                  met.costs.alpha == 2 * static_cast<std::uint64_t>(row.n) + 2 && met.costs.beta >= least});
  }
  return all_hold("linear programs over what leaves the source in which step and how its copies double", observations);
}

Evidence four_by_four()
{
  const CheckReport report = check(on_square(2, "recursion_based"));
  const auto topology = topology_of(on_square(2, "recursion_based"));
  const Fraction least = least_beta(*topology, NodeId{0}, {}, 6);
  return all_hold(
      "4 x 4 mesh, 6 steps",
      {{.what = "recursion_based",
        .expected = fmt::format("beta {}, and no less", format_fraction(as_claimed(Fraction(2)))),
        .found = fmt::format("beta {}, bound {}", format_fraction(report.costs.beta), format_fraction(least)),
        .holds = report.valid() && report.contention_free && report.costs.alpha == 6 &&
                 report.costs.beta == as_claimed(Fraction(2)) && least == report.costs.beta}});
}

} // namespace

std::vector<Check> bound_checks()
{
  const auto check = [](const std::string& name, const BroadcastCase& shown, std::function<Evidence()> measure) {
    return own_check(name, shown, "wormcast check CONFIG", std::move(measure));
  };
  return {check("few_steps_send_all_twice", on_square(3, "recursion_based"), few_steps),
          check("rb_is_optimal_on_4x4", on_square(2, "recursion_based"), four_by_four),
          check("two_more_than_fewest_steps", on_square(4, "truncated_recursion", {{"depth", std::int64_t{2}}}),
                two_steps_more)};
}

} // namespace wormcast::ours
