#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/swing/cases.hpp"
#include "wormcast/experiments/reproduction/swing/checks.hpp"
#include "wormcast/simulator/model/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

namespace wormcast::swing {

namespace {

/// A run of an all_reduce on worms.
struct WormRun {
  Sides sides;
  std::uint32_t virtual_channels = 2;
  std::uint64_t buffer_flits = 8;
  std::uint64_t bytes = 0; ///< 0: 4 KiB for each node
  Switching switching = Switching::wormhole;
  std::string algorithm = "swing";
};

SimulationResult run_of(const WormRun& one, std::int64_t hop_picoseconds = 0, Mode mode = Mode::lockstep)
{
  const BroadcastCase broadcast = on_torus(one.sides, one.algorithm, one.algorithm == "bucket" ? "" : "bandwidth");
  const auto topology = topology_of(broadcast);
  const std::uint64_t bytes = one.bytes == 0 ? 4096 * static_cast<std::uint64_t>(nodes(one.sides)) : one.bytes;
  NetworkParameters network;
  network.startup = Time{0};
  network.per_hop = Time{hop_picoseconds};
  network.per_byte = Time{20};
  network.flit_bytes = 64;
  network.buffer_flits = one.buffer_flits;
  network.virtual_channels = one.virtual_channels;
  network.switching = one.switching;
  network.ports = broadcast.ports;
  RunParameters run;
  run.mode = mode;
  return simulated(*topology, schedule_of(broadcast, *topology, bytes), network, run);
}

/// The latency in units of n T_c / D, in ten-thousandths: what Xi is where links are shared fairly.
std::int64_t ten_thousandths(const WormRun& one)
{
  const double bytes = one.bytes == 0 ? 4096.0 * static_cast<double>(nodes(one.sides)) : static_cast<double>(one.bytes);
  const auto picoseconds = static_cast<double>(run_of(one).latency.value().picoseconds);
  return std::llround(picoseconds * static_cast<double>(one.sides.size()) / (bytes * 20) * 10'000);
}

struct WormCase {
  std::string what;
  WormRun run;
  std::int64_t claimed = 0; ///< ten-thousandths
};

/// Ten-thousandths as a decimal.
std::string decimal_text(std::int64_t value)
{
  return fmt::format("{:.4f}", static_cast<double>(value) / 10'000);
}

/// What is measured of a case against what is claimed.
Observation observed(const WormCase& one)
{
  const std::int64_t claimed = as_claimed(one.claimed);
  const std::int64_t found = ten_thousandths(one.run);
  return {.what = one.what, .expected = decimal_text(claimed), .found = decimal_text(found), .holds = claimed == found};
}

Evidence measured_as_claimed(const std::string& summary, const std::vector<WormCase>& cases)
{
  std::vector<Observation> observations;
  std::ranges::transform(cases, std::back_inserter(observations), observed);
  return all_hold(summary, observations);
}

/// The same torus with different numbers of virtual channels, with a figure of them against fair links.
Evidence by_channels(const Sides& sides, const std::vector<std::pair<std::uint32_t, std::int64_t>>& values,
                     std::uint64_t bytes = 0)
{
  std::vector<Observation> observations;
  ExhibitSeries worms{.title = "worms", .kind = ExhibitSeries::Kind::measured, .points = {}};
  ExhibitSeries fair{.title = "fair links", .kind = ExhibitSeries::Kind::predicted, .points = {}};
  const std::string model = fmt::format("{:.4f}", number(swing_load(sides)));
  for (const auto& [channels, value] : values) {
    observations.push_back(observed({fmt::format("{}, V = {}", sides_text(sides), channels),
                                     {.sides = sides, .virtual_channels = channels, .bytes = bytes},
                                     value}));
    worms.points.push_back({fmt::format("{}", channels), observations.back().found});
    fair.points.push_back({fmt::format("{}", channels), model});
  }
  Evidence evidence = all_hold(fmt::format("latency in units of n T_c / D; fair links {}", model), observations);
  evidence.figures.push_back({.title = fmt::format("Swing on worms, {}", sides_text(sides)),
                              .x_label = "virtual channels",
                              .y_label = "latency in n T_c / D",
                              .log_x = false,
                              .log_y = false,
                              .series = {worms, fair},
                              .marks = {}});
  return evidence;
}

Evidence on_8x8()
{
  return by_channels({8, 8}, {{2, 13281}, {4, 11963}, {6, 10781}, {8, 10781}});
}

Evidence on_ring_16()
{
  return by_channels({16}, {{2, 38125}, {4, 26250}, {8, 14883}, {10, 14375}}, std::uint64_t{2048} * 16);
}

Evidence on_4x8()
{
  return by_channels({4, 8}, {{2, 14531}, {4, 12402}, {6, 11289}, {8, 11250}});
}

Evidence odd_numbers()
{
  return by_channels({8, 8}, {{3, 13281}, {5, 11963}, {7, 10781}});
}

Evidence buffers()
{
  std::vector<WormCase> cases;
  struct Row {
    std::uint64_t flits;
    std::int64_t two;
    std::int64_t four;
  };
  for (const Row& row : {Row{2, 13164, 12910}, Row{4, 13203, 12500}, Row{16, 13438, 11523}, Row{64, 13594, 11230}}) {
    cases.push_back({fmt::format("V = 2, B = {}", row.flits),
                     {.sides = {8, 8}, .virtual_channels = 2, .buffer_flits = row.flits},
                     row.two});
    cases.push_back({fmt::format("V = 4, B = {}", row.flits),
                     {.sides = {8, 8}, .virtual_channels = 4, .buffer_flits = row.flits},
                     row.four});
  }
  return measured_as_claimed("8 x 8, 256 KiB", cases);
}

Evidence lengths()
{
  std::vector<WormCase> cases;
  struct Row {
    std::uint64_t kib;
    std::int64_t two;
    std::int64_t four;
  };
  for (const Row& row : {Row{64, 13594, 11172}, Row{256, 13281, 11963}, Row{1024, 13164, 12793}}) {
    cases.push_back({fmt::format("V = 2, {} KiB", row.kib),
                     {.sides = {8, 8}, .virtual_channels = 2, .bytes = row.kib * 1024},
                     row.two});
    cases.push_back({fmt::format("V = 4, {} KiB", row.kib),
                     {.sides = {8, 8}, .virtual_channels = 4, .bytes = row.kib * 1024},
                     row.four});
  }
  return measured_as_claimed("8 x 8, B = 8", cases);
}

Evidence switching()
{
  std::vector<WormCase> cases;
  struct Row {
    Switching switching;
    std::string name;
    std::int64_t two;
    std::int64_t four;
  };
  for (const Row& row : {Row{Switching::cut_through, "cut-through", 13594, 11230},
                         Row{Switching::store_and_forward, "store-and-forward", 14063, 10781}}) {
    cases.push_back(
        {row.name + ", V = 2", {.sides = {8, 8}, .virtual_channels = 2, .switching = row.switching}, row.two});
    cases.push_back(
        {row.name + ", V = 4", {.sides = {8, 8}, .virtual_channels = 4, .switching = row.switching}, row.four});
  }
  return measured_as_claimed("8 x 8, 256 KiB", cases);
}

Evidence bucket_on_worms()
{
  std::vector<WormCase> cases;
  for (const auto& [side, value] : {std::pair<std::int64_t, std::int64_t>{4, 9375}, {8, 9844}}) {
    cases.push_back(
        {sides_text({side, side}), {.sides = {side, side}, .virtual_channels = 1, .algorithm = "bucket"}, value});
  }
  return measured_as_claimed("bucket, V = 1: 1 - 1/N", cases);
}

Evidence overtaken()
{
  std::vector<Observation> observations;
  const std::int64_t claimed = as_claimed(std::int64_t{507'913});
  for (const std::int64_t bytes : {claimed - 1, claimed}) {
    const auto time = [&](const std::string& algorithm) {
      const SimulationResult result = run_of({.sides = {8, 8},
                                              .virtual_channels = 2,
                                              .buffer_flits = 512,
                                              .bytes = static_cast<std::uint64_t>(bytes),
                                              .algorithm = algorithm},
                                             400'000, Mode::self_timed);
      return static_cast<double>(result.latency.value().picoseconds) / 1e6;
    };
    const double swing = time("swing");
    const double bucket = time("bucket");
    const std::string expected = bytes < claimed ? "swing" : "bucket";
    const std::string found = bucket < swing ? "bucket" : "swing";
    observations.push_back(
        {.what = fmt::format("{} bytes", bytes),
         .expected = expected + " is faster",
         .found = fmt::format("{} is faster: swing {:.2f} us, bucket {:.2f} us", found, swing, bucket),
         .holds = expected == found});
  }
  return all_hold("the first length at which bucket is faster, for this size of a flit; times jump where another worm "
                  "gets a channel first",
                  observations);
}

} // namespace

std::vector<Check> worm_checks()
{
  const auto check = [](const std::string& name, const Sides& sides, std::function<Evidence()> measure) {
    return shown_check(name, on_torus(sides, "swing"), std::move(measure));
  };
  return {check("worms_8x8", {8, 8}, on_8x8),
          check("worms_ring_16", {16}, on_ring_16),
          check("worms_rectangle", {4, 8}, on_4x8),
          check("worms_odd", {8, 8}, odd_numbers),
          check("worms_buffers", {8, 8}, buffers),
          check("worms_lengths", {8, 8}, lengths),
          check("worms_switching", {8, 8}, switching),
          shown_check("worms_bucket", on_torus({8, 8}, "bucket", ""), bucket_on_worms),
          check("worms_overtaken", {8, 8}, overtaken)};
}

} // namespace wormcast::swing
