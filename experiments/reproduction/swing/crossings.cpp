#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/swing/checks.hpp"
#include "wormcast/experiments/reproduction/swing/worm_run.hpp"

#include <fmt/format.h>

#include <cmath>

namespace wormcast::swing {

namespace {

constexpr std::uint64_t buffer_bytes = 32768; ///< covers the 400 ns of a router

/// Microseconds at the paper's parameters, self-timed.
double microseconds(const std::string& algorithm, const Sides& sides, std::uint32_t channels, std::int64_t bytes,
                    std::uint64_t flit_bytes)
{
  const SimulationResult result = run_of({.sides = sides,
                                          .virtual_channels = channels,
                                          .buffer_flits = buffer_bytes / flit_bytes,
                                          .bytes = static_cast<std::uint64_t>(bytes),
                                          .algorithm = algorithm,
                                          .flit_bytes = flit_bytes},
                                         Time{400'000}, Mode::self_timed);
  return static_cast<double>(result.latency.value().picoseconds) / 1e6;
}

/// The first length at which bucket is faster than Swing.
struct Crossing {
  Sides sides;
  std::uint32_t virtual_channels = 2;
  std::uint64_t flit_bytes = 64;
  std::int64_t bytes = 0;
};

Evidence overtaken(const std::vector<Crossing>& crossings)
{
  std::vector<Observation> observations;
  for (const Crossing& one : crossings) {
    const std::int64_t claimed = as_claimed(one.bytes);
    for (const std::int64_t bytes : {claimed - 1, claimed}) {
      const double swing = microseconds("swing", one.sides, one.virtual_channels, bytes, one.flit_bytes);
      const double bucket = microseconds("bucket", one.sides, one.virtual_channels, bytes, one.flit_bytes);
      const std::string expected = bytes < claimed ? "swing" : "bucket";
      const std::string found = bucket < swing ? "bucket" : "swing";
      observations.push_back(
          {.what = fmt::format("{}, V = {}, {}-byte flits, {} bytes", sides_text(one.sides), one.virtual_channels,
                               one.flit_bytes, bytes),
           .expected = expected + " is faster",
           .found = fmt::format("{} is faster: swing {:.3f} us, bucket {:.3f} us", found, swing, bucket),
           .holds = expected == found});
    }
  }
  return all_hold("lengths at which bucket is faster and one byte less is not; times jump where another worm gets a "
                  "channel first, so that near a crossing there can be several",
                  observations);
}

Evidence at_64_mib()
{
  struct Row {
    Sides sides;
    std::uint32_t channels;
    std::int64_t claimed; ///< hundredths
  };
  constexpr std::int64_t bytes = std::int64_t{64} << 20;
  constexpr std::uint64_t flit_bytes = 1024;
  std::vector<Observation> observations;
  for (const Row& row : {Row{{8, 8}, 2, 140}, Row{{8, 8}, 16, 109}, Row{{16, 16}, 2, 209}, Row{{16, 16}, 16, 111}}) {
    const double swing = microseconds("swing", row.sides, row.channels, bytes, flit_bytes);
    const double bucket = microseconds("bucket", row.sides, row.channels, bytes, flit_bytes);
    const std::int64_t claimed = as_claimed(row.claimed);
    observations.push_back(
        {.what = fmt::format("{}, V = {}", sides_text(row.sides), row.channels),
         .expected = fmt::format("{:.2f}", static_cast<double>(claimed) / 100),
         .found = fmt::format("{:.2f}: swing {:.2f} us, bucket {:.2f} us", swing / bucket, swing, bucket),
         .holds = std::llround(100 * swing / bucket) == claimed});
  }
  return all_hold("latency of Swing over that of bucket, 1-KiB flits", observations);
}

} // namespace

std::vector<Check> crossing_checks()
{
  const auto check = [](const std::string& name, std::vector<Crossing> crossings) {
    const Sides sides = crossings.front().sides;
    return shown_check(name, on_torus(sides, "swing"), [all = std::move(crossings)] { return overtaken(all); });
  };
  return {check("worms_overtaken", {{{8, 8}, 2, 64, 507'913}}),
          check("worms_overtaken_four", {{{8, 8}, 4, 64, 4'194'336}}),
          check("worms_overtaken_six", {{{8, 8}, 6, 64, 6'224'897}, {{8, 8}, 8, 64, 6'224'897}}),
          check("worms_overtaken_16x16",
                {{{16, 16}, 2, 64, 147'581}, {{16, 16}, 4, 256, 5'505'025}, {{16, 16}, 16, 256, 10'858'499}}),
          shown_check("worms_64_mib", on_torus({8, 8}, "swing"), at_64_mib)};
}

} // namespace wormcast::swing
