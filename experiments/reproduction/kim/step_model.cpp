#include "wormcast/algorithms/verifier/combining_volume.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"
#include "wormcast/experiments/reproduction/kim/claims.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace wormcast::kim {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* packets_reading =
    "messages do not combine for free: a link carries one node's packet per unit of "
    "time, and only packets new to the receiver are sent";

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
  ExhibitTable table{.title = "steps against packet times",
                     .header = {"network", "algorithm", "steps", "packet times", "lower bound",
                                "largest send of each "
                                "step"},
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

// Packet times of the complete algorithm: as many as it has steps, or the closed form.
Evidence packet_times(PortModel ports, bool closed_form)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(5, 64)) {
    const Volume found = volume_of(all_to_all(size, ports, "fixed"));
    const ClosedVolume closed = algorithm_4_volume(size);
    const std::uint64_t expected = closed_form ? closed.sum : found.steps;
    observations.push_back(
        {.what = text(size),
         .expected = fmt::format("{} packet times", expected),
         .found = fmt::format("{} packet times", found.volume.unit_time),
         .holds = found.volume.unit_time == expected && (!closed_form || found.volume.largest_new == closed.by_step)});
  }
  return all_hold(closed_form ? "l, m, n = 2..5 with up to 64 modules, step by step"
                              : "l, m, n = 2..5 with up to 64 modules, the algorithm with the lacking sends",
                  observations);
}

// No all-to-all broadcast takes fewer packet times than the packets of all others through a node's links.
Evidence above_bound(PortModel ports)
{
  std::vector<Observation> observations;
  for (const PetersenTorusSize& size : all_sizes(5, 64)) {
    const auto others = static_cast<std::uint64_t>(size.nodes() - 1);
    const std::uint64_t bound = ports == sla ? others : (others + 3) / 4;
    const std::uint64_t found = volume_of(all_to_all(size, ports, "fixed")).volume.unit_time;
    observations.push_back({.what = text(size),
                            .expected = fmt::format("above the lower bound {}", bound),
                            .found = fmt::format("{} packet times, {:.1f} times the bound", found,
                                                 static_cast<double>(found) / static_cast<double>(bound)),
                            .holds = found > bound});
  }
  return all_hold("l, m, n = 2..5 with up to 64 modules", observations);
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
  return simulate(*torus, schedule, real_network(ports), {}).latency;
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
        observations.push_back(
            {.what = fmt::format("{} with {} bytes", title(broadcast), bytes),
             .expected = fmt::format("{} * {} us", steps, format_microseconds(unit)),
             .found = fmt::format("{} us", format_microseconds(result.latency)),
             .holds = result.latency.picoseconds == steps * unit.picoseconds && result.contention.none()});
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

// Of one run: steps, then for each length the latency and the time of as many single sends, picoseconds.
Json simulate_lengths(const Run& run)
{
  const auto torus = topology_of(run.broadcast);
  Json result = Json::array();
  for (const std::uint64_t bytes : block_bytes_of_runs) {
    const Schedule schedule = schedule_of(run.broadcast, *torus, bytes);
    const std::int64_t steps = step_count(schedule);
    const Time latency = simulate(*torus, schedule, real_network(run.broadcast.ports), {}).latency;
    result.push_back({steps, latency.picoseconds, steps * measured_single_send(bytes, sla).picoseconds});
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
      observations.push_back(
          {.what = fmt::format("{}, {} bytes", runs[i].name, x),
           .expected = fmt::format("{} steps of one send, {} us", one[0].get<int>(), format_microseconds(predicted)),
           .found = fmt::format("{} us", format_microseconds(latency)),
           .holds = latency.picoseconds == predicted.picoseconds});
    }
    figure.series.push_back(std::move(measured));
    figure.series.push_back(std::move(unit));
  }
  Evidence evidence = all_hold("simulated, start-up 10 us, 50 ns a hop, 10 ns a byte, lockstep", observations);
  evidence.correction =
      "steps are as long as their largest message, which grows to most of all messages; the number of "
      "steps tells the time only where the start-up dominates";
  evidence.figures.push_back(std::move(figure));
  return evidence;
}

} // namespace

std::vector<Claim> step_model_claims()
{
  std::vector<Claim> claims;
  claims.push_back(
      refuted(claim("theorem_7_packets", "section 4, theorem 7",
                    "The all-to-all broadcasting time of 3PT(l, m, n) under the SLA model is 3m + 3n + 2l + 2",
                    "3m + 3n + 2l + 2 packet times", checked(all_to_all({2, 2, 2}, sla, "fixed")), [] {
                      Evidence evidence = corrected(packet_times(sla, false),
                                                    "(60l - 20)mn - 26 packet times against the "
                                                    "lower bound 10lmn - 1",
                                                    packet_times(sla, true));
                      evidence.tables.push_back(volume_table());
                      return evidence;
                    })));
  claims.back().reading = packets_reading;
  claims.back().slow = true;
  claims.push_back(refuted(
      claim("theorem_8_packets", "section 4, theorem 8",
            "The all-to-all broadcasting time of 3PT(l, m, n) under the MLA model is that of theorem 8",
            "as many packet times as steps", checked(all_to_all({2, 2, 2}, mla, "fixed")), [] {
              return corrected(packet_times(mla, false),
                               "many times the steps, and above the lower bound (10lmn - 1)/4", above_bound(mla));
            })));
  claims.back().reading = packets_reading;
  claims.back().slow = true;
  claims.push_back(
      claim("one_to_all_step_time", "section 3", "Every step of a one-to-all broadcast takes one unit of time",
            "latency = steps * time of one send", checked(algorithm_1({4, 4, 4}, 2, sla)), one_to_all_time));
  claims.back().demonstration.command = "wormcast run CONFIG";
  claims.back().slow = true;
  Claim lengths =
      refuted(claim("all_to_all_step_time", "section 4", "Every step of an all-to-all broadcast takes one unit of time",
                    "latency = steps * time of one send", checked(all_to_all({3, 3, 3}, mla, "fixed")), {}));
  lengths.demonstration.command = "wormcast run CONFIG";
  lengths.slow = true;
  lengths.measurement.conclude = conclude_lengths;
  for (const Run& run : all_to_all_runs()) {
    lengths.measurement.parts.emplace_back([run] { return simulate_lengths(run); });
  }
  claims.push_back(std::move(lengths));
  return claims;
}

} // namespace wormcast::kim
