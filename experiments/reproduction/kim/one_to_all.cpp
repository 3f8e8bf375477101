#include "wormcast/algorithms/petersen/torus_broadcast.hpp"
#include "wormcast/algorithms/petersen/torus_plane.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/checks.hpp"
#include "wormcast/experiments/reproduction/kim/optimum.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <stdexcept>

namespace wormcast::kim {

namespace {

using Json = nlohmann::ordered_json;

// Algorithm 1 as the verifier sees it.
struct Total {
  PetersenTorusSize size;
  int p = 0;
  std::int64_t steps = 0;
  bool valid = false;
};

constexpr std::int64_t largest_side = 12;
constexpr const char* grid_text = "2 <= n <= m <= 12 for l = 2 and 3, and up to 400 modules for l = 4..6; all p";

// The planes m x n with m >= n.
std::vector<PetersenTorusSize> grid(std::int64_t l)
{
  std::vector<PetersenTorusSize> sizes;
  for (std::int64_t m = 2; m <= largest_side; ++m) {
    for (std::int64_t n = 2; n <= m; ++n) {
      if (l <= 3 || l * m * n <= 400) {
        sizes.push_back({l, m, n});
      }
    }
  }
  return sizes;
}

// [l, m, n, p, steps, valid] of all planes with l modules above each other.
Json measure_totals(std::int64_t l, PortModel ports)
{
  Json totals = Json::array();
  for (const PetersenTorusSize& size : grid(l)) {
    const auto torus = make_torus(size);
    for (int p = 0; p < 10; ++p) {
      const CheckReport report =
          check_schedule(*torus, schedule_of(algorithm_1(size, p, ports), *torus), {.max_violations = 1});
      totals.push_back({size.l, size.m, size.n, p, report.costs.alpha, report.valid() && report.contention_free});
    }
  }
  return totals;
}

std::vector<Total> read_totals(std::span<const Json> parts)
{
  std::vector<Total> totals;
  for (const Json& part : parts) {
    for (const Json& one : part) {
      totals.push_back({{one[0], one[1], one[2]}, one[3], one[4], one[5]});
    }
  }
  std::ranges::stable_sort(totals, {}, [](const Total& total) { return total.size.nodes(); });
  return totals;
}

// From the worst source, and with the planes' sizes as key.
struct Worst {
  Total total;
  std::int64_t bound = 0;
};
std::vector<Worst> worst_of(const std::vector<Total>& totals, PortModel ports)
{
  std::vector<Worst> worst;
  for (const Total& total : totals) {
    const auto same = [&](const Worst& one) {
      return one.total.size.l == total.size.l && one.total.size.m == total.size.m && one.total.size.n == total.size.n;
    };
    auto found = std::ranges::find_if(worst, same);
    if (found == worst.end()) {
      worst.push_back({total, petersen_torus_broadcast_bound(total.size, ports == mla)});
    } else if (total.steps > found->total.steps) {
      found->total = total;
    }
  }
  return worst;
}

ExhibitMatrix slack_matrix(const std::vector<Worst>& worst, PortModel ports, std::int64_t l)
{
  ExhibitMatrix matrix{.title = fmt::format("steps below the theorem, worst source, {}, l = {}", model_name(ports), l),
                       .x_label = "n, from 2",
                       .y_label = "m, from 2",
                       .y_up = false,
                       .values = {},
                       .labels = {},
                       .marked = {}};
  const auto side = static_cast<std::size_t>(largest_side - 1);
  matrix.values.assign(side, std::vector<std::string>(side));
  for (const auto& [total, bound] : worst) {
    if (total.size.l == l) {
      matrix.values[static_cast<std::size_t>(total.size.m - 2)][static_cast<std::size_t>(total.size.n - 2)] =
          fmt::to_string(bound - total.steps);
    }
  }
  return matrix;
}

ExhibitFigure square_figure(const std::vector<Worst>& worst, PortModel ports)
{
  ExhibitFigure figure{.title = fmt::format("one-to-all in 3PT(2, m, m), {}, worst source", model_name(ports)),
                       .x_label = "m = n (modules)",
                       .y_label = "steps",
                       .series = {{"algorithm 1", ExhibitSeries::Kind::measured, {}},
                                  {"the theorem's time", ExhibitSeries::Kind::predicted, {}},
                                  {"largest distance (lower bound)", ExhibitSeries::Kind::predicted, {}}},
                       .marks = {}};
  for (const auto& [total, bound] : worst) {
    if (total.size.l == 2 && total.size.m == total.size.n) {
      const std::string x = fmt::to_string(total.size.m);
      figure.series[0].points.push_back({x, fmt::to_string(total.steps)});
      figure.series[1].points.push_back({x, fmt::to_string(bound)});
      figure.series[2].points.push_back({x, fmt::to_string(diameter(*make_torus(total.size)))});
    }
  }
  return figure;
}

Evidence is_upper_bound(const std::vector<Total>& totals, PortModel ports)
{
  std::vector<Observation> observations;
  for (const Total& total : totals) {
    const std::int64_t bound = as_upper_bound(petersen_torus_broadcast_bound(total.size, ports == mla));
    observations.push_back({.what = fmt::format("{} from p = {}", text(total.size), total.p),
                            .expected = fmt::format("valid, at most {} steps", bound),
                            .found = fmt::format("{}, {} steps", total.valid ? "valid" : "not valid", total.steps),
                            .holds = total.valid && total.steps <= bound});
  }
  const std::vector<Worst> worst = worst_of(totals, ports);
  Evidence evidence = all_hold(grid_text, observations);
  evidence.matrices = {slack_matrix(worst, ports, 2), slack_matrix(worst, ports, 3)};
  evidence.figures = {square_figure(worst, ports)};
  return evidence;
}

// How many of the sizes meet the theorem's time, by kind of source.
ExhibitTable tightness(const std::vector<Total>& totals, PortModel ports)
{
  ExhibitTable table{
      .title = "sizes by how many steps the time is below the theorem's", .header = {"source", "sizes"}, .rows = {}};
  const auto kind = [](int p) { return p == 0 || p == 5 ? 0 : p == 1 || p == 4 || p == 6 || p == 9 ? 1 : 2; };
  std::array<std::map<std::int64_t, int>, 3> counts;
  for (const Total& total : totals) {
    if (total.p <= 2) {
      ++counts.at(static_cast<std::size_t>(
          kind(total.p)))[petersen_torus_broadcast_bound(total.size, ports == mla) - total.steps];
    }
  }
  const std::array names = {"p = 0, 5", "p = 1, 4, 6, 9", "p = 2, 3, 7, 8"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string text;
    for (const auto& [below, sizes] : counts.at(i)) {
      text += fmt::format("{}{} below: {}", text.empty() ? "" : ", ", below, sizes);
    }
    table.rows.push_back({names.at(i), text});
  }
  return table;
}

// The exact time: condition 1 (by p and l), condition 2, and steps 2 to 5, which depend on m and n alone.
class SumOfPhases {
public:
  explicit SumOfPhases(PortModel ports) : all_ports_(ports == mla) {}

