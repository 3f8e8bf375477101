#include "wormcast/experiments/reproduction/zhuang_liberatore/depth_study.hpp"

#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace wormcast::zhuang_liberatore {

namespace {

constexpr std::array study_exponents = {4, 5};
constexpr std::array<std::int64_t, 4> study_hops_in_us = {0, 5, 10, 15};
constexpr std::array<std::uint64_t, 3> study_lengths = {4096, 16384, 65536};
constexpr std::array disturbances = {Disturbance::start_delays, Disturbance::message_noise};
constexpr std::int64_t most_delayed_steps = 10;

/// Broadcasts of one source hang together, so many sources tell more than many broadcasts of each.
struct StudySample {
  std::string algorithm;
  std::uint32_t sources = 0;
  int of_each = 0;
};
const std::array<StudySample, 2> study_samples = {{{"RB", 64, 2}, {"NP-RD(2)", 16, 1}}};

RunParameters run_of(const DepthSetting& setting, std::uint64_t seed)
{
  RunParameters run{.mode = Mode::self_timed, .seed = seed, .start_jitter = {}};
  if (setting.disturbance == Disturbance::start_delays) {
    run.start_jitter = most_delayed_steps * mean_step(setting.exponent, setting.bytes);
  } else {
    run.noise = Noise::exponential(1);
  }
  return run;
}

SimulationResult without_waits_for_channels(const Topology& topology, const Schedule& schedule,
                                            const NetworkParameters& network, const RunParameters& run)
{
  SimulationResult result = simulate_contention_free(topology, schedule, network, run);
  if (!result.latency) {
    throw std::runtime_error(fmt::format("the run on the {} with free channels did not end", topology.title()));
  }
  return result;
}

DepthCell measured_cell(const Topology& topology, std::span<Schedule> schedules, const NetworkParameters& network,
                        const DepthSetting& setting, int of_each)
{
  const auto since_start = [](const SimulationResult& result) {
    return static_cast<double>(result.latency_from_source().value().picoseconds) / 1e6;
  };
  // Where no message waits for a channel there is nothing to be found.
  const auto measured = is_mutated_by(Mutation::data_changed) ? without_waits_for_channels : simulated;
  DepthCell cell{.setting = setting, .costs = {}};
  std::uint64_t seed = 0;
  const auto broadcasts = static_cast<double>(schedules.size()) * of_each;
  for (Schedule& schedule : schedules) {
    schedule.message_bytes = setting.bytes;
    cell.costs.emplace_back();
    for (int i = 0; i < of_each; ++i) {
      const RunParameters run = run_of(setting, ++seed);
      const SimulationResult result = measured(topology, schedule, network, run);
      const double without = since_start(without_waits_for_channels(topology, schedule, network, run));
      cell.costs.back().push_back(100 * (since_start(result) - without) / without);
      cell.latency += since_start(result) / broadcasts;
      cell.latency_without += without / broadcasts;
      const auto waits = [&](ContentionKind kind) {
        return static_cast<double>(result.contention[kind].count) / broadcasts;
      };
      cell.depth_waits += waits(ContentionKind::depth);
      cell.step_waits += waits(ContentionKind::step);
      cell.port_waits += waits(ContentionKind::port);
    }
  }
  return cell;
}

nlohmann::ordered_json cell_json(const DepthCell& cell)
{
  const DepthSetting& setting = cell.setting;
  return {{"algorithm", setting.algorithm},
          {"exponent", setting.exponent},
          {"hop", setting.routers.hop.picoseconds},
          {"hold", static_cast<int>(setting.routers.hold)},
          {"disturbance", static_cast<int>(setting.disturbance)},
          {"bytes", setting.bytes},
          {"costs", cell.costs},
          {"latency", cell.latency},
          {"latency_without", cell.latency_without},
          {"depth_waits", cell.depth_waits},
          {"step_waits", cell.step_waits},
          {"port_waits", cell.port_waits}};
}

DepthCell cell_from_json(const nlohmann::ordered_json& json)
{
  return {.setting = {.algorithm = json.at("algorithm"),
                      .exponent = json.at("exponent"),
                      .routers = {.hop = Time{json.at("hop").get<std::int64_t>()},
                                  .hold = static_cast<Hold>(json.at("hold").get<int>())},
                      .disturbance = static_cast<Disturbance>(json.at("disturbance").get<int>()),
                      .bytes = json.at("bytes")},
          .costs = json.at("costs").get<std::vector<std::vector<double>>>(),
          .latency = json.at("latency"),
          .latency_without = json.at("latency_without"),
          .depth_waits = json.at("depth_waits"),
          .step_waits = json.at("step_waits"),
          .port_waits = json.at("port_waits")};
}

/// All cells of an algorithm on one mesh with these routers.
nlohmann::ordered_json study(const Subject& subject, const StudySample& sample, int exponent, const Routers& routers)
{
  const auto topology = topology_of(subject.broadcast);
  std::vector<Schedule> schedules;
  for (const BroadcastCase& one : from_some_sources(subject.broadcast, sample.sources)) {
    schedules.push_back(schedule_of(one, *topology));
  }
  const NetworkParameters network = network_with(subject.broadcast, routers);
  nlohmann::ordered_json cells = nlohmann::ordered_json::array();
  for (const Disturbance disturbance : disturbances) {
    for (const std::uint64_t bytes : study_lengths) {
      const DepthSetting setting{subject.title, exponent, routers, disturbance, bytes};
      cells.push_back(cell_json(measured_cell(*topology, schedules, network, setting, sample.of_each)));
    }
  }
  return cells;
}

} // namespace

