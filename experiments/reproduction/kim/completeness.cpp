#include "wormcast/experiments/reproduction/kim/all_to_all.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace wormcast::kim {

namespace {

// What the verifier says of an all-to-all broadcast: what each node lacks.
struct Coverage {
  Schedule schedule;
  CheckReport report;
  std::uint64_t least = 0; // blocks that a node lacks
  std::uint64_t most = 0;
  std::string first; // of the first node that lacks any
};

Coverage coverage(const Topology& topology, const BroadcastCase& broadcast)
{
  Coverage result{.schedule = schedule_of(broadcast, topology), .report = {}, .first = {}};
  result.report = check_schedule(topology, result.schedule, {.max_violations = topology.node_count()});
  std::vector<std::uint64_t> missing(topology.node_count(), 0);
  for (const Violation& violation : result.report.violations) {
    if (violation.kind != ViolationKind::coverage) {
      continue;
    }
    for (const BlockRange range : violation.blocks) {
      missing[index(violation.nodes.front())] += range.end - range.begin;
    }
    if (result.first.empty()) {
      result.first = violation.text;
    }
  }
  result.least = std::ranges::min(missing);
  result.most = std::ranges::max(missing);
  return result;
}

std::string missing_text(const Coverage& coverage)
{
  return coverage.least == coverage.most ? fmt::format("every node lacks {}", coverage.least)
                                         : fmt::format("nodes lack {} to {}", coverage.least, coverage.most);
}

// Every node gets everything, in these steps and with these ports.
Observation is_complete(const PetersenTorusSize& size, PortModel ports, const std::string& variant, std::int64_t steps)
{
  const auto torus = make_torus(size);
  return takes_steps(fmt::format("{}, {} {}", text(size), model_name(ports), variant), *torus,
                     schedule_of(all_to_all(size, ports, variant), *torus), steps);
}

// Whose blocks node (0, 0, 0, 0) lacks: rows x, columns y, one matrix for each z.
std::vector<ExhibitMatrix> missing_at_origin(const PetersenTorusSize& size, PortModel ports)
{
  const auto torus = make_torus(size);
  const Coverage found = coverage(*torus, all_to_all(size, ports, "literal"));
  std::vector<int> lacks(static_cast<std::size_t>(size.nodes() / 10), 0);
  for (const Violation& violation : found.report.violations) {
    if (violation.kind == ViolationKind::coverage && violation.nodes.front() == NodeId{0}) {
      for (const BlockRange range : violation.blocks) {
        for (std::uint32_t block = range.begin; block < range.end; ++block) {
          ++lacks[block / 10];
        }
      }
    }
  }
  std::vector<ExhibitMatrix> matrices;
  for (std::int64_t z = 0; z < size.l; ++z) {
    ExhibitMatrix& matrix = matrices.emplace_back();
    matrix.title = fmt::format("{}: messages of module ({}, x, y) that node (0, 0, 0, 0) lacks", text(size), z);
    matrix.x_label = "y";
    matrix.y_label = "x";
    for (std::int64_t x = 0; x < size.m; ++x) {
      std::vector<std::string>& row = matrix.values.emplace_back();
      for (std::int64_t y = 0; y < size.n; ++y) {
        row.push_back(fmt::to_string(lacks[static_cast<std::size_t>((z * size.m + x) * size.n + y)]));
      }
    }
  }
  return matrices;
}

// The variant of the algorithm on these sizes: complete or not as claimed.
Evidence complete(const std::string& variant, const std::vector<PetersenTorusSize>& sizes, PortModel ports,
                  const std::function<bool(const PetersenTorusSize&)>& claimed, const std::string& summary)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : sizes) {
    const auto torus = make_torus(size);
    const Coverage found = coverage(*torus, all_to_all(size, ports, variant));
    const bool complete = claimed(size);
    observations.push_back({.what = text(size),
                            .expected = complete ? "every node gets every message" : "some messages are lacking",
                            .found = found.report.complete ? "complete"
                                                           : fmt::format("{} of {} messages; {}", missing_text(found),
                                                                         torus->node_count(), found.first),
                            .holds = found.report.complete == complete});
    if (!observations.back().holds && torus->node_count() <= 100) {
      observations.back().schedule = schedule_json(found.schedule);
    }
  }
  return all_hold(summary, observations);
}

