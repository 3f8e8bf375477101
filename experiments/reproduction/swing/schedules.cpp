#include "wormcast/algorithms/verifier/schedule_bounds.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/swing/cases.hpp"
#include "wormcast/experiments/reproduction/swing/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace wormcast::swing {

namespace {

/// A schedule with what the verifier says about it; a message is a byte for each block.
struct Checked {
  std::shared_ptr<const Topology> topology;
  Schedule schedule;
  CheckReport report;
};

Checked checked(const BroadcastCase& broadcast)
{
  Checked all{.topology = topology_of(broadcast), .schedule = {}, .report = {}};
  all.schedule = schedule_of(broadcast, *all.topology);
  all.report = check_schedule(*all.topology, all.schedule, {.max_violations = 1});
  return all;
}

Fraction dimensions(const Sides& sides)
{
  return Fraction(static_cast<std::int64_t>(sides.size()));
}

/// The loads of the links in units of n/D: Xi as the paper counts it.
Fraction xi_of(const CheckReport& report, const Sides& sides)
{
  return report.costs.fair_beta * dimensions(sides);
}

Evidence third_step()
{
  std::vector<Observation> observations;
  for (const auto& [algorithm, claimed] : {std::pair{"torus_doubling", 4}, std::pair{"swing", 2}}) {
    const Checked one = checked(with_one_port(on_torus({16}, algorithm, "latency")));
    observations.push_back(fraction_is(fmt::format("{}, third step", algorithm), Fraction(claimed),
                                       Fraction(static_cast<std::int64_t>(one.report.costs.load_by_step.at(2)),
                                                static_cast<std::int64_t>(one.schedule.message_bytes))));
  }
  return all_hold("messages on the most loaded link of a ring of 16", observations);
}

Evidence bytes_of_halves()
{
  std::vector<CostCase> cases;
  for (const Sides& sides : {Sides{8}, Sides{16}, Sides{4, 4}, Sides{8, 8}, Sides{4, 4, 4}}) {
    cases.push_back(
        {on_torus(sides, "swing"), std::nullopt, (Fraction(1) - Fraction(1, nodes(sides))) / dimensions(sides)});
  }
  return costs_equal("the greatest messages of both halves add up to (1 - 1/N)/D of the vector on each port", cases);
}

Evidence even_sizes()
{
  std::vector<Observation> observations;
  for (const Sides& sides : {Sides{6}, Sides{10}, Sides{12}, Sides{14}, Sides{6, 6}}) {
    const Checked one = checked(on_torus(sides, "swing"));
    Sides next;
    for (const std::int64_t side : sides) {
      next.push_back(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(side))));
    }
    const Fraction found = xi_of(one.report, sides);
    const Fraction bound = as_stated(swing_load(next), found);
    const Fraction bytes = (Fraction(1) - Fraction(1, nodes(sides))) / dimensions(sides);
    observations.push_back(
        {.what = fmt::format("torus {} against {}", sides_text(sides), sides_text(next)),
         .expected = fmt::format("Xi at most {}", format_fraction(bound)),
         .found = fmt::format("Xi {}, beta {}", format_fraction(found), format_fraction(one.report.costs.beta)),
         .holds = one.report.complete && one.report.counted_once && found <= bound && one.report.costs.beta >= bytes});
  }
  return all_hold("Xi of sizes that are no powers of two against the next power", observations);
}

/// Most bytes that a node sends in the whole run, as a fraction of the vector.
Fraction most_sent(const Checked& one)
{
  std::vector<std::int64_t> sent(one.topology->node_count(), 0);
  for (const Message& message : one.schedule.messages) {
    sent[index(message.source)] += static_cast<std::int64_t>(one.schedule.block_sets.size(message.blocks));
  }
  return {std::ranges::max(sent), static_cast<std::int64_t>(one.schedule.blocks)};
}

Evidence odd_sizes()
{
  std::vector<Observation> slots;
  std::vector<Observation> bytes;
  for (std::int64_t size = 5; size <= 17; size += 2) {
    std::int64_t served = size - 1;
    bool whole = true;
    for (std::int64_t left = size - 1; left > 1; left /= 2) {
      whole = whole && left % 2 == 0;
      served = left / 2;
    }
    slots.push_back({.what = fmt::format("ring of {}", size),
                     .expected = "(p - 1)/2^s whole in every step",
                     .found = whole ? "whole" : fmt::format("not whole, {} at last", served),
                     .holds = whole});
    const Checked one = checked(on_torus({size}, "swing"));
    Observation sent = fraction_is(fmt::format("ring of {}", size), Fraction(2 * (size - 1), size), most_sent(one));
    sent.found += fmt::format(", Xi {}", format_fraction(xi_of(one.report, {size})));
    sent.holds = sent.holds && one.report.complete && one.report.counted_once;
    bytes.push_back(sent);
  }
  return by_reading(
      {{"the numbers of nodes that are served in a step", all_hold("rings of 5 to 17", slots)},
       {"bytes that a node sends, at most 1/p more than none",
        all_hold("every node sends 2(p - 1)/p of the vector and no more; what it costs is in Xi", bytes)}});
}

