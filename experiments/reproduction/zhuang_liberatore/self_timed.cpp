#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/subjects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace wormcast::zhuang_liberatore {

namespace {

constexpr int self_timed_exponent = 5; ///< 32 x 32
constexpr std::array<std::int64_t, 4> hops_in_nanoseconds = {500, 3000, 5000, 8000};
constexpr std::array<std::uint64_t, 4> self_timed_lengths = {256, 1536, 3072, 5120};

/// Self-timed latency over lockstep latency, in thousandths.
struct ExpectedRatios {
  std::string title;
  Hold hold = Hold::tail;
  std::int64_t least = 1000;
  std::int64_t most = 1000;
};

const std::array<ExpectedRatios, 10> expected_ratios = {{{"RD", Hold::tail, 1000, 1000},
                                                         {"RD", Hold::path, 1000, 1000},
                                                         {"NP-RD(2)", Hold::tail, 985, 1000},
                                                         {"NP-RD(2)", Hold::path, 1000, 1000},
                                                         {"RB", Hold::tail, 930, 1100},
                                                         {"RB", Hold::path, 1000, 1000},
                                                         {"NP-SC(2)", Hold::tail, 710, 990},
                                                         {"NP-SC(2)", Hold::path, 1000, 1110},
                                                         {"SC", Hold::tail, 470, 960},
                                                         {"SC", Hold::path, 995, 1000}}};

/// All runs of an algorithm without start delays, from the corner and from the centre.
nlohmann::ordered_json self_timed_runs(const Subject& subject)
{
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  const auto topology = topology_of(subject.broadcast);
  for (const BroadcastCase& one : from_some_sources(subject.broadcast, 2)) {
    Schedule schedule = schedule_of(one, *topology);
    for (const std::int64_t hop : hops_in_nanoseconds) {
      for (const std::uint64_t bytes : self_timed_lengths) {
        schedule.message_bytes = bytes;
        Routers routers{.hop = Time{1000 * hop}};
        const Time lockstep = simulated(*topology, schedule, network_with(one, routers)).latency.value();
        for (const Hold hold : {Hold::tail, Hold::path}) {
          routers.hold = hold;
          const SimulationResult run = simulated(*topology, schedule, network_with(one, routers),
                                                 {.mode = Mode::self_timed, .start_jitter = {}});
          runs.push_back({{"title", subject.title},
                          {"case", title(one)},
                          {"hop", hop},
                          {"hold", static_cast<int>(hold)},
                          {"bytes", bytes},
                          {"lockstep", lockstep.picoseconds},
                          {"self_timed", run.latency->picoseconds},
                          {"depth", run.contention[ContentionKind::depth].count},
                          {"port", run.contention[ContentionKind::port].count}});
        }
      }
    }
  }
  return runs;
}

double ratio_of(const nlohmann::ordered_json& run)
{
  return run["self_timed"].get<double>() / run["lockstep"].get<double>();
}

ExhibitFigure ratio_figure(std::span<const nlohmann::ordered_json> parts, std::int64_t hop, Hold hold)
{
  ExhibitFigure figure{.title =
                           fmt::format("self-timed latency over lockstep latency, 32 x 32 mesh, from the corner, {}",
                                       title(Routers{.hop = Time{1000 * hop}, .hold = hold})),
                       .x_label = "message length (bytes)",
                       .y_label = "ratio",
                       .log_x = true,
                       .series = {},
                       .marks = {}};
  for (const nlohmann::ordered_json& runs : parts) {
    ExhibitSeries series{.title = runs[0]["title"], .kind = ExhibitSeries::Kind::measured, .points = {}};
    for (const nlohmann::ordered_json& run : runs) {
      if (run["hop"] == hop && run["hold"] == static_cast<int>(hold) && run["case"] == runs[0]["case"]) {
        series.points.push_back({.x = run["bytes"].dump(), .y = decimal(ratio_of(run), 4)});
      }
    }
    figure.series.push_back(std::move(series));
  }
  return figure;
}

Observation ratio_observation(const nlohmann::ordered_json& run, const ExpectedRatios& expected)
{
  const auto self_timed = run["self_timed"].get<std::int64_t>();
  const auto lockstep = run["lockstep"].get<std::int64_t>();
  const std::int64_t most = as_upper_bound(expected.most);
  return {.what =
              fmt::format("{}, {} bytes, {}", run["case"].get<std::string>(), run["bytes"].dump(),
                          title(Routers{.hop = Time{1000 * run["hop"].get<std::int64_t>()}, .hold = expected.hold})),
          .expected = fmt::format("{} to {}", decimal(static_cast<double>(expected.least) / 1000),
                                  decimal(static_cast<double>(most) / 1000)),
          .found = fmt::format("{} (waits for channels {}, for ports {})", decimal(ratio_of(run), 4),
                               run["depth"].dump(), run["port"].dump()),
          .holds = 1000 * self_timed >= expected.least * lockstep && 1000 * self_timed <= most * lockstep};
}

/// "RB, tail hold: 0.936 to 1.095 (waits for channels at most 1, for ports at most 137)"
std::string ratio_text(const ExpectedRatios& expected, const std::vector<nlohmann::ordered_json>& runs)
{
  const auto [least, most] = std::ranges::minmax(runs, {}, ratio_of);
  std::int64_t depth = 0;
  std::int64_t port = 0;
  for (const nlohmann::ordered_json& run : runs) {
    depth = std::max(depth, run["depth"].get<std::int64_t>());
    port = std::max(port, run["port"].get<std::int64_t>());
  }
  return fmt::format("{}, {} hold: {} to {} (waits for channels at most {}, for ports at most {})", expected.title,
                     hold_names.text(expected.hold), decimal(ratio_of(least)), decimal(ratio_of(most)), depth, port);
}

Evidence self_timed_against_lockstep(std::span<const nlohmann::ordered_json> parts)
{
  std::vector<Observation> observations;
  std::string ratios;
  for (const ExpectedRatios& expected : expected_ratios) {
    std::vector<nlohmann::ordered_json> of_its_own;
    for (const nlohmann::ordered_json& runs : parts) {
      for (const nlohmann::ordered_json& run : runs) {
        if (run["title"] == expected.title && run["hold"] == static_cast<int>(expected.hold)) {
          observations.push_back(ratio_observation(run, expected));
          of_its_own.push_back(run);
        }
      }
    }
    ratios += (ratios.empty() ? "" : "; ") + ratio_text(expected, of_its_own);
  }
  Evidence evidence = all_hold("self-timed over lockstep latency; " + ratios, observations, 64);
  for (const std::int64_t hop : {hops_in_nanoseconds.front(), hops_in_nanoseconds.back()}) {
    for (const Hold hold : {Hold::tail, Hold::path}) {
      evidence.figures.push_back(ratio_figure(parts, hop, hold));
    }
  }
  return evidence;
}

std::vector<std::function<nlohmann::ordered_json()>> self_timed_parts()
{
  std::vector<std::function<nlohmann::ordered_json()>> parts;
  for (const Subject& subject : subjects(self_timed_exponent)) {
    parts.emplace_back([=] { return self_timed_runs(subject); });
  }
  return parts;
}

} // namespace

Check self_timed_check()
{
  const BroadcastCase recursion{.dims = square(self_timed_exponent), .algorithm = "recursion_based"};
  std::string config = config_text(recursion, 5120, "[run]\nmode = \"self_timed\"\n");
  config.replace(config.find("per_byte"), 0, "per_hop = \"8us\"\nbuffer_flits = 32\n");
  return {.name = "self_timed_against_lockstep",
          .demonstration = {config, "wormcast run CONFIG --explain"},
          .measurement = {.parts = self_timed_parts(), .conclude = self_timed_against_lockstep}};
}

} // namespace wormcast::zhuang_liberatore
