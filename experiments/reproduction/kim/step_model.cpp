#include "wormcast/algorithms/verifier/combining_volume.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/checks.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace wormcast::kim {

namespace {

using Json = nlohmann::ordered_json;

// Packets in the largest send of each step of the complete Algorithm 4, and their sum.
struct ClosedVolume {
  std::vector<std::uint64_t> by_step;
  std::uint64_t sum = 0;
};

ClosedVolume algorithm_4_volume(const PetersenTorusSize& size)
{
  const auto l = static_cast<std::uint64_t>(size.l);
  const auto m = static_cast<std::uint64_t>(size.m);
  const auto n = static_cast<std::uint64_t>(size.n);
  const std::uint64_t others = 10 * m * n * (l - 1);
  ClosedVolume volume{.by_step = {1, 1, 1, 1, 5, 5}};
  const auto append = [&](std::uint64_t count, std::uint64_t packets) {
    volume.by_step.insert(volume.by_step.end(), count, packets);
  };
  append(3 * (m - 2) + 1, 10);
  append(2, 10 * (m - 1));
  append(3 * n - 4, 10 * m);
  append(2 * l - 3, 10 * m * n);
  append(3, others + 10);
  append(1, others);
  append(1, 10 * m * n);
  append(1, 10 * m * (n - 1));
  volume.sum = (60 * l - 20) * m * n - 26;
  return volume;
}

struct Volume {
  CombiningVolume volume;
  std::uint64_t steps = 0;
};

Volume volume_of(const BroadcastCase& broadcast)
{
  const auto torus = topology_of(broadcast);
  const Schedule schedule = schedule_of(broadcast, *torus);
  return {combining_volume(schedule, torus->node_count()), step_count(schedule)};
}

ExhibitTable volume_table()
{
  ExhibitTable table{
      .title = "steps against packet times",
      .header = {"network", "algorithm", "steps", "packet times", "lower bound", "largest send of each step"},
      .rows = {}};
  for (const PetersenTorusSize& size : {PetersenTorusSize{2, 2, 2}, {3, 3, 3}, {4, 4, 4}}) {
    const auto add = [&](const std::string& name, const BroadcastCase& broadcast, std::int64_t links) {
      const Volume found = volume_of(broadcast);
      table.rows.push_back({text(size), name, fmt::to_string(found.steps), fmt::to_string(found.volume.unit_time),
                            fmt::to_string((size.nodes() - 1 + links - 1) / links),
                            fmt::format("{}", fmt::join(found.volume.largest_new, " "))});
    };
    add("algorithm 4, fixed", all_to_all(size, sla, "fixed"), 1);
    add("algorithm 5, fixed", all_to_all(size, mla, "fixed"), 4);
    add("flooding", flooding(size), 4);
  }
  return table;
}

// Packet times of the complete Algorithm 4: the closed form, step by step, and not below the lower bound.
Evidence algorithm_4_packets()
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(5, 64)) {
    const CombiningVolume found = volume_of(all_to_all(size, sla, "fixed")).volume;
    const ClosedVolume closed = algorithm_4_volume(size);
    const auto expected = static_cast<std::uint64_t>(as_claimed(static_cast<std::int64_t>(closed.sum)));
    const auto bound = static_cast<std::uint64_t>(size.nodes() - 1);
    observations.push_back(
        {.what = text(size),
         .expected = fmt::format("{} packet times, at least {}", expected, bound),
         .found = fmt::format("{} packet times", found.unit_time),
         .holds = found.unit_time == expected && found.largest_new == closed.by_step && found.unit_time >= bound});
  }
  return all_hold("l, m, n = 2..5 with up to 64 modules, step by step", observations);
}

