#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/ours/cases.hpp"
#include "wormcast/experiments/reproduction/ours/checks.hpp"

#include <fmt/format.h>

#include <iterator>

namespace wormcast::ours {

namespace {

using Parameters = std::map<std::string, RawValue, std::less<>>;

BroadcastCase on_grid(std::vector<std::int64_t> dims, const std::string& algorithm, Parameters parameters = {})
{
  return {.dims = std::move(dims), .algorithm = algorithm, .parameters = std::move(parameters)};
}

BroadcastCase as_operation(BroadcastCase broadcast, const std::string& operation)
{
  broadcast.parameters["operation"] = operation;
  return broadcast;
}

Evidence reduces()
{
  std::vector<BroadcastCase> broadcasts;
  for (const int n : {2, 3}) {
    for (const std::string name : {"recursive_doubling", "recursion_based", "scatter_collect"}) {
      broadcasts.push_back(on_grid(square(n), name));
    }
    for (std::int64_t depth = 1; depth <= n; ++depth) {
      for (std::int64_t block = 0; block <= depth; ++block) {
        broadcasts.push_back(on_grid(square(n), "truncated_recursion",
                                     {{"depth", depth}, {"block", block}, {"rounds", std::string("lattice")}}));
      }
    }
    broadcasts.push_back(on_grid(square(n), "two_trees", {{"segments", std::int64_t{4}}}));
    broadcasts.push_back(on_grid(square(n), "two_combs", {{"segments", std::int64_t{4}}}));
  }
  broadcasts.push_back(on_grid({5, 3}, "two_combs", {{"segments", std::int64_t{4}}}));
  broadcasts.push_back(on_grid({8, 4}, "truncated_recursion", {{"depth", std::int64_t{2}}}));
  std::vector<Observation> observations;
  for (const BroadcastCase& broadcast : broadcasts) {
    for (const BroadcastCase& one : from_some_sources(as_operation(broadcast, "reduce"), 16)) {
      // The broadcast of a reduce to (x, y) on X x Y nodes is that from (y, x) on Y x X.
      BroadcastCase turned = one;
      turned.parameters.erase("operation");
      std::swap(turned.dims[0], turned.dims[1]);
      std::swap(turned.source[0], turned.source[1]);
      const CheckReport forwards = check(turned);
      const CheckReport backwards = check(one);
      Observation observation{
          .what = title(one),
          .expected = fmt::format("alpha {}, beta {}, every contribution once, no contention",
                                  as_claimed(static_cast<std::int64_t>(forwards.costs.alpha)),
                                  format_fraction(forwards.costs.beta)),
          .found =
              fmt::format("alpha {}, beta {}{}{}", backwards.costs.alpha, format_fraction(backwards.costs.beta),
                          backwards.valid() && backwards.counted_once ? ", every contribution once" : ", not valid",
                          backwards.contention_free ? ", no contention" : ", contends")};
      observation.holds = observation.found == observation.expected && forwards.contention_free;
      observations.push_back(std::move(observation));
    }
  }
  return all_hold("4 x 4, 8 x 8, 5 x 3 and 8 x 4 meshes to " + of_some_sources(16), observations, 12);
}

Evidence all_reduces()
{
  std::vector<CostCase> cases;
  const auto append = [&](const BroadcastCase& broadcast, const Fraction& alpha, const Fraction& beta) {
    std::ranges::move(with_costs(from_some_sources(as_operation(broadcast, "all_reduce"), 4), alpha, beta),
                      std::back_inserter(cases));
  };
  for (const int n : {2, 3, 4}) {
    const auto nodes = std::int64_t{1} << (2 * n);
    append(on_grid(square(n), "recursive_doubling"), Fraction(4 * n), Fraction(4 * n));
    append(on_grid(square(n), "recursion_based"), Fraction(4 * n), Fraction(3) - over_power(Fraction(2), n));
    append(on_grid(square(n), "truncated_recursion",
                   {{"depth", std::int64_t{n}}, {"block", std::int64_t{0}}, {"rounds", std::string("lattice")}}),
           Fraction(4 * n), Fraction(5, 2));
    append(on_grid(square(n), "scatter_collect"), over_power(Fraction(4), -n) - Fraction(4),
           Fraction(2) - Fraction(2, nodes));
  }
  return free_at_costs("4 x 4, 8 x 8 and 16 x 16 meshes; " + of_some_sources(4), cases);
}

} // namespace

std::vector<Check> reduction_checks()
{
  const auto check = [](const std::string& name, const BroadcastCase& shown, std::function<Evidence()> measure) {
    return own_check(name, shown, check_command, std::move(measure));
  };
  const BroadcastCase lattice =
      on_grid({8, 8}, "truncated_recursion", {{"depth", std::int64_t{3}}, {"rounds", std::string("lattice")}});
  return {check("reduce_by_reversal", as_operation(lattice, "reduce"), reduces),
          check("all_reduce_by_reversal", as_operation(lattice, "all_reduce"), all_reduces)};
}

} // namespace wormcast::ours
