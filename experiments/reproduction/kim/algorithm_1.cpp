#include "wormcast/algorithms/petersen/torus_broadcast.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast::kim {

namespace {

Evidence every_source(PortModel ports)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : {PetersenTorusSize{2, 2, 2}, {2, 3, 2}, {3, 2, 2}, {2, 2, 3}, {3, 3, 3}}) {
    const auto torus = make_torus(size);
    for (const BroadcastCase& one : from_every_source(algorithm_1(size, 0, ports))) {
      const auto at_origin = algorithm_1(size, static_cast<int>(one.source.back()), ports);
      const std::uint64_t steps = schedule_costs(*torus, schedule_of(at_origin, *torus)).alpha;
      observations.push_back(
          takes_steps(title(one), *torus, schedule_of(one, *torus), static_cast<std::int64_t>(steps)));
    }
  }
  return all_hold("every node of five small tori as source, with as many steps as from module (0, 0, 0)", observations);
}

Evidence exchanged(PortModel ports)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(10, 160)) {
    if (size.l > 3 || size.m >= size.n) {
      continue;
    }
    const PetersenTorusSize other{size.l, size.n, size.m};
    const auto torus = make_torus(size);
    const auto mirrored = make_torus(other);
    for (int p = 0; p < 10; ++p) {
      const int q = petersen_rho.at(static_cast<std::size_t>(p));
      const auto steps = schedule_costs(*mirrored, schedule_of(algorithm_1(other, q, ports), *mirrored)).alpha;
      observations.push_back(takes_steps(fmt::format("{} from p = {} as {} from p = {}", text(size), p, text(other), q),
                                         *torus, schedule_of(algorithm_1(size, p, ports), *torus),
                                         static_cast<std::int64_t>(steps)));
    }
  }
  return all_hold("m < n <= 10, l = 2 and 3", observations);
}

// The first step after which every node of a module has the message, and the first in which one gets it.
struct Arrival {
  std::uint32_t first = 0;
  std::uint32_t complete = 0;
};

std::vector<Arrival> arrivals(const Topology& topology, const Schedule& schedule)
{
  constexpr std::uint32_t never = ~0U;
  std::vector<std::uint32_t> known(topology.node_count(), never);
  known[index(schedule.source)] = 0;
  for (const Message& message : schedule.messages) {
    known[index(message.destination)] = std::min(known[index(message.destination)], message.step + 1);
  }
  std::vector<Arrival> modules(topology.node_count() / 10, {never, 0});
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    Arrival& module = modules[node / 10];
    module.first = std::min(module.first, known[node]);
    module.complete = std::max(module.complete, known[node]);
  }
  return modules;
}

Evidence figure_2()
{
  const PetersenTorusSize size{10, 10, 10};
  const auto torus = make_torus(size);
  BroadcastCase broadcast = algorithm_1(size, 2, sla);
  broadcast.source = {0, 4, 4, 2};
  const Schedule schedule = schedule_of(broadcast, *torus);
  const std::vector<Arrival> modules = arrivals(*torus, schedule);
  ExhibitMatrix matrix{.title = "3PT(10, 10, 10), SLA, modules (5, x, y): step of the first node (of all nodes)",
                       .x_label = "y",
                       .y_label = "x",
                       .y_up = false,
                       .values = {},
                       .labels = {},
                       .marked = {{4, 4}}};
  std::uint32_t last = 0;
  for (std::size_t x = 0; x < 10; ++x) {
    std::vector<std::string>& values = matrix.values.emplace_back();
    std::vector<std::string>& labels = matrix.labels.emplace_back();
    for (std::size_t y = 0; y < 10; ++y) {
      const Arrival& module = modules[(50 + x) * 10 + y];
      last = std::max(last, module.complete);
      values.push_back(fmt::to_string(module.complete));
      labels.push_back(fmt::format("{} ({})", module.first, module.complete));
    }
  }
  const std::int64_t bound = petersen_torus_broadcast_bound(size, false);
  Evidence instead =
      all_hold("source (0, 4, 4, 2), algorithm 1 with a barrier between its steps",
               {takes_steps("whole broadcast", *torus, schedule, bound),
                same_texts("last node of plane 5", fmt::format("step {}", bound), fmt::format("step {}", last))});
  instead.matrices.push_back(std::move(matrix));
  return not_testable("the figure and its numbers are not legible in the copies that exist", std::move(instead));
}

} // namespace

std::vector<Check> algorithm_1_checks()
{
  std::vector<Check> checks;
  for (const PortModel ports : {sla, mla}) {
    const bool single = ports == sla;
    checks.push_back(check_of(single ? "algorithm_1_sla" : "algorithm_1_mla", checked(algorithm_1({2, 2, 2}, 2, ports)),
                              [=] { return every_source(ports); }));
    checks.push_back(check_of(single ? "m_below_n_sla" : "m_below_n_mla", checked(algorithm_1({2, 2, 3}, 2, ports)),
                              [=] { return exchanged(ports); }));
  }
  checks.push_back(check_of("figure_2", checked(algorithm_1({10, 10, 10}, 2, sla)), figure_2));
  return checks;
}

} // namespace wormcast::kim