// Packet times of the complete Algorithm 5, against the packets of all others through a node's four links.
Evidence algorithm_5_packets()
{
  struct Packets {
    PetersenTorusSize size;
    std::int64_t times = 0;
    std::int64_t bound = 0;
  };
  std::vector<Observation> observations;
  for (const auto& [size, times, bound] : {Packets{{2, 2, 2}, 237, 20},
                                           {{2, 3, 3}, 477, 45},
                                           {{3, 3, 3}, 687, 68},
                                           {{3, 4, 2}, 667, 60},
                                           {{4, 4, 4}, 1827, 160}}) {
    const auto found = static_cast<std::int64_t>(volume_of(all_to_all(size, mla, "fixed")).volume.unit_time);
    const std::int64_t least = (size.nodes() - 1 + 3) / 4;
    observations.push_back(
        {.what = text(size),
         .expected = fmt::format("{} packet times, lower bound {}", as_claimed(times), as_claimed(bound)),
         .found = fmt::format("{} packet times, lower bound {}", found, least),
         .holds = found == as_claimed(times) && least == as_claimed(bound)});
  }
  return all_hold("five sizes up to 3PT(4, 4, 4), the algorithm with the lacking sends", observations);
}

// Buffers of eight flits cover the time of a hop, so that one event a hop is exact.
NetworkParameters real_network(PortModel ports)
{
  return {.startup = Time{10'000'000},
          .per_hop = Time{50'000},
          .per_byte = Time{10'000},
          .buffer_flits = 8,
          .ports = ports,
          .routing = {}};
}

// Start-up, then the header through the sender's internal channel, the link and the receiver's internal channel, then
// the other bytes: as long as the verifier's step of `bytes` bytes takes on an idle network.
Time measured_single_send(std::uint64_t bytes, PortModel ports)
{
  const BroadcastCase broadcast = algorithm_1({2, 2, 2}, 0, ports);
  const auto torus = topology_of(broadcast);
  Schedule schedule = schedule_of(broadcast, *torus, bytes);
  schedule.messages.resize(1);
  return simulate(*torus, schedule, real_network(ports), {}).latency.value();
}

// Every step of a one-to-all broadcast takes as long as one send.
Evidence one_to_all_time()
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : {PetersenTorusSize{2, 2, 2}, {3, 3, 2}, {4, 4, 4}, {3, 6, 4}}) {
    for (const PortModel ports : {sla, mla}) {
      for (const std::uint64_t bytes : {1U, 64U, 4096U}) {
        const BroadcastCase broadcast = algorithm_1(size, 2, ports);
        const auto torus = topology_of(broadcast);
        const Schedule schedule = schedule_of(broadcast, *torus, bytes);
        const SimulationResult result = simulate(*torus, schedule, real_network(ports), {});
        const Time unit = measured_single_send(bytes, ports);
        const auto steps = static_cast<std::int64_t>(step_count(schedule));
        observations.push_back({.what = fmt::format("{} with {} bytes", title(broadcast), bytes),
                                .expected = fmt::format("{} * {} us", as_claimed(steps), format_microseconds(unit)),
                                .found = fmt::format("{} us", format_microseconds(result.latency.value())),
                                .holds = result.latency.value().picoseconds == as_claimed(steps) * unit.picoseconds &&
                                         result.contention.none()});
      }
    }
  }
  return all_hold("simulated, start-up 10 us, 50 ns a hop, 10 ns a byte, lockstep", observations);
}

struct Run {
  std::string name;
  BroadcastCase broadcast;
};

std::vector<Run> all_to_all_runs()
{
  const PetersenTorusSize size{3, 3, 3};
  return {{"algorithm 4, fixed (SLA)", all_to_all(size, sla, "fixed")},
          {"algorithm 5, fixed (MLA)", all_to_all(size, mla, "fixed")},
          {"flooding (MLA)", flooding(size)}};
}

constexpr std::array<std::uint64_t, 7> block_bytes_of_runs = {1, 4, 16, 64, 256, 1024, 4096};

// Bytes of the largest message of each step.
std::vector<std::uint64_t> largest_messages(const Schedule& schedule)
{
  const std::vector<std::uint64_t> bytes = block_set_bytes(schedule);
  std::vector<std::uint64_t> largest(step_count(schedule), 0);
  for (const Message& message : schedule.messages) {
    largest[message.step] = std::max(largest[message.step], bytes[static_cast<std::size_t>(message.blocks)]);
  }
  return largest;
}

