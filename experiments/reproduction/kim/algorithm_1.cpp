#include "wormcast/algorithms/petersen/torus_broadcast.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/claims.hpp"

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

// A case of the proofs of theorems 4 and 5: what it adds up, without condition 1's part for the planes.
struct ProofCase {
  int number = 1;
  int parts = 0;   // constant parts: conditions 1 and 2, modules on the way, destination module
  int printed = 0; // the constant of the sum, for odd l
};

// Conditions 1 and 2 and the destination module, then one and two modules on the way.
const std::vector<ProofCase> cases_of_theorem_4 = {
    {1, 3 + 3 + 4, 9}, {2, 3 + 3 + 4 + 4, 12}, {3, 3 + 3 + 4 + 4 + 4, 15}};
const std::vector<ProofCase> cases_of_theorem_5 = {{1, 2 + 2 + 2, 5}, {2, 2 + 2 + 2 + 2, 6}, {3, 2 + 2 + 2 + 2 + 2, 7}};

Evidence proof_cases(const std::vector<ProofCase>& cases)
{
  std::vector<Observation> observations;
  for (const ProofCase& one : cases) {
    for (std::int64_t l = 2; l <= 12; ++l) {
      for (std::int64_t m = std::max(2, 2 * one.number); m <= 24; ++m) {
        const std::int64_t half = m / 2;
        const std::int64_t planes = l % 2 == 1 ? l / 2 + l / 2 : l / 2 + l / 2 - 1;
        const std::int64_t sum = planes + one.parts + half + (half - one.number);
        const std::int64_t printed = l % 2 == 1 ? 2 * (l / 2) + 2 * half + one.printed : l + 2 * half + one.printed - 1;
        observations.push_back({.what = fmt::format("case {}, l = {}, m = {}", one.number, l, m),
                                .expected = fmt::to_string(printed),
                                .found = fmt::to_string(sum),
                                .holds = sum == printed});
      }
    }
  }
  Evidence evidence = all_hold("sums of the parts for l = 2..12, m = 2k..24 in case k", observations);
  evidence.correction = "case 2 supposes floor(m/2) >= 2 and case 3 floor(m/2) >= 3: below, its part floor(m/2) - 2 or "
                        "floor(m/2) - 3 is negative, so the theorem's time needs m >= 6";
  return evidence;
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
  Evidence evidence = all_hold("source (0, 4, 4, 2)", {takes_steps("whole broadcast", *torus, schedule, bound),
                                                       {.what = "last node of plane 5",
                                                        .expected = fmt::format("step {}", bound),
                                                        .found = fmt::format("step {}", last),
                                                        .holds = last == bound}});
  evidence.matrices.push_back(std::move(matrix));
  return evidence;
}

} // namespace

std::vector<Claim> algorithm_1_claims()
{
  std::vector<Claim> claims;
  for (const PortModel ports : {sla, mla}) {
    const bool single = ports == sla;
    const std::string model = model_name(ports);
    claims.push_back(claim(single ? "algorithm_1_sla" : "algorithm_1_mla", "section 3, algorithm 1",
                           fmt::format("Algorithm 1 reaches all nodes from any node, {}", model),
                           "valid, the same number of steps from every module",
                           checked(algorithm_1({2, 2, 2}, 2, ports)), [=] { return every_source(ports); }));
    claims.back().reading = algorithm_1_reading;
    claims.push_back(claim(single ? "m_below_n_sla" : "m_below_n_mla", "section 3",
                           fmt::format("The results for m < n are very similar to those for m >= n, {}", model),
                           "the same time with m and n exchanged (printed: m >= n and n < m)",
                           checked(algorithm_1({2, 2, 3}, 2, ports)), [=] { return exchanged(ports); }));
    claims.back().slow = true;
    claims.push_back(
        claim(single ? "theorem_4_cases" : "theorem_5_cases",
              single ? "section 3, theorem 4, proof" : "section 3, theorem 5, proof",
              "The times of cases 1 to 3 are the sums of their parts",
              single ? "+ 9, + 12, + 15 (odd l), one less for even l" : "+ 5, + 6, + 7 (odd l), one less for even l",
              {}, [single] { return proof_cases(single ? cases_of_theorem_4 : cases_of_theorem_5); }));
  }
  claims.push_back(claim("figure_2", "section 3, figure 2",
                         "Arrival times in the modules of plane 5 of 3PT(10, 10, 10) under the SLA model",
                         "the last node at the time of theorem 4", checked(algorithm_1({10, 10, 10}, 2, sla)),
                         figure_2));
  claims.back().reading = algorithm_1_reading;
  claims.back().reading += "; the figure's numbers are not in the text, those shown here are of this reading";
  return claims;
}

} // namespace wormcast::kim