  // Source module, planes, other modules, plane.
  std::array<std::int64_t, 4> of(const Total& total)
  {
    std::int64_t& plane = planes_[{total.size.m, total.size.n}];
    if (plane == 0) {
      plane = static_cast<std::int64_t>(petersen_torus_plane_steps(total.size.m, total.size.n, all_ports_).size());
    }
    const auto phases = petersen_torus_broadcast_phases(total.size.l, total.p, all_ports_);
    return {phases.source_module, phases.planes, phases.module_fill, plane};
  }

private:
  bool all_ports_ = false;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> planes_;
};

std::int64_t sum_of(const std::array<std::int64_t, 4>& phases)
{
  return std::accumulate(phases.begin(), phases.end(), std::int64_t{0});
}

Evidence is_sum_of_phases(const std::vector<Total>& totals, PortModel ports)
{
  SumOfPhases phases(ports);
  std::vector<Observation> observations;
  for (const Total& total : totals) {
    const std::array<std::int64_t, 4> parts = phases.of(total);
    observations.push_back({.what = fmt::format("{} from p = {}", text(total.size), total.p),
                            .expected = fmt::format("{} = {} steps", fmt::join(parts, " + "), sum_of(parts)),
                            .found = fmt::format("{} steps", total.steps),
                            .holds = total.valid && sum_of(parts) == total.steps});
  }
  return all_hold(grid_text, observations);
}

Evidence is_time(const std::vector<Total>& totals, PortModel ports)
{
  SumOfPhases phases(ports);
  std::vector<Observation> observations;
  for (const auto& [total, bound] : worst_of(totals, ports)) {
    const std::int64_t time = as_stated(bound, sum_of(phases.of(total)));
    observations.push_back(same_texts(fmt::format("{} from p = {}, the worst", text(total.size), total.p),
                                      fmt::format("{} steps", time), fmt::format("{} steps", total.steps)));
    if (observations.size() == 1) {
      const auto torus = make_torus(total.size);
      observations.back().schedule = schedule_json(schedule_of(algorithm_1(total.size, total.p, ports), *torus));
    }
  }
  Evidence evidence = corrected(all_hold(fmt::format("{}, worst source", grid_text), observations),
                                "it is an upper bound; the time is that of condition 1 (by p and l), of condition 2 "
                                "(3 or 2) and of steps 2 to 5 (by m and n alone)",
                                is_sum_of_phases(totals, ports));
  evidence.tables.push_back(tightness(totals, ports));
  return evidence;
}

Measurement over_grid(PortModel ports, const std::function<Evidence(const std::vector<Total>&, PortModel)>& judge)
{
  Measurement measurement;
  for (std::int64_t l = 2; l <= 6; ++l) {
    measurement.parts.emplace_back([=] { return measure_totals(l, ports); });
  }
  measurement.conclude = [=](std::span<const Json> parts) { return judge(read_totals(parts), ports); };
  return measurement;
}

Check over_grid_check(const std::string& name, PortModel ports,
                      const std::function<Evidence(const std::vector<Total>&, PortModel)>& judge)
{
  return {
      .name = name, .demonstration = checked(algorithm_1({2, 2, 2}, 2, ports)), .measurement = over_grid(ports, judge)};
}

} // namespace

std::vector<Check> one_to_all_theorem_checks()
{
  std::vector<Check> checks;
  for (const PortModel ports : {sla, mla}) {
    const std::string theorem = ports == sla ? "theorem_4" : "theorem_5";
    checks.push_back(over_grid_check(theorem + "_bound", ports, is_upper_bound));
    checks.push_back(over_grid_check(theorem + "_time", ports, is_time));
    checks.push_back(optimum_check(ports));
  }
  return checks;
}

} // namespace wormcast::kim
