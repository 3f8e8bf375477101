#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <set>
#include <tuple>

namespace wormcast::zhuang_liberatore {

namespace {

constexpr int most_corner_level = 4;

constexpr std::array<std::array<int, 2>, 4> places_of_corners = {{{0, 0}, {1, 0}, {0, 1}, {1, 1}}};

/// Recursion-based from the four corners of a 2^n x 2^n mesh or torus.
std::vector<BroadcastCase> corner_cases(const std::string& kind, int n, const std::string& tie = "no_wrap")
{
  std::vector<BroadcastCase> cases;
  const std::int64_t last = (std::int64_t{1} << n) - 1;
  for (const auto& [x, y] : places_of_corners) {
    cases.push_back(
        {.kind = kind, .dims = square(n), .algorithm = "recursion_based", .source = {x * last, y * last}, .tie = tie});
  }
  return cases;
}

/// How often messages cross a wrap-around link; a ring of two nodes has none.
std::int64_t wrap_arounds(const Topology& topology, const Schedule& schedule)
{
  std::int64_t uses = 0;
  std::vector<ChannelId> route;
  for (const Message& message : schedule.messages) {
    route.clear();
    topology.append_route(message.source, message.destination, route);
    for (const ChannelId channel : route) {
      const auto from = topology.coordinates(topology.channel_source(channel));
      const auto to = topology.coordinates(topology.channel_target(channel));
      for (std::size_t axis = 0; axis < from.size(); ++axis) {
        uses += std::abs(from[axis] - to[axis]) > 1 ? 1 : 0;
      }
    }
  }
  return uses;
}

Evidence shortest_ways_from_a_corner(const std::string& tie)
{
  std::vector<Observation> observations;
  std::string counts;
  for (int n = 1; n <= most_corner_level; ++n) {
    for (const BroadcastCase& one : corner_cases("torus", n, tie)) {
      const auto topology = topology_of(one);
      const std::int64_t uses = wrap_arounds(*topology, schedule_of(one, *topology));
      observations.push_back({.what = title(one),
                              .expected = "no wrap-around link",
                              .found = fmt::format("{} crossings of wrap-around links", uses),
                              .holds = uses == 0});
      if (one.source[0] + one.source[1] == 0) {
        counts += fmt::format("{}{}", counts.empty() ? "" : ", ", uses);
      }
    }
  }
  return all_hold(fmt::format("tori, n = 1..4, from the corners; from (0, 0) such links are crossed {} times", counts),
                  observations);
}

// A torus without its wrap-around links is a mesh: what the algorithm does there it can do on the torus.
Evidence ways_of_a_mesh_from_a_corner()
{
  std::vector<BroadcastCase> cases;
  for (int n = 1; n <= most_corner_level; ++n) {
    std::ranges::move(corner_cases("mesh", n), std::back_inserter(cases));
  }
  return contention_free("the mesh that a torus is without them is enough, n = 1..4, from the corners", cases);
}

Evidence wrap_around_links()
{
  return by_reading(
      {{"a torus is routed as a mesh", ways_of_a_mesh_from_a_corner()},
       {"shortest ways, half a ring without the wrap-around link", shortest_ways_from_a_corner("no_wrap")},
       {"shortest ways, half a ring in the increasing direction", shortest_ways_from_a_corner("positive")}});
}

/// A message as section 4 describes it: step, from, to, flints.
using Sent = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Flints>;

/// Stage 2 of section 4.1, by geometry alone, from what the nodes own after stage 1: in round i squares of side
/// 2^(n+1-i) are halved; first every node with flints shares with its mirror image on the other side of the square's
/// horizontal middle line, then with the node half a side away in its row.
std::set<Sent> rounds_of_section_4(const Replay& replay)
{
  std::set<Sent> messages;
  const Topology& topology = replay.topology();
  std::vector<Flints> owned(topology.node_count());
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    owned[node] = replay.owned(NodeId{node});
  }
  auto step = static_cast<std::uint32_t>(replay.n());
  for (std::int64_t side = std::int64_t{1} << replay.n(); side > 1; side /= 2) {
    for (const bool is_vertical : {true, false}) {
      std::vector<Flints> after = owned;
      for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
        std::vector<std::int64_t> partner = topology.coordinates(NodeId{node});
        const std::int64_t x = partner[0] % side;
        const std::int64_t y = partner[1] % side;
        partner[0] += is_vertical ? 0 : (x < side / 2 ? side / 2 : -side / 2);
        partner[1] += is_vertical ? side - 1 - 2 * y : 0;
        const std::uint32_t to = index(topology.node_at(partner));
        if (owned[node] != 0) {
          messages.insert({step, node, to, owned[node]});
          after[to] |= owned[node];
        }
      }
      owned = std::move(after);
      ++step;
    }
  }
  return messages;
}

