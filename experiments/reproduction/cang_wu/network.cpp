#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/algorithms/tcd/lower_bounds.hpp"
#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"
#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace wormcast::cang_wu {

namespace {

constexpr std::array orders = {AxisOrder::paper, AxisOrder::best, AxisOrder::naive};

unsigned most_simulated_level(std::size_t d)
{
  return d == 2 ? 5 : 3;
}

/// Every source of the meshes of level 1 .. most_simulated_level, in each of these orders of the axes.
std::vector<BroadcastCase> all_cases(std::size_t d, std::span<const AxisOrder> asked)
{
  std::vector<BroadcastCase> cases;
  for (unsigned k = 1; k <= most_simulated_level(d); ++k) {
    for (const AxisOrder order : asked) {
      std::ranges::move(from_every_source(through_eyes(d, k, order)), std::back_inserter(cases));
    }
  }
  return cases;
}

/// The nodes of the smallest box around sender and receiver.
std::vector<std::uint32_t> box_around(const Grid& grid, const Message& message)
{
  std::vector<std::uint32_t> box = {0};
  for (std::size_t axis = grid.sizes().size(); axis-- > 0;) {
    const std::int64_t from = grid.coordinate(message.source, axis);
    const std::int64_t to = grid.coordinate(message.destination, axis);
    std::vector<std::uint32_t> wider;
    for (const std::uint32_t node : box) {
      for (std::int64_t x = std::min(from, to); x <= std::max(from, to); ++x) {
        wider.push_back(node + static_cast<std::uint32_t>(x * grid.stride(axis)));
      }
    }
    box = std::move(wider);
  }
  return box;
}

/// Two messages of a step of which the smallest boxes around sender and receiver share a node, for people; empty where
/// there are none. A minimal route stays in the box of its ends.
std::string overlapping_boxes(const Grid& grid, const Schedule& schedule)
{
  std::vector<std::optional<MessageId>> owner(grid.node_count());
  const auto text = [&](MessageId id) {
    const Message& message = schedule.messages[index(id)];
    return fmt::format("({}) to ({})", fmt::join(grid.coordinates(message.source), ", "),
                       fmt::join(grid.coordinates(message.destination), ", "));
  };
  const StepOrder steps = order_by_step(schedule);
  for (const MessageId id : steps.order) {
    const Message& message = schedule.messages[index(id)];
    for (const std::uint32_t node : box_around(grid, message)) {
      if (owner[node] && schedule.messages[index(*owner[node])].step == message.step) {
        return fmt::format("step {}: {} and {}", message.step, text(*owner[node]), text(id));
      }
      owner[node] = id;
    }
  }
  return {};
}

Evidence any_minimal_routing(std::size_t d)
{
  std::vector<Observation> observations;
  for (const BroadcastCase& one : all_cases(d, orders)) {
    const auto grid = grid_of(one);
    const Schedule schedule = schedule_of(one, *grid);
    const std::string overlap = overlapping_boxes(*grid, schedule);
    observations.push_back({.what = title(one),
                            .expected = "disjoint boxes",
                            .found = overlap.empty() ? "disjoint boxes" : overlap,
                            .holds = overlap.empty()});
  }
  return all_hold(
      "every source, three orders of the axes; the smallest boxes around sender and receiver of the messages "
      "of a step share no node, so no minimal routes meet",
      observations, 12);
}

/// In d*k steps 2^t nodes are informed after t of them.
Evidence doubles_in_every_step(std::size_t d)
{
  std::vector<Observation> observations;
  for (const BroadcastCase& one : all_cases(d, orders)) {
    const auto topology = topology_of(one);
    const Schedule schedule = schedule_of(one, *topology);
    const CheckReport report = check_schedule(*topology, schedule, {.max_violations = 1});
    const StepOrder steps = order_by_step(schedule);
    bool doubles = report.valid() && report.costs.alpha == step_count(schedule);
    for (std::uint32_t step = 0; step < step_count(schedule); ++step) {
      doubles = doubles && steps.offsets[step + 1] - steps.offsets[step] == std::size_t{1} << step;
    }
    observations.push_back(
        {.what = title(one),
         .expected = "2^t messages in step t, one per node",
         .found = doubles ? "2^t messages in step t, one per node"
                          : fmt::format("{} messages, alpha {}", schedule.messages.size(), report.costs.alpha),
         .holds = doubles && (std::uint64_t{1} << step_count(schedule)) == topology->node_count()});
  }
  return all_hold("every source, three orders of the axes, one port, half duplex", observations, 12);
}

/// The simulator's latency and waits where T_f = 0.
Evidence simulated_latency(std::size_t d)
{
  constexpr std::int64_t microsecond = 1'000'000; // picoseconds
  constexpr std::uint64_t bytes = 64;
  NetworkParameters network;
  network.startup = Time{150 * microsecond};
  network.per_byte = Time{microsecond / 2};
  network.duplex = Duplex::half;
  std::vector<Observation> observations;
  for (unsigned k = 1; k <= (d == 2 ? 3U : 2U); ++k) {
    for (const BroadcastCase& one : from_every_source(through_eyes(d, k))) {
      const auto topology = topology_of(one);
      const SimulationResult result = simulate_core(*topology, schedule_of(one, *topology, bytes), network, {});
      const std::int64_t step = 150 * microsecond + static_cast<std::int64_t>(bytes) * microsecond / 2;
      const std::int64_t claimed = static_cast<std::int64_t>(d * k) * step;
      observations.push_back(
          {.what = title(one),
           .expected = fmt::format("{} us, no waits", claimed / microsecond),
           .found = fmt::format("{} us{}", decimal(static_cast<double>(result.latency.picoseconds) / microsecond),
                                result.contention.none() ? ", no waits" : ", waits"),
           .holds = result.latency.picoseconds == claimed && result.contention.none()});
    }
  }
  return all_hold("the simulator, every source, 64 bytes, T_s = 150 us, T_c = 0.5 us, T_f = 0", observations, 12);
}

BroadcastCase on_torus(BroadcastCase broadcast)
{
  broadcast.kind = "torus";
  return broadcast;
}

Evidence tori(std::size_t d)
{
  std::vector<Observation> observations;
  for (unsigned k = 1; k <= most_simulated_level(d); ++k) {
    const BroadcastCase torus = on_torus(through_eyes(d, k));
    const auto grid = grid_of(torus);
    const std::int64_t optimum = optimal_tcd(static_cast<unsigned>(d), k);
    for (const BroadcastCase& one : from_every_source(torus)) {
      const CheckReport report = check(one);
      const bool holds =
          report.valid() && report.contention_free && static_cast<std::int64_t>(report.costs.tcd) == optimum;
      observations.push_back(
          {.what = title(one),
           .expected = fmt::format("TCD {}, 0 contended pairs", optimum),
           .found = fmt::format("TCD {}, {} contended pairs", report.costs.tcd, report.contended_pairs),
           .holds = holds});
    }
    const auto halving = static_cast<std::int64_t>(std::ranges::min(recursive_halving_tcds(*grid)));
    observations.push_back(equal_numbers("least of all recursive halvings of the " + grid->title(), optimum, halving));
    if (k <= 3) {
      const auto bound = static_cast<std::int64_t>(std::ranges::min(tcd_lower_bounds(*grid)));
      observations.push_back(equal_numbers("lower bound of all broadcasts on the " + grid->title(), optimum, bound));
    }
  }
  return all_hold("every source of tori of side 2^k; no broadcast in d*k steps has less for k <= 3", observations, 12);
}

/// From a source that sends more messages than it has links some link carries two.
Evidence depth_contention()
{
  std::vector<Observation> observations;
  for (unsigned k = 1; k <= 2; ++k) {
    const BroadcastCase one = through_eyes(3, k, AxisOrder::paper, first_eye(3, k));
    observations.push_back({.what = title(one),
                            .expected = "a free choice",
                            .found = fmt::format("at most {} message on a link", check(one).costs.max_channel_load),
                            .holds = check(one).costs.max_channel_load == 1});
  }
  for (const BroadcastCase& one : from_every_source(through_eyes(3, 3))) {
    const auto topology = topology_of(one);
    const Schedule schedule = schedule_of(one, *topology);
    const auto sent =
        static_cast<std::size_t>(std::ranges::count(schedule.messages, schedule.source, &Message::source));
    const std::uint32_t links = topology->out_degree(schedule.source);
    const std::uint64_t load = schedule_costs(*topology, schedule).max_channel_load;
    observations.push_back(
        {.what = title(one),
         .expected = "a link that carries more than one message",
         .found = fmt::format("the source sends {} over {} links; up to {} on a link", sent, links, load),
         .holds = sent > links && load > 1});
  }
  return all_hold(
      "4 x 4 x 4 from an eye without, 8 x 8 x 8 from every source; in every broadcast in 3k steps the source "
      "sends in each, 3k > 6 for k > 2",
      observations, 12);
}

} // namespace

