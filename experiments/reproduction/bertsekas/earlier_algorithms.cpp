#include "wormcast/algorithms/hypercube/rotation_classes.hpp"
#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"
#include "wormcast/experiments/reproduction/bertsekas/trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

namespace wormcast::bertsekas {

namespace {

std::uint32_t rotated(std::uint32_t id, std::uint32_t turns, std::uint32_t d)
{
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    id = rotate_left(id, d);
  }
  return id;
}

// The scatter down Johnsson and Ho's tree: optimal for prime d, else some steps longer.
Observation scatter_down_rotation_tree(std::uint32_t d)
{
  const auto cube = make_cube(d);
  const Tree tree = rotation_tree(d);
  const CheckReport report = check_schedule(*cube, schedule_of_hops(scatter_hops(tree), Operation::scatter, *cube));
  const std::uint64_t optimum = packets_per_link(d);
  const bool valid = report.valid() && report.contention_free;
  return {.what = fmt::format("scatter, d = {}", d),
          .expected = fmt::format("{} {}", is_prime(d) ? "optimal," : "longer than", optimum),
          .found = fmt::format("{}, {} steps", valid ? "valid" : "not valid", report.costs.alpha),
          .holds = valid && is_prime(d) == (report.costs.alpha == optimum) && report.costs.alpha >= optimum};
}

// d packets for every node, packet r down the tree rotated r times: what the root sends over a link is what it sends
// over the one before, rotated. Packets are destination * d + r. Such a rotation moves every link to one of another
// type, so that packets of different root links never meet.
std::vector<Hop> scatter_down_all_rotations(const Tree& tree, std::uint32_t d)
{
  std::vector<std::tuple<int, std::uint32_t, std::uint32_t>> first_link; // links left to go, destination, r
  const std::vector<std::uint32_t> subtree = subtree_of(tree);
  for (std::uint32_t r = 0; r < d; ++r) {
    for (std::uint32_t id = 1; id < tree.size(); ++id) {
      const std::uint32_t unturned = rotated(id, d - r, d);
      if ((subtree[unturned] + r) % d == 0) {
        first_link.emplace_back(-std::popcount(id), id, r);
      }
    }
  }
  std::ranges::sort(first_link);
  std::vector<Hop> hops;
  for (std::uint32_t link = 0; link < d; ++link) {
    for (std::uint32_t sent = 0; sent < first_link.size(); ++sent) {
      const auto [left, id, r] = first_link[sent];
      const std::uint32_t turns = (r + link) % d;
      const std::uint32_t destination = rotated(id, link, d);
      std::uint32_t step = sent + static_cast<std::uint32_t>(-left);
      for (std::uint32_t at = rotated(destination, d - turns, d); at != 0; at = tree[at], --step) {
        hops.push_back({step, rotated(tree[at], turns, d), rotated(at, turns, d), destination * d + turns});
      }
    }
  }
  return hops;
}

// The root as the source of a message of d 2^d parts, of which each is at its destination in the end.
Observation d_packets_each(std::uint32_t d)
{
  const auto cube = make_cube(d);
  std::vector<Hop> hops = scatter_down_all_rotations(rotation_tree(d), d);
  Schedule schedule;
  schedule.topology = cube->description();
  schedule.routing = cube->routing();
  schedule.ports = mla;
  schedule.blocks = std::uint64_t{d} << d;
  std::uint64_t arrived = 0;
  for (const Hop& hop : hops) {
    const BlockSetId packet = schedule.block_sets.intern(BlockRange{hop.packet, hop.packet + 1});
    schedule.messages.push_back({hop.step - 1, NodeId{hop.from}, NodeId{hop.to}, packet});
    arrived += hop.packet / d == hop.to;
  }
  const CheckReport report = check_schedule(*cube, schedule, {.max_violations = 1});
  const std::uint64_t packets = std::uint64_t{d} * ((1U << d) - 1);
  const std::uint64_t optimum = packets / d;
  return {.what = fmt::format("d packets for each node, d = {}", d),
          .expected = fmt::format("optimal, {} steps", optimum),
          .found = fmt::format("{} of {} packets, {} steps", arrived, packets, report.costs.alpha),
          .holds = report.possession && report.contention_free && arrived == packets && report.costs.alpha == optimum};
}

Evidence earlier_scatters()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 2; d <= 11; ++d) {
    observations.push_back(scatter_down_rotation_tree(d));
  }
  for (std::uint32_t d = 2; d <= 8; ++d) {
    observations.push_back(d_packets_each(d));
  }
  return not_testable("the algorithms of [7] are not in the paper",
                      all_hold("scatters down their spanning balanced tree for d = 2..11, and with d packets for each "
                               "node, each down another rotation of it, for d = 2..8",
                               observations));
}