CostThreshold weighed(std::span<const ClusteredMean> costs, double percent)
{
  CostThreshold threshold{.percent = percent};
  for (const ClusteredMean& cost : costs) {
    threshold.above += cost.low_of_all > percent ? 1 : 0;
    threshold.below += cost.high_of_all < percent ? 1 : 0;
  }
  if (threshold.above > 0) {
    threshold.verdict = Verdict::confirmed;
  } else if (threshold.below == costs.size()) {
    threshold.verdict = Verdict::refuted;
  }
  return threshold;
}

Time mean_step(int exponent, std::uint64_t bytes)
{
  const NetworkParameters network = figure_network({});
  const int alpha = 3 * exponent;
  const Fraction beta = Fraction(5, 2) - 2 * one_over_power(exponent);
  const std::int64_t transfer = static_cast<std::int64_t>(bytes) * network.per_byte.picoseconds();
  return network.startup + Time{transfer * beta.numerator() / (beta.denominator() * alpha)};
}

std::vector<std::function<nlohmann::ordered_json()>> depth_study_parts()
{
  std::vector<std::function<nlohmann::ordered_json()>> parts;
  for (const StudySample& sample : study_samples) {
    for (const int exponent : study_exponents) {
      const std::vector<Subject> all = subjects(exponent);
      const Subject subject = *std::ranges::find(all, sample.algorithm, &Subject::title);
      for (const std::int64_t hop : study_hops_in_us) {
        for (const Hold hold : {Hold::tail, Hold::path}) {
          const Routers routers{.hop = Time{hop * 1'000'000}, .hold = hold};
          parts.emplace_back([=] { return study(subject, sample, exponent, routers); });
        }
      }
    }
  }
  return parts;
}

std::vector<DepthCell> depth_cells(std::span<const nlohmann::ordered_json> parts)
{
  std::vector<DepthCell> cells;
  for (const nlohmann::ordered_json& part : parts) {
    std::ranges::transform(part, std::back_inserter(cells), cell_from_json);
  }
  return cells;
}

std::string depth_study_sample()
{
  std::string text;
  for (const StudySample& sample : study_samples) {
    text += fmt::format("{}{}: {}, {} broadcast{} from each", text.empty() ? "" : "; ", sample.algorithm,
                        of_some_sources(sample.sources), sample.of_each, sample.of_each == 1 ? "" : "s");
  }
  return text;
}

} // namespace wormcast::zhuang_liberatore