// Of one run, for each length: its steps, the latency, the time of as many single sends of one node's message, and the
// sum of the times of single sends of each step's largest message, picoseconds.
Json simulate_lengths(const Run& run)
{
  const auto torus = topology_of(run.broadcast);
  Json result = Json::array();
  for (const std::uint64_t bytes : block_bytes_of_runs) {
    const Schedule schedule = schedule_of(run.broadcast, *torus, bytes);
    const std::int64_t steps = step_count(schedule);
    const Time latency = simulate(*torus, schedule, real_network(run.broadcast.ports), {}).latency.value();
    std::int64_t largest = 0;
    for (const std::uint64_t size : largest_messages(schedule)) {
      largest += measured_single_send(size, sla).picoseconds;
    }
    result.push_back({steps, latency.picoseconds, steps * measured_single_send(bytes, sla).picoseconds, largest});
  }
  return result;
}

Evidence conclude_lengths(std::span<const Json> parts)
{
  ExhibitFigure figure{.title = "all-to-all in 3PT(3, 3, 3): what the number of steps hides",
                       .x_label = "length of each node's message (bytes)",
                       .y_label = "latency (us)",
                       .log_x = true,
                       .log_y = true,
                       .series = {},
                       .marks = {}};
  std::vector<Observation> observations;
  const std::vector<Run> runs = all_to_all_runs();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ExhibitSeries measured{runs[i].name, ExhibitSeries::Kind::measured, {}};
    ExhibitSeries unit{fmt::format("{}, steps of unit time", runs[i].name), ExhibitSeries::Kind::predicted, {}};
    for (std::size_t k = 0; k < block_bytes_of_runs.size(); ++k) {
      const Json& one = parts[i][k];
      const Time latency{one[1].get<std::int64_t>()};
      const Time predicted{one[2].get<std::int64_t>()};
      const std::string x = fmt::to_string(block_bytes_of_runs.at(k));
      measured.points.push_back({x, format_microseconds(latency)});
      unit.points.push_back({x, format_microseconds(predicted)});
      const Time largest{as_claimed(one[3].get<std::int64_t>())};
      observations.push_back(
          {.what = fmt::format("{}, {} bytes", runs[i].name, x),
           .expected = fmt::format("{} us, above {} steps of {} us in all", format_microseconds(largest),
                                   one[0].get<int>(), format_microseconds(predicted)),
           .found = fmt::format("{} us", format_microseconds(latency)),
           .holds = latency.picoseconds == largest.picoseconds && latency.picoseconds > predicted.picoseconds});
    }
    figure.series.push_back(std::move(measured));
    figure.series.push_back(std::move(unit));
  }
  Evidence evidence = all_hold("simulated, start-up 10 us, 50 ns a hop, 10 ns a byte, lockstep", observations);
  evidence.figures.push_back(std::move(figure));
  return evidence;
}

} // namespace

std::vector<Check> step_model_checks()
{
  std::vector<Check> checks;
  checks.push_back(check_of("theorem_7_packets", checked(all_to_all({2, 2, 2}, sla, "fixed")), [] {
    Evidence evidence = algorithm_4_packets();
    evidence.tables.push_back(volume_table());
    return evidence;
  }));
  checks.push_back(check_of("theorem_8_packets", checked(all_to_all({2, 2, 2}, mla, "fixed")), algorithm_5_packets));
  checks.push_back(check_of("one_to_all_step_time", checked(algorithm_1({4, 4, 4}, 2, sla)), one_to_all_time));
  checks.back().demonstration.command = "wormcast run CONFIG";
  Check lengths = check_of("all_to_all_step_time", checked(all_to_all({3, 3, 3}, mla, "fixed")), {});
  lengths.demonstration.command = "wormcast run CONFIG";
  lengths.measurement.conclude = conclude_lengths;
  for (const Run& run : all_to_all_runs()) {
    lengths.measurement.parts.emplace_back([run] { return simulate_lengths(run); });
  }
  checks.push_back(std::move(lengths));
  return checks;
}

} // namespace wormcast::kim
