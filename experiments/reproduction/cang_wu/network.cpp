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

struct Latency {
  std::int64_t measured = 0;  ///< picoseconds
  std::int64_t predicted = 0; ///< sum over the steps of T_s + L T_c + T_f times the most hops of the step
  std::int64_t without_hops = 0;
  bool waits = false;
};

constexpr std::int64_t picoseconds_per_us = 1'000'000;
constexpr std::int64_t startup_us = 150;
constexpr std::uint64_t latency_bytes = 64;

Latency latency_of(const BroadcastCase& broadcast, std::int64_t per_hop)
{
  NetworkParameters network;
  network.startup = Time{startup_us * picoseconds_per_us};
  network.per_byte = Time{picoseconds_per_us / 2};
  network.per_hop = Time{per_hop};
  network.buffer_flits = 64;
  network.duplex = Duplex::half;
  const auto topology = topology_of(broadcast);
  const Schedule schedule = schedule_of(broadcast, *topology, latency_bytes);
  const SimulationResult result = simulate_core(*topology, schedule, network, {});
  std::vector<std::int64_t> most_hops(step_count(schedule), 0);
  for (const Message& message : schedule.messages) {
    std::int64_t& most = most_hops[message.step];
    most = std::max<std::int64_t>(most, topology->distance(message.source, message.destination));
  }
  Latency latency{.measured = result.latency.value().picoseconds, .waits = !result.contention.none()};
  for (const std::int64_t hops : most_hops) {
    latency.without_hops +=
        network.startup.picoseconds + static_cast<std::int64_t>(latency_bytes) * network.per_byte.picoseconds();
    latency.predicted += hops * per_hop;
  }
  latency.predicted += latency.without_hops;
  return latency;
}

/// Time of a hop where it is one `ratio`-th of a start-up, in picoseconds.
std::int64_t per_hop_of(std::int64_t ratio)
{
  const std::int64_t hop = startup_us * picoseconds_per_us / ratio;
  return as_measured(hop, hop / 30);
}

/// Latencies from every source of the meshes where a hop takes one `ratio`-th of a start-up.
struct Latencies {
  std::vector<Observation> within_a_percent;
  std::vector<Observation> by_hops;
};

Latencies latencies(std::size_t d, std::int64_t ratio)
{
  const std::int64_t per_hop = per_hop_of(ratio);
  constexpr std::int64_t percent = 1;
  Latencies all;
  for (unsigned k = 1; k <= (d == 2 ? 3U : 2U); ++k) {
    for (const BroadcastCase& one : from_every_source(through_eyes(d, k))) {
      const Latency latency = latency_of(one, per_hop);
      const auto us = [](std::int64_t time) { return decimal(static_cast<double>(time) / picoseconds_per_us); };
      const std::string found = fmt::format("{} us{}", us(latency.measured), latency.waits ? ", waits" : "");
      const std::string what = fmt::format("{}, T_s / T_f = {}", title(one), ratio);
      all.within_a_percent.push_back(
          {.what = what,
           .expected = fmt::format("{} us, at most {} % more", us(latency.without_hops), percent),
           .found = found,
           .holds =
               !latency.waits && 100 * (latency.measured - latency.without_hops) <= percent * latency.without_hops});
      all.by_hops.push_back({.what = what,
                             .expected = us(latency.predicted) + " us",
                             .found = found,
                             .holds = !latency.waits && latency.measured == latency.predicted});
    }
  }
  return all;
}

/// "From an eye 1097 us, from the corner 1102 us": the largest mesh.
std::string eye_and_corner(std::size_t d, std::int64_t ratio)
{
  const unsigned k = d == 2 ? 3 : 2;
  const auto us = [&](const BroadcastCase& broadcast) {
    const Latency latency = latency_of(broadcast, per_hop_of(ratio));
    return decimal(static_cast<double>(latency.measured) / picoseconds_per_us);
  };
  return fmt::format("on the {} {} us from an eye and {} us from the corner", place_text(d, k),
                     us(through_eyes(d, k, AxisOrder::paper, first_eye(d, k))), us(through_eyes(d, k)));
}

Evidence simulated_latency(std::size_t d)
{
  std::vector<std::pair<std::string, Evidence>> readings;
  std::vector<Observation> by_hops;
  for (const std::int64_t ratio : {300, 30, 10}) {
    Latencies all = latencies(d, ratio);
    readings.emplace_back(
        fmt::format("to within a percent, T_s / T_f = {}", ratio),
        all_hold("lockstep, every source, 64 bytes, T_s = 150 us, T_c = 0.5 us; " + eye_and_corner(d, ratio),
                 all.within_a_percent, 12));
    std::ranges::move(all.by_hops, std::back_inserter(by_hops));
  }
  return corrected(by_reading(std::move(readings)), "a step takes T_s + L T_c + h T_f, h the most hops of its messages",
                   all_hold("the same runs", by_hops));
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
    const std::int64_t optimum = as_claimed(optimal_tcd(static_cast<unsigned>(d), k));
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
  return all_hold("every source of tori of side 2^k; no recursive halving has less, "
                  "and for k <= 3 no broadcast in d*k steps",
                  observations, 12);
}

} // namespace

std::vector<Check> network_checks(const Part& part)
{
  const std::size_t d = part.d;
  const std::string check_command = "wormcast check CONFIG --contention-free";
  const BroadcastCase shown = through_eyes(d, 3, AxisOrder::paper);
  std::vector<Check> checks;
  const auto add = [&](const std::string& name, std::function<Evidence()> measure, const std::string& command,
                       const BroadcastCase& broadcast) {
    checks.push_back(check_of(part, name, std::move(measure)));
    checks.back().demonstration = demonstration(broadcast, command);
  };
  add("time_steps", [=] { return doubles_in_every_step(d); }, "wormcast check CONFIG", shown);
  add(
      "no_step_contention",
      [=] {
        return contention_free("every source, three orders of the axes, routes in dimension order",
                               all_cases(d, orders));
      },
      check_command, shown);
  add("no_step_contention_any_routing", [=] { return any_minimal_routing(d); }, check_command, shown);
  add("latency", [=] { return simulated_latency(d); }, "wormcast run CONFIG --set network.per_hop=0.5us", shown);
  add("tori", [=] { return tori(d); }, "wormcast check CONFIG --contention-free", on_torus(shown));
  return checks;
}

} // namespace wormcast::cang_wu
