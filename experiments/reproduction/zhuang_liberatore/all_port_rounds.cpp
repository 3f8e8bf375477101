#include "wormcast/algorithms/grid_all_port/rounds.hpp"
#include "wormcast/algorithms/verifier/broadcast_bounds.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/all_port.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"
#include "wormcast/topologies/grid_requirements.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace wormcast::zhuang_liberatore {

namespace {

constexpr std::int64_t submeshes_a_side = 4;

bool all_parts_have_everything(const Holdings& holdings, std::span<const std::int64_t> dims, std::int64_t side,
                               const NodeOfPlace& node_of)
{
  return std::ranges::all_of(parts_of_side(dims, side), [&](const GridPart& part) {
    return have_everything(holdings, nodes_on_diagonals(part, all_diagonals(2), node_of));
  });
}

/// Steps of each division into 16 from the end of stage 1 on, until the diagonals of all submeshes have the whole
/// message; at last the steps until every node has it. An answer with too few numbers says that something of this
/// never comes about.
std::vector<std::uint32_t> steps_of_rounds(const BroadcastCase& broadcast, const Topology& topology,
                                           const Schedule& schedule, int rounds)
{
  const NodeOfPlace node_of = places_of_all_port(broadcast, topology);
  Holdings holdings(schedule, topology.node_count());
  std::optional<std::uint32_t> before = run_all_port_scatter(holdings, broadcast, node_of);
  std::vector<std::uint32_t> steps;
  std::int64_t side = broadcast.dims[0];
  for (int round = 0; round <= rounds && before; ++round) {
    side = round < rounds ? side / submeshes_a_side : 1;
    const std::optional<std::uint32_t> after =
        holdings.run_until([&] { return all_parts_have_everything(holdings, broadcast.dims, side, node_of); });
    if (after) {
      steps.push_back(*after - *before);
    }
    before = after;
  }
  return steps;
}

/// Rounds of 3 steps, then what is left: nothing for even n, a step for odd n (on meshes 4 with the last 3, as blocks
/// of 8 x 8 are finished in one go).
std::vector<std::uint32_t> steps_as_claimed(const BroadcastCase& broadcast)
{
  const int n = exponent(broadcast);
  const auto three = static_cast<std::uint32_t>(as_claimed(std::int64_t{3}));
  const bool ends_with_eight = broadcast.kind == "mesh" && n % 2 != 0;
  std::vector<std::uint32_t> steps(static_cast<std::size_t>(n / 2 - (ends_with_eight ? 1 : 0)), three);
  steps.push_back(n % 2 == 0 ? 0 : ends_with_eight ? three + 1 : 1);
  return steps;
}

Observation three_steps_a_round(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  const Schedule schedule = schedule_of(broadcast, *topology);
  const CheckReport report = check_schedule(*topology, schedule, {.max_violations = 1});
  const std::vector<std::uint32_t> expected = steps_as_claimed(broadcast);
  const std::vector<std::uint32_t> found =
      steps_of_rounds(broadcast, *topology, schedule, static_cast<int>(std::ssize(expected)) - 1);
  return {.what = title(broadcast),
          .expected = fmt::format("steps {}, 0 contended pairs", fmt::join(expected, " + ")),
          .found = fmt::format("steps {}, {} contended pairs", fmt::join(found, " + "), report.contended_pairs),
          .holds = report.valid() && report.contention_free && found == expected};
}

/// Stage 1 on an 8 x 8 mesh, and the round alone behind it.
Observation round_on_eight_by_eight(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  const NodeOfPlace node_of = places_of_all_port(broadcast, *topology);
  Schedule schedule = schedule_of(broadcast, *topology);
  std::optional<std::uint32_t> scatter;
  {
    Holdings holdings(schedule, topology->node_count());
    scatter = run_all_port_scatter(holdings, broadcast, node_of);
  }
  std::erase_if(schedule.messages, [&](const Message& message) { return message.step >= scatter.value(); });
  HeldSegments held(topology->node_count());
  for (std::uint32_t t = 0; t < 8; ++t) {
    held[t + 8 * t] = schedule.block_sets.intern({t, t + 1});
    held[t + 8 * (7 - t)] = schedule.block_sets.intern({8 + t, 8 + t + 1});
  }
  append_round(schedule, require_grid(*topology, "the round"), {.side = 8}, mesh_round8(), 8, scatter.value(), held);
  const CheckReport report = check_schedule(*topology, schedule, {.max_violations = 1});
  Holdings holdings(schedule, topology->node_count());
  const std::optional<std::uint32_t> end =
      holdings.run_until([&] { return all_parts_have_everything(holdings, broadcast.dims, 2, node_of); });
  const std::int64_t steps = end ? std::int64_t{*end} - *scatter : -1;
  return {.what = "the round alone, " + title(broadcast),
          .expected = fmt::format("steps {}, 0 contended pairs", as_claimed(std::int64_t{3})),
          .found = fmt::format("steps {}, {} contended pairs", steps, report.contended_pairs),
          .holds = steps == as_claimed(std::int64_t{3}) && report.possession && report.ports && report.contention_free};
}

// A flint that lies on the corner of a mesh must come to 16 submeshes, so to 16 nodes at the least. What a corner
// reaches in a number of steps is the same on every mesh as long as it has fewer nodes than the mesh.
Observation two_steps_are_too_few()
{
  const auto topology = topology_of(all_port("mesh", 2, "recursion_based"));
  const std::uint32_t needed = column_growth_bound_steps(*topology, NodeId{0}, {.count = PortModel::all});
  return {.what = "a flint on the corner of a mesh, to 16 nodes",
          .expected = "3 steps are needed",
          .found = fmt::format("not in {} steps", needed - 1),
          .holds = needed == 3};
}

Evidence rounds_of_three_steps()
{
  std::vector<Observation> observations = {two_steps_are_too_few()};
  for (const BroadcastCase& one : all_port_sources("mesh", 3)) {
    observations.push_back(round_on_eight_by_eight(one));
  }
  for (int n = 2; n <= 7; ++n) {
    for (const std::string kind : {"mesh", "torus"}) {
      for (const BroadcastCase& one : all_port_sources(kind, n)) {
        observations.push_back(three_steps_a_round(one));
      }
    }
  }
  Evidence evidence =
      all_hold(fmt::format("from stage 1 on, the steps until the two diagonals of all 16, 256, ... submeshes have the "
                           "whole message; for odd n one step more until every node has it; n = 2..7, {}",
                           all_port_sources_text()),
               observations, 12);
  evidence.correction = "on a mesh two steps cannot do it: a flint on the corner reaches 12 nodes at most";
  return evidence;
}

/// The flints of a segment: a quarter of a diagonal, as the blocks that its nodes get in stage 1.
Holdings::Blocks segment_blocks(std::int64_t side, std::int64_t segment)
{
  Holdings::Blocks blocks;
  const std::int64_t length = side / submeshes_a_side;
  for (std::int64_t block = segment * length; block < (segment + 1) * length; ++block) {
    blocks.set(static_cast<std::size_t>(block));
  }
  return blocks;
}

/// In how many of the 16 submeshes, all segments taken together, the diagonals have a whole segment.
std::int64_t segments_of_submeshes(const Holdings& holdings, const BroadcastCase& broadcast, const NodeOfPlace& node_of)
{
  const std::int64_t side = broadcast.dims[0];
  std::int64_t count = 0;
  for (const GridPart& part : parts_of_side(broadcast.dims, side / submeshes_a_side)) {
    Holdings::Blocks together;
    for (const NodeId node : nodes_on_diagonals(part, all_diagonals(2), node_of)) {
      together |= holdings.of(node);
    }
    for (std::int64_t segment = 0; segment < 2 * submeshes_a_side; ++segment) {
      const Holdings::Blocks blocks = segment_blocks(side, segment);
      count += (together & blocks) == blocks ? 1 : 0;
    }
  }
  return count;
}

/// Segments of submeshes at the end of stage 1 and after each of three steps more.
std::vector<std::int64_t> segments_by_step(const BroadcastCase& broadcast)
{
  const auto topology = topology_of(broadcast);
  const Schedule schedule = schedule_of(broadcast, *topology);
  const NodeOfPlace node_of = places_of_all_port(broadcast, *topology);
  Holdings holdings(schedule, topology->node_count());
  std::vector<std::int64_t> counts;
  if (run_all_port_scatter(holdings, broadcast, node_of)) {
    do {
      counts.push_back(segments_of_submeshes(holdings, broadcast, node_of));
    } while (counts.size() < 4 && holdings.run_step());
  }
  return counts;
}

Evidence eight_segments()
{
  std::vector<Observation> observations;
  constexpr std::int64_t segments = 8;
  for (int n = 2; n <= 6; ++n) {
    for (const std::string kind : {"mesh", "torus"}) {
      if (n == 3 && kind == "mesh") {
        continue; // finished in one go
      }
      for (const BroadcastCase& one : from_some_sources(all_port(kind, n, "recursion_based"), 8)) {
        const std::vector<std::int64_t> counts = segments_by_step(one);
        observations.push_back(
            {.what = title(one),
             .expected = fmt::format("after the third step {0} segments in 16 submeshes: {1}", segments, segments * 16),
             .found = fmt::format("after stage 1 and the three steps {}", fmt::join(counts, ", ")),
             .holds = counts.size() == 4 && counts.back() == segments * 16});
      }
    }
  }
  return not_testable(
      "figs. 9.b and 9.d, the segments after the first and second step, are not legible in the copies that exist",
      all_hold("the first round of our steps ends as fig. 9.e does, each submesh with all segments; n = "
               "2..6 (meshes without n = 3), " +
                   of_some_sources(8) + " each",
               observations, 12));
}

} // namespace

std::vector<Check> all_port_round_checks()
{
  const BroadcastCase corner = all_port("mesh", 5, "recursion_based");
  return {all_port_check("all_port_rounds", corner, rounds_of_three_steps),
          all_port_check("figure_9", corner, eight_segments)};
}

} // namespace wormcast::zhuang_liberatore