Evidence different_ports()
{
  std::vector<Observation> observations;
  for (const Sides& sides : {Sides{4, 4}, Sides{8, 8}, Sides{4, 4, 4}}) {
    const Checked one = checked(on_torus(sides, "swing"));
    const auto all = static_cast<std::int64_t>(2 * sides.size());
    const auto steps = static_cast<std::int64_t>(one.report.costs.alpha);
    const Fraction each(static_cast<std::int64_t>(one.schedule.messages.size()), steps * nodes(sides));
    Observation ports = fraction_is(sides_text(sides), Fraction(all), each);
    ports.holds = ports.holds && one.report.valid();
    ports.what += ": messages of a node and step, each on a port of its own";
    observations.push_back(ports);
  }
  const Checked rectangle = checked(on_torus({4, 8}, "swing"));
  Evidence evidence = all_hold("squares and cubes", observations);
  evidence.correction = fmt::format("on rectangles only until the short side is done: 4 x 8 {}",
                                    rectangle.report.ports ? "keeps its ports all the same"
                                                           : "asks a port for several messages in a step");
  return evidence;
}

Evidence bandwidth_term()
{
  std::vector<Observation> claimed;
  std::vector<Observation> meant;
  for (const Sides& sides : {Sides{4, 4}, Sides{8, 8}, Sides{4, 4, 4}}) {
    const Fraction found = checked(on_torus(sides, "swing")).report.costs.fair_beta;
    const Fraction whole = swing_load(sides) / dimensions(sides);
    const Fraction stated = as_stated(whole / 2, whole);
    claimed.push_back({.what = sides_text(sides),
                       .expected = format_fraction(stated),
                       .found = format_fraction(found),
                       .holds = stated == found});
    meant.push_back(same_texts(sides_text(sides), format_fraction(whole), format_fraction(found)));
  }
  return misprinted(all_hold("loads of the links of an all_reduce, in vectors", claimed),
                    "the printed term is that of one half, reduce_scatter or all_gather: twice as much",
                    all_hold("loads of the links", meant));
}

Evidence latency_bounds()
{
  std::vector<Observation> observations;
  const Fraction more = as_measured(Fraction(1), Fraction(3));
  for (const Sides& sides : {Sides{8}, Sides{8, 8}, Sides{16, 16}, Sides{4, 4, 4}}) {
    const Fraction swing =
        checked(on_torus(sides, "swing", "latency")).report.costs.fair_beta * 2 * dimensions(sides) * more;
    const Fraction doubling =
        checked(with_one_port(on_torus(sides, "torus_doubling", "latency"))).report.costs.fair_beta * more;
    const Fraction bound = dimensions(sides) * sides.front();
    observations.push_back(
        {.what = sides_text(sides),
         .expected = fmt::format("swing at most {}, recursive doubling at most {}",
                                 format_fraction(bound * Fraction(4, 3)), format_fraction(bound * 2)),
         .found = fmt::format("{}, {}", format_fraction(swing), format_fraction(doubling)),
         .holds = swing <= bound * Fraction(4, 3) && doubling <= bound * 2});
  }
  return all_hold("sums of the distances, which are about half of the bounds", observations);
}

Evidence products()
{
  std::vector<Observation> observations;
  const Sides sides = {8, 8};
  const auto observe = [&](const std::string& what, std::int64_t stated, const BroadcastCase& broadcast) {
    const Fraction found = xi_of(checked(broadcast).report, sides);
    const Fraction claimed = as_stated(Fraction(stated), found);
    observations.push_back({.what = what,
                            .expected = fmt::format("{} n/D", format_fraction(claimed)),
                            .found = fmt::format("{} n/D", format_fraction(found)),
                            .holds = claimed == found});
  };
  observe("8 x 8, recursive doubling (L), one port: 12 * 32", 384,
          with_one_port(on_torus(sides, "torus_doubling", "latency")));
  observe("8 x 8, swing (L): 12 * 64/3", 256, on_torus(sides, "swing", "latency"));
  return all_hold("the sum over the steps is in both factors", observations);
}