std::vector<Claim> network_claims(const Part& part)
{
  const std::size_t d = part.d;
  const bool cube = part.is_3d();
  const std::string check_command = "wormcast check CONFIG --contention-free";
  const BroadcastCase shown = through_eyes(d, 3, AxisOrder::paper);
  std::vector<Claim> claims;
  const auto add = [&](const std::string& name, const std::string& place, const std::string& statement,
                       const std::string& claimed, std::function<Evidence()> measure, const BroadcastCase& broadcast,
                       const std::string& command) {
    claims.push_back(claim(part, name, place, statement, claimed, std::move(measure)));
    claims.back().demonstration = demonstration(broadcast, command);
  };
  add(
      "time_steps", "section 1", "The broadcast is time-step optimal: the informed nodes double in every step",
      cube ? "3k steps" : "2k steps", [=] { return doubles_in_every_step(d); }, shown, "wormcast check CONFIG");
  add(
      "no_step_contention", cube ? "section 1" : "abstract, section 1", "No traffic contention at any time step",
      "no directed channel is used twice in a step",
      [=] {
        return contention_free("every source, three orders of the axes, routes in dimension order",
                               all_cases(d, orders));
      },
      shown, check_command);
  add(
      "no_step_contention_any_routing", cube ? "section 1" : "abstract, section 1",
      "No traffic contention at any time step, whatever the minimal routing", "routes of a step share no node",
      [=] { return any_minimal_routing(d); }, shown, check_command);
  claims.back().slow = true;
  add(
      "latency", "section 1", "A step takes the same time whatever the distance",
      cube ? "3k (T_s + L T_c), no waits" : "2k (T_s + L T_c), no waits", [=] { return simulated_latency(d); }, shown,
      "wormcast run CONFIG");
  if (cube) {
    add("depth_contention", "section 1", "Depth contention is unavoidable for k > 2", "3k messages over 6 links",
        depth_contention, shown, "wormcast check CONFIG");
  }
  add(
      "tori", "section 5", "From every source of a torus the optimal TCD is reached", "OD_k from every source",
      [=] { return tori(d); }, on_torus(shown), "wormcast check CONFIG --contention-free");
  return claims;
}

} // namespace wormcast::cang_wu
