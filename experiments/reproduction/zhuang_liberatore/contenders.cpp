#include "wormcast/experiments/reproduction/zhuang_liberatore/contenders.hpp"

#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"

#include <fmt/format.h>

namespace wormcast::zhuang_liberatore {

Fraction power_of_two(int exponent)
{
  return exponent < 0 ? one_over_power(-exponent) : Fraction(std::int64_t{1} << exponent);
}

CostLine line_of(const Fraction& alpha, const Fraction& beta)
{
  const NetworkParameters network = figure_network({});
  return {.fixed = ExactNumber(alpha.numerator(), alpha.denominator()) * network.startup.picoseconds,
          .per_byte = ExactNumber(beta.numerator(), beta.denominator()) * network.per_byte.picoseconds()};
}

namespace {

BroadcastCase simple_case(std::size_t dimensions, int n, const std::string& algorithm)
{
  return {.dims = square(n, dimensions), .algorithm = algorithm};
}

Contender partitioned(std::size_t dimensions, int n, bool doubles, int d, const Fraction& alpha, const Fraction& beta)
{
  const std::string inner = doubles ? "recursive_doubling" : "scatter_collect";
  return {.title = d == n ? fmt::format("NP-RD({0}) = NP-SC({0})", d)
                          : fmt::format("{}({})", doubles ? "NP-RD" : "NP-SC", d),
          .broadcast = {.dims = square(n, dimensions),
                        .algorithm = "network_partitioning",
                        .parameters = {{"inner", inner}, {"d", std::int64_t{d}}}},
          .alpha = alpha,
          .beta = beta};
}

/// Table 1, from the corner of a 2^n x 2^n mesh: RD and SC are NP-RD and NP-SC with d = 0, and both are the same for
/// d = n. SC's beta is not as printed (2 - 1/2^(2n)), but as NP-SC with d = 0 has it.
std::vector<Contender> table_1(int n)
{
  std::vector<Contender> all = {
      {"RB", simple_case(2, n, "recursion_based"), whole(3 * n), Fraction(5, 2) - power_of_two(1 - n)},
      {"RD", simple_case(2, n, "recursive_doubling"), whole(2 * n), whole(2 * n)},
      {"SC", simple_case(2, n, "scatter_collect"), whole(2 * n - 2) + power_of_two(n + 1),
       whole(2) - 2 * power_of_two(-2 * n)}};
  for (int d = 1; d <= n; ++d) {
    all.push_back(partitioned(2, n, true, d, whole(2 * n - 1) + power_of_two(d),
                              whole(2) + whole(2 * n - d - 2) * power_of_two(-d)));
  }
  for (int d = 1; d < n; ++d) {
    all.push_back(partitioned(2, n, false, d, whole(2 * n - 3) + power_of_two(n - d + 1) + power_of_two(d),
                              whole(2) + whole(d) * power_of_two(-d) - 2 * power_of_two(d - 2 * n)));
  }
  return all;
}

/// Section 7.2, the same in three dimensions. SC's alpha is not as printed (3n + 3*2^(n-3)), but as NP-SC with d = 0
/// has it.
std::vector<Contender> section_7(int n)
{
  std::vector<Contender> all = {{"RB", simple_case(3, n, "recursion_based"), whole(4 * n + 1),
                                 Fraction(5, 2) - power_of_two(-n) - power_of_two(-n - 1)},
                                {"RD", simple_case(3, n, "recursive_doubling"), whole(3 * n), whole(3 * n)},
                                {"SC", simple_case(3, n, "scatter_collect"), whole(3 * n - 3) + 3 * power_of_two(n),
                                 whole(2) - 2 * power_of_two(-3 * n)}};
  for (int d = 1; d <= n; ++d) {
    all.push_back(partitioned(3, n, true, d, whole(3 * n - 1) + power_of_two(d),
                              whole(2) + whole(3 * n - d - 2) * power_of_two(-d)));
  }
  for (int d = 1; d < n; ++d) {
    all.push_back(partitioned(3, n, false, d, whole(3 * n - 4) + 3 * power_of_two(n - d) + power_of_two(d),
                              whole(2) + whole(2 * d) * power_of_two(-d) - 2 * power_of_two(2 * d - 3 * n)));
  }
  return all;
}

} // namespace

std::vector<Contender> contenders(std::size_t dimensions, int n)
{
  return dimensions == 2 ? table_1(n) : section_7(n);
}

std::vector<LatencyCurve> published_lines(std::size_t dimensions)
{
  std::vector<LatencyCurve> curves;
  for (const Contender& contender : contenders(dimensions)) {
    curves.push_back(
        {.title = contender.title, .line = line_of(contender.alpha, contender.beta), .measured = {}, .predicted = {}});
  }
  return curves;
}

std::vector<LatencyCurve> checked_lines(std::size_t dimensions)
{
  for (const Contender& contender : contenders(dimensions, dimensions == 2 ? figure_exponent : 2)) {
    const CheckReport report = check(contender.broadcast);
    if (!report.valid() || !report.contention_free ||
        Fraction(static_cast<std::int64_t>(report.costs.alpha)) != contender.alpha ||
        report.costs.beta != contender.beta) {
      throw std::logic_error(fmt::format("{} has no schedule with the published costs", title(contender.broadcast)));
    }
  }
  return published_lines(dimensions);
}

std::vector<LatencyCurve> checked_lines_with_startups()
{
  std::vector<LatencyCurve> curves = checked_lines(2);
  for (LatencyCurve& curve : curves) {
    curve.line.fixed = as_measured(curve.line.fixed, ExactNumber(curve.line.fixed / 10));
  }
  return curves;
}

} // namespace wormcast::zhuang_liberatore