Evidence doubling_limit()
{
  std::vector<Observation> observations;
  for (const std::int64_t side : {4, 8, 16}) {
    const Fraction found = checked(with_one_port(on_torus({side, side}, "torus_doubling"))).report.costs.fair_beta / 2;
    observations.push_back(
        fraction_is(sides_text({side, side}), Fraction(3, 2) * (Fraction(1) - Fraction(1, side)), found));
    observations.back().what += ": 3/2 (1 - 1/side)";
  }
  return all_hold("loads of the links with one port over 2", observations);
}

Evidence bucket_on_rectangles()
{
  std::vector<Observation> observations;
  for (const Sides& sides : {Sides{4, 8}, Sides{4, 16}, Sides{8, 16}}) {
    const Fraction found = checked(on_torus(sides, "bucket", "")).report.costs.busiest_channel * 2;
    const Fraction stated = as_stated(Fraction(1) - Fraction(1, nodes(sides)), bucket_load(sides));
    observations.push_back({.what = sides_text(sides),
                            .expected = fmt::format("{} n/D", format_fraction(stated)),
                            .found = fmt::format("{} n/D", format_fraction(found)),
                            .holds = stated == found});
  }
  return all_hold("the busiest link of the whole run: (1 - 1/A)(1 + 1/B), A the long side", observations);
}

Evidence bucket_latency()
{
  std::vector<Observation> observations;
  for (const Sides& sides : {Sides{4, 8}, Sides{4, 16}, Sides{8, 16}, Sides{8, 8}, Sides{4, 4, 4}}) {
    const Checked one = checked(on_torus(sides, "bucket", ""));
    observations.push_back(fraction_is(sides_text(sides), Fraction(bucket_steps(sides)),
                                       Fraction(static_cast<std::int64_t>(one.report.costs.alpha))));
  }
  return all_hold("steps: 2D(dmax - 1)", observations);
}

Evidence rings_everywhere()
{
  std::vector<Observation> observations;
  for (const Sides& sides :
       {Sides{4, 4}, Sides{3, 5}, Sides{6, 4}, Sides{5, 7}, Sides{3, 3, 3}, Sides{3, 4, 5}, Sides{3, 3, 3, 3}}) {
    const std::int64_t rows = sides[0];
    const std::int64_t columns = sides.back();
    const bool by_paper = sides.size() == 2 && rows % columns == 0 && std::gcd(rows, columns - 1) == 1;
    const Checked one = checked(on_torus(sides, "hamiltonian_rings", ""));
    const bool found = one.report.valid() && one.report.contention_free;
    const bool stated = as_stated(by_paper, true);
    observations.push_back({.what = sides_text(sides),
                            .expected = stated ? "rings" : "no rings",
                            .found = found ? "rings, valid and free of contention" : "no rings",
                            .holds = found == stated});
  }
  return all_hold("disjoint Hamiltonian rings in every direction", observations);
}

Evidence fewest_steps()
{
  std::vector<Observation> observations;
  for (const Sides& sides : {Sides{9}, Sides{9, 9}, Sides{3, 3, 3}}) {
    const Checked one = checked(on_torus(sides, "trivance", "latency"));
    const BroadcastBounds bounds = reduction_bounds(*one.topology, one.schedule.operation, one.schedule.ports);
    const auto doubling = static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(nodes(sides) - 1)));
    const std::uint64_t stated = as_stated(doubling, std::uint64_t{bounds.steps});
    observations.push_back(
        {.what = sides_text(sides),
         .expected = fmt::format("at least {} steps", stated),
         .found = fmt::format("{} steps by trivance, bound {}", one.report.costs.alpha, bounds.steps),
         .holds = one.report.complete && one.report.costs.alpha >= stated});
  }
  return all_hold("with 2D ports a node informs 2D others in a step", observations);
}

Evidence better_than_doubling()
{
  std::vector<Observation> observations;
  for (const Sides& sides : {Sides{8}, Sides{16}, Sides{8, 8}, Sides{4, 8}, Sides{16, 16}, Sides{4, 4, 4}}) {
    for (const std::string variant : {"bandwidth", "latency"}) {
      const CheckReport swing = checked(on_torus(sides, "swing", variant)).report;
      const CheckReport doubling = checked(on_torus(sides, "torus_doubling", variant)).report;
      observations.push_back(
          {.what = fmt::format("{}, {}", sides_text(sides), variant),
           .expected = "loads and hops below those of mirrored recursive doubling",
           .found =
               fmt::format("loads {} : {}, hops {} : {}", format_fraction(swing.costs.fair_beta),
                           format_fraction(doubling.costs.fair_beta), swing.costs.step_hops, doubling.costs.step_hops),
           .holds = swing.complete && doubling.complete && swing.counted_once &&
                    swing.costs.fair_beta < doubling.costs.fair_beta &&
                    swing.costs.step_hops < doubling.costs.step_hops});
    }
  }
  return all_hold("sums over the steps of both, complete and counted once", observations);
}