// One level of ids with k ones after the other, each from a step of its own on: the ids of a class in an order of
// rotation of which the first has a 1 in the bit of the next link. The parents are in the level before.
std::vector<Hop> broadcast_by_levels(std::uint32_t d)
{
  std::vector<Hop> hops;
  std::uint32_t steps = 0;
  std::uint32_t position = 0; // in the level
  std::uint32_t ones = 1;
  for (const RotationClass& added : rotation_classes(d)) {
    if (added.ones() != ones) {
      steps += (position + d - 1) / d;
      position = 0;
      ones = added.ones();
    }
    std::uint32_t id = added.smallest;
    while ((id & link_bit(1 + position % d)) == 0) {
      id = rotate_left(id, d);
    }
    for (std::uint32_t turn = 0; turn < added.size; ++turn, ++position) {
      const std::uint32_t parent = id ^ link_bit(1 + position % d);
      for (std::uint32_t origin = 0; origin < 1U << d; ++origin) {
        hops.push_back({1 + steps + position / d, origin ^ parent, origin ^ id, origin});
      }
      id = rotate_left(id, d);
    }
  }
  return hops;
}

Evidence earlier_broadcasts()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 3; d <= 9; ++d) {
    const auto cube = make_cube(d);
    const Schedule schedule = schedule_of_hops(broadcast_by_levels(d), Operation::multinode_broadcast, *cube);
    const CheckReport report = check_schedule(*cube, schedule, {.max_violations = 1});
    const bool valid = report.valid() && report.contention_free;
    const std::uint64_t bound = packets_per_link(d) + d - 3;
    observations.push_back({.what = fmt::format("multinode broadcast, d = {}", d),
                            .expected = fmt::format("valid, at most {} + {} steps", packets_per_link(d), d - 3),
                            .found = fmt::format("{}, {} steps", valid ? "valid" : "not valid", report.costs.alpha),
                            .holds = valid && report.costs.alpha <= bound});
  }
  return not_testable("the algorithms of [14] and [15] are not in the paper",
                      all_hold("the ids with k ones in ceil(C(d, k) / d) steps, one k after the other, for d = 3..9: "
                               "each of the d - 3 middle k loses less than a step",
                               observations));
}

// The exchange that uses the links one after the other, and d such at once, each beginning with another link.
Observation exchanges_at_once(std::uint32_t d)
{
  const CubeCase one{.dimension = d, .algorithm = "total_exchange", .ports = sla};
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> used;
  std::uint64_t transmissions = 0;
  std::uint64_t steps = 0;
  for (const Hop& hop : hops_of(schedule_of(one, *make_cube(d)))) {
    for (std::uint32_t turns = 0; turns < d; ++turns) {
      used.emplace(hop.step, rotated(hop.from, turns, d), rotated(hop.to, turns, d));
      ++transmissions;
    }
    steps = std::max<std::uint64_t>(steps, hop.step);
  }
  const std::uint64_t optimum = std::uint64_t{d} << (d - 1);
  return {.what = fmt::format("d packets for each pair, d = {}", d),
          .expected = fmt::format("optimal, {} steps that use all links", optimum),
          .found = fmt::format("{} steps, {} transmissions over {} links", steps, transmissions, used.size()),
          .holds = steps == optimum && used.size() == transmissions && transmissions == (steps * d) << d};
}

Evidence earlier_total_exchanges()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= 7; ++d) {
    const std::uint64_t optimum = std::uint64_t{1} << (d - 1);
    observations.push_back(
        costs({.dimension = d, .algorithm = "total_exchange", .ports = sla}, d * optimum, (d * optimum) << d));
    observations.push_back(exchanges_at_once(d));
  }
  return not_testable("the algorithm of [15] is not in the paper",
                      all_hold("the exchange over one link after the other takes d times the optimum, d of them at "
                               "once, each with other packets and beginning with another link, no longer; d = 1..7",
                               observations));
}

} // namespace

std::vector<Check> earlier_algorithm_checks()
{
  return {
      check_of("earlier_scatters", checked({.dimension = 5, .algorithm = "single_node_scatter"}), earlier_scatters),
      check_of("earlier_broadcasts", checked({.dimension = 5, .algorithm = "multinode_broadcast"}), earlier_broadcasts),
      check_of("earlier_total_exchanges", checked({.dimension = 5, .algorithm = "total_exchange", .ports = sla}),
               earlier_total_exchanges)};
}

} // namespace wormcast::bertsekas