// The paper's algorithm, or the one with the sends that it lacks.
std::string as_printed_or_fixed()
{
  return as_stated<std::string>("literal", "fixed");
}

bool always(const PetersenTorusSize& size)
{
  return size.l > 0;
}

// How much Algorithm 4 leaves out, and that the fixed one leaves out nothing in no more steps.
Evidence algorithm_4_repaired()
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_to_all_sizes()) {
    const auto torus = make_torus(size);
    const Coverage found = coverage(*torus, all_to_all(size, sla, "literal"));
    const std::int64_t lacking = 10 * (size.m + size.l - 3);
    observations.push_back({.what = fmt::format("{}, literal", text(size)),
                            .expected = fmt::format("every node lacks {}", lacking),
                            .found = missing_text(found),
                            .holds = missing_text(found) == fmt::format("every node lacks {}", lacking)});
    observations.push_back(is_complete(size, sla, "fixed", all_to_all_theorem(size, sla)));
  }
  return all_hold(fmt::format("{}, literal and fixed", all_to_all_sizes_text), observations);
}

Evidence algorithm_4_complete()
{
  Evidence evidence =
      corrected(complete(as_printed_or_fixed(), all_to_all_sizes(), sla, always, all_to_all_sizes_text),
                "every node lacks 10(m + l - 3) messages, since node 5 never gets its own row; with 4->0 beside the "
                "last 7->6 and 0->5 beside the first 6=>9 all arrive, in as many steps",
                algorithm_4_repaired());
  evidence.matrices = missing_at_origin({2, 2, 2}, sla);
  std::ranges::move(missing_at_origin({3, 3, 3}, sla), std::back_inserter(evidence.matrices));
  return evidence;
}

// Where the literal Algorithm 5 is complete, and the steps of those that are complete everywhere.
Evidence algorithm_5_repaired()
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_to_all_sizes()) {
    const std::int64_t odd = size.l % 2;
    observations.push_back(is_complete(size, mla, "fixed", all_to_all_theorem(size, mla) + odd));
    observations.push_back(is_complete(size, mla, "fixed2", all_to_all_theorem(size, mla) + odd - 1));
  }
  return all_hold(all_to_all_sizes_text, observations);
}

std::vector<PetersenTorusSize> of_parity(std::vector<PetersenTorusSize> sizes, std::int64_t parity)
{
  std::erase_if(sizes, [=](const PetersenTorusSize& size) {
    return size.l % 2 != parity || size.m % 2 != parity || size.n % 2 != parity;
  });
  return sizes;
}

Evidence algorithm_5_odd()
{
  Evidence evidence = corrected(
      complete(as_printed_or_fixed(), of_parity(all_sizes(5, 64), 1), mla, always,
               "odd l, m, n = 3 and 5 with up to 64 modules"),
      "nodes 6 and 9 hold one half of the row each before condition 2, and node 0 lacks the plane before condition 3; "
      "with these sends added all arrive in one step more for odd l (variant fixed), and with two steps of flooding as "
      "the last step in the claimed time (fixed2)",
      algorithm_5_repaired());
  evidence.matrices = missing_at_origin({3, 3, 3}, mla);
  return evidence;
}

} // namespace

std::vector<Check> completeness_checks()
{
  const auto literal = [](const PetersenTorusSize& size, PortModel ports) {
    return checked(all_to_all(size, ports, "literal"));
  };
  return {check_of("algorithm_4_complete", literal({2, 2, 2}, sla), algorithm_4_complete),
          check_of("algorithm_5_complete_even", literal({2, 2, 2}, mla),
                   [] {
                     return complete("literal", of_parity(all_sizes(6, 100), 0), mla, always,
                                     "even l, m, n = 2..6 with up to 100 modules");
                   }),
          check_of("algorithm_5_complete_odd", literal({3, 3, 3}, mla), algorithm_5_odd),
          check_of("algorithm_5_complete_mixed", literal({2, 3, 3}, mla), [] {
            return corrected(complete(as_printed_or_fixed(), all_to_all_sizes(), mla, always, all_to_all_sizes_text),
                             "complete if and only if l is even, and m or n is even",
                             complete(
                                 "literal", all_to_all_sizes(), mla,
                                 [](const PetersenTorusSize& size) {
                                   return size.l % 2 == 0 && (size.m % 2 == 0 || size.n % 2 == 0);
                                 },
                                 all_to_all_sizes_text));
          })};
}

} // namespace wormcast::kim