/// What section 4.1 says of stage 1: n transfers along a diagonal from the corner, after which each of its nodes has
/// 1/2^n.
bool scatters_on_a_diagonal(const Replay& replay)
{
  const auto corner = replay.topology().coordinates(replay.schedule().source);
  const auto is_on_diagonal = [&](NodeId node) {
    const auto at = replay.topology().coordinates(node);
    return std::abs(at[0] - corner[0]) == std::abs(at[1] - corner[1]);
  };
  bool holds = true;
  for (const Message& message : replay.schedule().messages) {
    holds = holds && (message.step >= static_cast<std::uint32_t>(replay.n()) || is_on_diagonal(message.destination));
  }
  for (std::uint32_t node = 0; node < replay.topology().node_count(); ++node) {
    holds = holds && std::popcount(replay.owned(NodeId{node})) == (is_on_diagonal(NodeId{node}) ? 1 : 0);
  }
  return holds;
}

Evidence section_4_from_a_corner()
{
  std::vector<Observation> observations;
  for (int n = 1; n <= most_corner_level; ++n) {
    for (const BroadcastCase& one : corner_cases("mesh", n)) {
      Replay replay(n, topology_of(one)->node_at(one.source));
      replay.run_until(static_cast<std::uint32_t>(n));
      std::set<Sent> section_5;
      for (const Message& message : replay.schedule().messages) {
        if (message.step >= static_cast<std::uint32_t>(n)) {
          section_5.insert(
              {message.step, index(message.source), index(message.destination), replay.flints_of(message)});
        }
      }
      const std::set<Sent> section_4 = rounds_of_section_4(replay);
      observations.push_back({.what = title(one),
                              .expected = fmt::format("the {} sharings of section 4.1", section_4.size()),
                              .found = section_5 == section_4 ? "the same" : "others",
                              .holds = section_5 == section_4 && scatters_on_a_diagonal(replay)});
    }
  }
  return all_hold("2^n x 2^n meshes, n = 1..4, from the four corners", observations);
}

/// RD, SC, NP-RD and NP-SC from every source, with the costs that they have from the corner at the origin.
Evidence previous_algorithms()
{
  std::vector<CostCase> cases;
  for (int n = 1; n <= 3; ++n) {
    std::vector<BroadcastCase> all = {{.dims = square(n), .algorithm = "recursive_doubling"},
                                      {.dims = square(n), .algorithm = "scatter_collect"}};
    for (int d = 1; d <= n; ++d) {
      for (const std::string inner : {"recursive_doubling", "scatter_collect"}) {
        all.push_back({.dims = square(n),
                       .algorithm = "network_partitioning",
                       .parameters = {{"inner", inner}, {"d", std::int64_t{d}}}});
      }
    }
    for (const BroadcastCase& corner : all) {
      const ScheduleCosts costs = check(corner).costs;
      for (BroadcastCase& one : from_every_source(corner)) {
        cases.push_back({std::move(one), Fraction(static_cast<std::int64_t>(costs.alpha)), costs.beta});
      }
    }
  }
  return costs_equal(
      "RD, SC, NP-RD and NP-SC with every d, 2^n x 2^n meshes, n = 1..3, every source against the corner", cases);
}

Check corner_check(const std::string& name, std::function<Evidence()> measure)
{
  return check_of(
      name,
      {config_text({.dims = square(3), .algorithm = "recursion_based"}), "wormcast check CONFIG --contention-free"},
      std::move(measure));
}

} // namespace

std::vector<Check> corner_checks()
{
  std::vector<Check> checks;
  checks.push_back(corner_check("wrap_around_links", wrap_around_links));
  checks.back().demonstration.config =
      config_text({.kind = "torus", .dims = square(2), .algorithm = "recursion_based", .tie = "no_wrap"});
  checks.back().demonstration.command = "wormcast schedule CONFIG";
  checks.push_back(corner_check("previous_algorithms_from_any_source", previous_algorithms));
  checks.push_back(corner_check("section_4_from_a_corner", section_4_from_a_corner));
  return checks;
}

} // namespace wormcast::zhuang_liberatore
