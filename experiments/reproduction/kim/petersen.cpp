#include "wormcast/algorithms/verifier/broadcast_bounds.hpp"
#include "wormcast/algorithms/verifier/combining_volume.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/claims.hpp"

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
    observations.push_back({.what = fmt::format("from {}, lower bound", p),
                            .expected = fmt::format("{} steps", steps),
                            .found = fmt::format("{} steps", bound),
                            .holds = bound == steps});
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

// That no schedule takes fewer steps than `claimed` fails where this variant does.
Evidence fewest_steps(PortModel ports, const std::vector<std::string>& variants, std::int64_t claimed)
{
  const auto petersen = petersen_graph();
  std::vector<Observation> observations;
  for (const std::string& variant : variants) {
    const Schedule schedule = petersen_schedule(*petersen, "petersen_all_to_all", ports, variant);
    const CheckReport report = check_schedule(*petersen, schedule);
    const auto steps = static_cast<std::int64_t>(report.costs.alpha);
    Observation observation{.what = fmt::format("variant {}, {}", variant, model_name(ports)),
                            .expected = fmt::format("not valid, or at least {} steps", claimed),
                            .found = fmt::format("{}, {} steps", report.valid() ? "valid" : "not valid", steps),
                            .holds = !report.valid() || steps >= claimed};
    if (!observation.holds) {
      observation.schedule = schedule_json(schedule);
    }
    observations.push_back(std::move(observation));
  }
  return all_hold("schedules of all variants", observations);
}

Evidence bound_is(PortModel ports, std::int64_t steps)
{
  const auto petersen = petersen_graph();
  std::uint32_t bound = growth_bound_steps(*petersen, NodeId{0}, ports);
  for (std::uint32_t to = 0; to < 10; ++to) {
    bound = std::max(bound, petersen->distance(NodeId{0}, NodeId{to}));
  }
  return all_hold("the lower bound is as many", {{.what = "lower bound",
                                                  .expected = fmt::format("{} steps", steps),
                                                  .found = fmt::format("{} steps", bound),
                                                  .holds = bound == steps}});
}

Evidence both(Evidence first, const Evidence& second)
{
  if (second.verdict != Verdict::confirmed) {
    return second;
  }
  first.measured += "; " + second.measured;
  return first;
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
  return corrected(unit_times({{sla, "paper", 6}, {mla, "paper", 3}}),
                   "algorithm 2 takes 14 and algorithm 3 takes 7; the lower bounds, 9 packets through one link and "
                   "through three, are met by algorithm 2 with steps 2 and 3 at once (9) and by flooding (3)",
                   unit_times({{sla, "paper", 14}, {mla, "paper", 7}, {sla, "merged", 9}, {mla, "flooding", 3}}));
}

Claim lemma_6_optimum(PortModel ports, std::int64_t claimed, const std::vector<std::string>& variants,
                      const std::string& best, std::int64_t steps)
{
  Claim one = refuted(claim(
      ports == sla ? "lemma_6_sla_optimum" : "lemma_6_mla_optimum", "section 4, lemma 6",
      fmt::format("The all-to-all broadcasting time of the Petersen graph is {} under the {} model", claimed,
                  model_name(ports)),
      fmt::format("no schedule takes fewer than {} steps", claimed),
      {petersen_config("petersen_all_to_all", ports, fmt::format("variant = \"{}\"\n", best)), check_command}, [=] {
        return corrected(fewest_steps(ports, variants, claimed),
                         fmt::format("{} steps are enough (variant {}) and necessary", steps, best),
                         both(all_to_all_steps(ports, best, steps), bound_is(ports, steps)));
      }));
  one.reading = "the lemma read as a statement on the graph, with messages that combine, not on the algorithm";
  return one;
}

} // namespace

std::vector<Claim> petersen_claims()
{
  std::vector<Claim> claims;
  for (const auto& [ports, steps] : {std::pair{sla, 4}, std::pair{mla, 2}}) {
    const std::string name = ports == sla ? "lemma_3_sla" : "lemma_3_mla";
    claims.push_back(claim(name, "section 3, lemma 3",
                           fmt::format("The one-to-all broadcasting time of the Petersen graph is {} in the {} model",
                                       steps, model_name(ports)),
                           fmt::format("{} steps from every node, and no fewer", steps),
                           {petersen_config("petersen_broadcast", ports, "source = 8\n"), check_command},
                           [ports, steps] { return lemma_3(ports, steps); }));
  }
  for (const auto& [ports, steps] : {std::pair{sla, 6}, std::pair{mla, 3}}) {
    const int number = ports == sla ? 2 : 3;
    Claim one =
        claim(ports == sla ? "lemma_6_sla" : "lemma_6_mla", fmt::format("section 4, algorithm {}, lemma 6", number),
              fmt::format("Algorithm {} is an all-to-all broadcast in {} steps under the {} model", number, steps,
                          model_name(ports)),
              fmt::format("{} steps", steps),
              {petersen_config("petersen_all_to_all", ports, "variant = \"paper\"\n"), check_command},
              [ports, steps] { return all_to_all_steps(ports, "paper", steps); });
    one.reading = "the lemma read as the time of the algorithm, with messages that combine: a send carries all that "
                  "its node knows";
    claims.push_back(std::move(one));
  }
  claims.push_back(lemma_6_optimum(sla, 6, {"paper", "merged", "optimal"}, "optimal", 4));
  claims.push_back(lemma_6_optimum(mla, 3, {"paper", "flooding"}, "flooding", 2));
  Claim packets = refuted(claim("lemma_6_packets", "section 4, lemma 6",
                                "The all-to-all broadcasting time of the Petersen graph is 6 (SLA) and 3 (MLA)",
                                "6 and 3 packet times",
                                {petersen_config("petersen_all_to_all", sla, ""), check_command}, packets_one_by_one));
  packets.reading = "messages do not combine for free: a link carries one node's packet per unit of time";
  claims.push_back(std::move(packets));
  return claims;
}

} // namespace wormcast::kim
