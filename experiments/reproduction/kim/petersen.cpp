#include "wormcast/algorithms/verifier/broadcast_bounds.hpp"
#include "wormcast/algorithms/verifier/combining_volume.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wormcast::kim {

namespace {

constexpr const char* check_command = "wormcast check CONFIG";

// From every node the schedule takes `steps`, and no schedule takes fewer.
Evidence lemma_3(PortModel ports, std::int64_t steps)
{
  const auto petersen = petersen_graph();
  std::vector<Observation> observations;
  for (int p = 0; p < 10; ++p) {
    const NodeId source{static_cast<std::uint32_t>(p)};
    observations.push_back(takes_steps(fmt::format("from {}, {}", p, model_name(ports)), *petersen,
                                       petersen_schedule(*petersen, "petersen_broadcast", ports, "", p), steps));
    std::uint32_t bound = growth_bound_steps(*petersen, source, ports);
    for (std::uint32_t to = 0; to < 10; ++to) {
      bound = std::max(bound, petersen->distance(source, NodeId{to}));
    }
    observations.push_back(same_texts(fmt::format("from {}, lower bound", p),
                                      fmt::format("{} steps", as_claimed(steps)), fmt::format("{} steps", bound)));
  }
  return all_hold(
      "every source; the bound is the larger of the growth of the number of informed nodes and the distance",
      observations);
}

Evidence all_to_all_steps(PortModel ports, const std::string& variant, std::int64_t steps)
{
  const auto petersen = petersen_graph();
  return all_hold(fmt::format("variant {}, {}", variant, model_name(ports)),
                  {takes_steps(fmt::format("variant {}, {}", variant, model_name(ports)), *petersen,
                               petersen_schedule(*petersen, "petersen_all_to_all", ports, variant), steps)});
}

Observation bound_is(PortModel ports, std::int64_t steps)
{
  const auto petersen = petersen_graph();
  std::uint32_t bound = growth_bound_steps(*petersen, NodeId{0}, ports);
  for (std::uint32_t to = 0; to < 10; ++to) {
    bound = std::max(bound, petersen->distance(NodeId{0}, NodeId{to}));
  }
  return same_texts(fmt::format("lower bound, {}", model_name(ports)), fmt::format("{} steps", as_claimed(steps)),
                    fmt::format("{} steps", bound));
}

// Steps of a variant of the algorithm for these ports.
struct VariantSteps {
  std::string variant;
  std::int64_t steps = 0;
};

// The first variant is the shortest, and no schedule is shorter.
Evidence fewest_steps(PortModel ports, const std::vector<VariantSteps>& variants)
{
  const auto petersen = petersen_graph();
  std::vector<Observation> observations;
  for (const auto& [variant, steps] : variants) {
    observations.push_back(takes_steps(fmt::format("variant {}, {}", variant, model_name(ports)), *petersen,
                                       petersen_schedule(*petersen, "petersen_all_to_all", ports, variant), steps));
  }
  observations.push_back(bound_is(ports, variants.front().steps));
  return all_hold("all variants; the bound is the larger of the growth of what a node knows and the distance",
                  observations);
}

struct UnitTime {
  PortModel ports;
  std::string variant;
  std::uint64_t time = 0;
};

// The sum over the steps of the most new packets that a link carries.
Evidence unit_times(const std::vector<UnitTime>& expected)
{
  const auto petersen = petersen_graph();
  std::vector<Observation> observations;
  ExhibitTable table{.title = "packets that a send brings, largest of each step",
                     .header = {"variant", "model", "packets", "sum", "all sends"},
                     .rows = {}};
  for (const UnitTime& one : expected) {
    const Schedule schedule = petersen_schedule(*petersen, "petersen_all_to_all", one.ports, one.variant);
    const CombiningVolume volume = combining_volume(schedule, 10);
    const bool valid = check_schedule(*petersen, schedule).valid();
    observations.push_back({.what = fmt::format("variant {}, {}", one.variant, model_name(one.ports)),
                            .expected = fmt::format("{} packet times", one.time),
                            .found = fmt::format("{} packet times", volume.unit_time),
                            .holds = valid && volume.unit_time == one.time});
    table.rows.push_back({one.variant, model_name(one.ports), fmt::format("{}", fmt::join(volume.largest_new, ", ")),
                          fmt::to_string(volume.unit_time), fmt::to_string(volume.total_new)});
  }
  Evidence evidence =
      all_hold("a link carries one packet per unit of time; only packets new to the receiver are sent", observations);
  evidence.tables.push_back(std::move(table));
  return evidence;
}

Evidence packets_one_by_one()
{
  return unit_times({{sla, "paper", 14}, {mla, "paper", 7}, {sla, "merged", 9}, {mla, "flooding", 3}});
}

} // namespace

std::vector<Check> petersen_checks()
{
  std::vector<Check> checks;
  for (const auto& [ports, steps] : {std::pair{sla, 4}, std::pair{mla, 2}}) {
    checks.push_back(check_of(ports == sla ? "lemma_3_sla" : "lemma_3_mla",
                              {petersen_config("petersen_broadcast", ports, "source = 8\n"), check_command},
                              [ports, steps] { return lemma_3(ports, steps); }));
  }
  for (const auto& [ports, steps] : {std::pair{sla, 6}, std::pair{mla, 3}}) {
    checks.push_back(check_of(ports == sla ? "lemma_6_sla" : "lemma_6_mla",
                              {petersen_config("petersen_all_to_all", ports, "variant = \"paper\"\n"), check_command},
                              [ports, steps] { return all_to_all_steps(ports, "paper", steps); }));
  }
  checks.push_back(check_of("lemma_6_sla_optimum",
                            {petersen_config("petersen_all_to_all", sla, "variant = \"optimal\"\n"), check_command},
                            [] { return fewest_steps(sla, {{"optimal", 4}, {"merged", 5}, {"paper", 6}}); }));
  checks.push_back(check_of("lemma_6_mla_optimum",
                            {petersen_config("petersen_all_to_all", mla, "variant = \"flooding\"\n"), check_command},
                            [] { return fewest_steps(mla, {{"flooding", 2}, {"paper", 3}}); }));
  checks.push_back(check_of("lemma_6_packets", {petersen_config("petersen_all_to_all", sla, ""), check_command},
                            packets_one_by_one));
  return checks;
}

} // namespace wormcast::kim
