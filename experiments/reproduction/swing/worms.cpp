#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/swing/cases.hpp"
#include "wormcast/experiments/reproduction/swing/checks.hpp"
#include "wormcast/experiments/reproduction/swing/worm_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

namespace wormcast::swing {

namespace {

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

Evidence on_16x16()
{
  return by_channels({16, 16}, {{2, 18828}, {4, 17388}, {6, 11807}, {8, 11504}, {10, 11367}, {16, 11367}},
                     std::uint64_t{4096} * 256);
}

Evidence on_4x16()
{
  return by_channels({4, 16}, {{2, 24531}, {4, 18398}, {6, 13574}, {8, 12979}, {12, 12813}});
}

Evidence on_ring_32()
{
  return by_channels({32}, {{2, 77969}, {4, 61602}, {8, 20039}, {16, 17988}}, std::uint64_t{2048} * 32);
}

Evidence packets()
{
  std::vector<WormCase> cases;
  struct Row {
    Sides sides;
    std::uint32_t channels;
    std::int64_t value;
  };
  for (const Row& row : {Row{{8, 8}, 2, 13281}, Row{{8, 8}, 4, 11641}, Row{{8, 8}, 8, 10781}, Row{{16, 16}, 2, 17773},
                         Row{{16, 16}, 4, 13547}}) {
    cases.push_back({fmt::format("{}, V = {}", sides_text(row.sides), row.channels),
                     {.sides = row.sides, .virtual_channels = row.channels, .message_for_each_block = true},
                     row.value});
  }
  return measured_as_claimed("a worm of 1 KiB for each block", cases);
}

/// With one virtual channel the wrap-around links close cycles of waits, but for distances that never wait.
Evidence one_channel()
{
  const bool stands_still = !run_of({.sides = {8, 8}, .virtual_channels = 1}).latency;
  std::vector<Observation> observations = {observed({"4 x 4, V = 1", {.sides = {4, 4}, .virtual_channels = 1}, 9375}),
                                           {.what = "8 x 8, V = 1",
                                            .expected = "deadlock",
                                            .found = stands_still ? "deadlock" : "done",
                                            .holds = stands_still}};
  return all_hold("latency in units of n T_c / D", observations);
}

/// The least and the greatest value of twelve seeds by which headers that ask at the same time are ordered.
Evidence ties()
{
  struct Row {
    std::uint32_t channels;
    std::int64_t least;
    std::int64_t greatest;
  };
  constexpr std::uint64_t seeds = 12;
  std::vector<Observation> observations;
  for (const Row& row : {Row{2, 12930, 13203}, Row{4, 11514, 11802}, Row{6, 10781, 10781}}) {
    std::vector<std::int64_t> values;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      values.push_back(ten_thousandths({.sides = {8, 8}, .virtual_channels = row.channels, .tie_seed = seed}));
    }
    const auto [least, greatest] = std::ranges::minmax(values);
    const std::int64_t claimed = as_claimed(row.least);
    observations.push_back({.what = fmt::format("V = {}", row.channels),
                            .expected = fmt::format("{} to {}", decimal_text(claimed), decimal_text(row.greatest)),
                            .found = fmt::format("{} to {}", decimal_text(least), decimal_text(greatest)),
                            .holds = least == claimed && greatest == row.greatest});
  }
  return all_hold(fmt::format("8 x 8, 256 KiB, {} seeds", seeds), observations);
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
          check("worms_16x16", {16, 16}, on_16x16),
          check("worms_4x16", {4, 16}, on_4x16),
          check("worms_ring_32", {32}, on_ring_32),
          check("worms_one_channel", {8, 8}, one_channel),
          check("worms_odd", {8, 8}, odd_numbers),
          check("worms_buffers", {8, 8}, buffers),
          check("worms_lengths", {8, 8}, lengths),
          check("worms_switching", {8, 8}, switching),
          shown_check("worms_bucket", on_torus({8, 8}, "bucket", ""), bucket_on_worms),
          check("worms_packets", {8, 8}, packets),
          check("worms_ties", {8, 8}, ties)};
}

} // namespace wormcast::swing