/// Coordinates in which source and destination differ.
std::vector<std::size_t> changed(const Topology& topology, const Message& message)
{
  const std::vector<std::int64_t> from = topology.coordinates(message.source);
  const std::vector<std::int64_t> to = topology.coordinates(message.destination);
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != to[i]) {
      all.push_back(i);
    }
  }
  return all;
}

Evidence last_step_of_2x4()
{
  const Checked one = checked(on_torus({2, 4}, "swing"));
  std::int64_t along = 0;
  std::int64_t across = 0;
  for (const Message& message : one.schedule.messages) {
    if (message.step == 2) {
      (changed(*one.topology, message) == std::vector<std::size_t>{1} ? along : across) += 1;
    }
  }
  return all_hold(
      "2 x 4, messages of the last step of reduce_scatter; the mirrored collectives need a second link "
      "between two nodes, which a side of 2 has only if it is drawn so",
      {fraction_is("along the long side", Fraction(32), Fraction(along)),
       {.what = "along the short side", .expected = "0", .found = fmt::format("{}", across), .holds = across == 0}});
}

Evidence straight()
{
  std::vector<Observation> observations;
  for (const Sides& sides : {Sides{4, 4}, Sides{8, 8}, Sides{4, 8}, Sides{4, 4, 4}, Sides{16}}) {
    const Checked one = checked(on_torus(sides, "swing"));
    std::int64_t choices = 0;
    for (const Message& message : one.schedule.messages) {
      const std::vector<std::size_t> axes = changed(*one.topology, message);
      const auto apart = [&](std::size_t axis) {
        const std::int64_t way =
            one.topology->coordinates(message.source)[axis] - one.topology->coordinates(message.destination)[axis];
        return way < 0 ? -way : way;
      };
      choices += axes.size() != 1 || 2 * apart(axes.front()) == sides[axes.front()] ? 1 : 0;
    }
    observations.push_back(fraction_is(sides_text(sides), Fraction(0), Fraction(choices)));
  }
  return all_hold("messages with more than one shortest way", observations);
}

Evidence other_networks()
{
  Evidence evidence;
  evidence.verdict = Verdict::not_testable;
  evidence.measured = "HammingMesh and HyperX are no topologies of this program";
  return evidence;
}

} // namespace

std::vector<Check> schedule_checks()
{
  return {shown_check("ring_16_third_step", with_one_port(on_torus({16}, "swing", "latency")), third_step),
          shown_check("bytes_of_halves", on_torus({8, 8}, "swing"), bytes_of_halves),
          shown_check("even_sizes_bandwidth", on_torus({6, 6}, "swing"), even_sizes),
          shown_check("odd_sizes", on_torus({7}, "swing"), odd_sizes),
          shown_check("different_ports", on_torus({8, 8}, "swing"), different_ports),
          shown_check("bandwidth_term", on_torus({8, 8}, "swing"), bandwidth_term),
          shown_check("latency_bounds", on_torus({8, 8}, "swing", "latency"), latency_bounds),
          shown_check("latency_products", on_torus({8, 8}, "swing", "latency"), products),
          shown_check("doubling_limit", with_one_port(on_torus({8, 8}, "torus_doubling")), doubling_limit),
          shown_check("bucket_on_rectangles", on_torus({4, 8}, "bucket", ""), bucket_on_rectangles),
          shown_check("bucket_latency", on_torus({4, 8}, "bucket", ""), bucket_latency),
          shown_check("rings_limits", on_torus({3, 5}, "hamiltonian_rings", ""), rings_everywhere),
          shown_check("fewest_steps", on_torus({9, 9}, "trivance", "latency"), fewest_steps),
          shown_check("better_than_doubling", on_torus({8, 8}, "torus_doubling"), better_than_doubling),
          shown_check("last_step_of_2x4", on_torus({2, 4}, "swing"), last_step_of_2x4),
          shown_check("straight_messages", on_torus({8, 8}, "swing"), straight),
          check_of("other_networks", {}, other_networks)};
}

} // namespace wormcast::swing
